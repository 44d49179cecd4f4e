"""Answers of queries, ranked by a second model or picked by a hosted reasoner, on real Neo4j."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import Response
from openai import AsyncOpenAI

from chat_server import Answer, Messages, chat_server, scripted
from graph.asking import ask_graphraft, list_names
from graph.police import HOW_MANY, KIM, POLICE, ToldModel
from graph.trained import train_in
from judging_models import ToldJudge
from real_neo4j import GraphFiller
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.chats.completions import REASONER, ChatCompletions
from trellis.engines.chats.reasoner import HostedReasoner
from trellis.engines.local import LocalModel
from trellis.graph.database.connection import GraphConnection
from trellis.models.folder import read_card
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app

ROBBERS = "MATCH (p:Person)-[:PARTY_TO]->(c:Crime WHERE c.type = 'Robbery') RETURN p"
ARSONISTS = "MATCH (p:Person)-[:PARTY_TO]->(c:Crime WHERE c.type = 'Arson') RETURN p"
QUESTION = "Who took part in a Robbery, and who in Arson?"


async def test_the_query_whose_answers_are_right_is_believed(police: GraphConnection) -> None:
    model = ToldModel(ROBBERS, ARSONISTS)
    alone = await ask_graphraft(police, model, QUESTION)
    assert len(alone.answers) == 3
    ranked = await ask_graphraft(police, model, QUESTION, ranker=ToldJudge("bob"))
    assert list_names(ranked) == ["Bob"]
    assert list(ranked.params.values()) == ["Arson"]


async def test_answers_are_reordered_and_their_rows_with_them(police: GraphConnection) -> None:
    before = await ask_graphraft(police, ToldModel(ROBBERS), QUESTION)
    last = list_names(before)[-1]
    after = await ask_graphraft(
        police, ToldModel(ROBBERS), QUESTION, ranker=ToldJudge(last.lower())
    )
    assert list_names(after) == [last, *list_names(before)[:-1]]
    assert before.rows
    assert after.rows
    assert [row[0].name for row in after.rows.rows] == list_names(after)
    assert (after.rows.columns, after.cypher) == (before.rows.columns, before.cypher)


async def test_a_sorted_query_keeps_its_order(police: GraphConnection) -> None:
    by_age = "MATCH (p:Person) RETURN p ORDER BY p.age ASC LIMIT 3"
    before = await ask_graphraft(police, ToldModel(by_age), "Who are the youngest?")
    after = await ask_graphraft(
        police, ToldModel(by_age), "Who are the youngest?", ranker=ToldJudge("cleo", "bob")
    )
    assert list_names(after) == list_names(before)
    assert list_names(after)[:2] == ["Dan", "Ada"]


def verdict(*answers: tuple[str, list[int]]) -> str:
    listed = [{"name": name, "facts": facts} for name, facts in answers]
    return json.dumps({"answers": listed, "sentence": "There are 3 of them."})


async def reasoned(
    police: GraphConnection, model: ToldModel, text: str, answer: Answer
) -> tuple[Reply, str]:
    """The reply, and what the reasoner was shown."""
    with chat_server(answer) as server:
        async with AsyncOpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
            reasoner = HostedReasoner(ChatCompletions(client, "m", 60.0, REASONER))
            reply = await ask_graphraft(police, model, text, reasoner=reasoner)
            return reply, server.told(0)


def cites_ada(fact: str) -> Callable[[Messages], str]:
    """A reasoner that puts Ada first, and cites a fact that it is shown."""

    def review(messages: Messages) -> str:
        lines = messages[-1]["content"].splitlines()
        facts = [line for line in lines if line.startswith("[")]
        number = next(i for i, shown in enumerate(facts, 1) if fact in shown)
        return verdict(("Ada", [number]))

    return review


async def test_a_reasoner_words_and_orders_answers_from_numbered_facts(
    police: GraphConnection,
) -> None:
    """It is shown the rows' relationships, what is around each answer, and its properties."""
    before = await ask_graphraft(police, ToldModel(ROBBERS), QUESTION)
    reply, shown = await reasoned(
        police, ToldModel(ROBBERS), QUESTION, cites_ada("Ada -KNOWS-> Bob")
    )
    assert list_names(reply)[0] == "Ada"
    assert sorted(list_names(reply)) == sorted(list_names(before))
    assert (reply.wording, reply.confidence) == ("There are 3 of them.", before.confidence)
    assert reply.triples() == before.triples()
    assert "Ada -age-> 31" in shown
    assert reply.rows
    assert [row[0].name for row in reply.rows.rows] == list_names(reply)


async def test_a_count_is_worded_and_never_lost(police: GraphConnection) -> None:
    question = "How many crimes did Kim investigate?"
    said = json.dumps({"sentence": "Kim investigated two crimes."})
    reply, shown = await reasoned(police, ToldModel(HOW_MANY), question, scripted(said))
    assert (list_names(reply), reply.count) == (["2"], 2)
    assert reply.wording == "Kim investigated two crimes."
    assert "-gives-> 2" in shown
    assert len(reply.triples()) == 2


async def test_a_reasoner_that_finds_no_answer_takes_none_away(police: GraphConnection) -> None:
    reply, _ = await reasoned(
        police, ToldModel(KIM), "Which crimes did Kim investigate?", scripted(verdict())
    )
    assert (reply.abstained, len(reply.answers), reply.wording) == (False, 2, None)


async def test_a_reasoner_that_fails_leaves_the_answers_and_a_note(police: GraphConnection) -> None:
    broken = scripted(Response("", 500))
    reply, _ = await reasoned(police, ToldModel(ROBBERS), QUESTION, broken)
    assert len(reply.answers) == 3
    assert any("the reasoner failed" in note for note in reply.notes)


LISTED = "Which crimes did officer Kim investigate?"


@pytest.fixture(scope="module")
async def ranker(fill: GraphFiller, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that has learnt that such questions ask for lists, while the writer counts."""
    rows = [
        {"question": LISTED, "cypher": KIM},
        {"question": LISTED.replace("Kim", "Roy"), "cypher": KIM.replace("Kim", "Roy")},
    ]
    folder = tmp_path_factory.mktemp("ranked") / "ranker"
    await train_in(folder, await fill(POLICE), ["rank"], rows, ToldModel(HOW_MANY, KIM), steps=60)
    return folder


async def test_a_model_is_trained_that_tells_right_answers_from_wrong_ones(
    police: GraphConnection, ranker: Path
) -> None:
    card = read_card(ranker)
    taught = card.training["rank"]
    assert (list(card.tasks), taught["questions"], taught["ranked"]) == (["rank"], 2, 2)
    model = LocalModel.load(ranker, "cpu", ranker.parent / "cache")
    reply = await ask_graphraft(police, ToldModel(HOW_MANY, KIM), LISTED, ranker=model)
    assert reply.count is None
    assert len(reply.answers) == 2


async def test_what_a_hosted_decoder_writes_is_ranked_by_a_folder(
    police: GraphConnection, graph_settings: Settings, ranker: Path, tmp_path: Path
) -> None:
    """It prefers to count, too; how its readings align with the question says otherwise, and the
    folder says so more firmly."""
    assert police
    counting, listing = (query.replace("'Kim'", "$v0") for query in (HOW_MANY, KIM))
    with chat_server(lambda _: f"{counting}\n{listing}") as server:
        hosted = {"decoder_url": server.url, "decoder_model": "m", "device": "cpu"}
        own = {**hosted, "store_url": f"sqlite+aiosqlite:///{tmp_path}/s.db"}
        replies = []
        for model in (None, str(ranker)):
            settings = graph_settings.model_copy(update={**own, "model": model})
            async with assemble_app(settings) as opened:
                replies.append(await opened.answer(Question(LISTED), "graphraft"))
    alone, ranked = replies
    assert len(server.requests) >= 2
    assert sorted(list_names(ranked)) == sorted(list_names(alone))
    assert len(ranked.answers) == 2
    assert min(it.score for it in ranked.answers) > max(it.score for it in alone.answers)
    assert {t.relation for t in ranked.triples()} == {"INVESTIGATED_BY"}


async def test_equal_arguments_train_equal_models_from_answers_alone_too(
    police: GraphConnection, tmp_path: Path
) -> None:
    row = {"question": "Whose crime did Kim see?", "topics": ["Kim"], "answers": ["Ada", "Bob"]}
    folders, writer = (tmp_path / "a", tmp_path / "b"), ToldModel(HOW_MANY, KIM)
    first, second = [
        (await train_in(folder, police, ["rank"], [row], writer, steps=4)).card
        for folder in folders
    ]
    assert first == second
    assert first.training["rank"]["ranked"] == 1
    weights = {(folder / "model.safetensors").read_bytes() for folder in folders}
    assert len(weights) == 1
