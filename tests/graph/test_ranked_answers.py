"""Answers of queries, ranked by a second model or picked by a hosted reasoner, on real Neo4j."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from fastapi import Response
from openai import AsyncOpenAI

from chat_server import Answer, Messages, chat_server, scripted
from graph.police import HOW_MANY, KIM, ToldModel
from graph.trained import training_means
from judging_models import ToldJudge
from trellis.domain.decoding import Search
from trellis.domain.ports import LanguageModel, Reasoner
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.engines.completions import REASONER, ChatCompletions
from trellis.engines.local import LocalModel
from trellis.engines.reasoner import HostedReasoner
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.models.folder import read_card
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import Settings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.options import TrainingOptions
from trellis.training.runner import train_tasks
from trellis.wiring import assemble_app

ROBBERS = "MATCH (p:Person)-[:PARTY_TO]->(c:Crime WHERE c.type = 'Robbery') RETURN p"
ARSONISTS = "MATCH (p:Person)-[:PARTY_TO]->(c:Crime WHERE c.type = 'Arson') RETURN p"
QUESTION = "Who took part in a Robbery, and who in Arson?"


async def asked(
    connection: GraphConnection,
    model: ToldModel,
    text: str,
    ranker: LanguageModel | None = None,
    reasoner: Reasoner | None = None,
) -> Reply:
    graph, queries = Neo4jGraph(connection), Neo4jQueries(connection, Limits())
    raft = GraphRaft(
        graph,
        queries,
        model,
        CypherSettings(),
        ranker=ranker,
        reasoner=reasoner,
        search=Search(width=5),
    )
    return await raft.answer(Question(text))


def names(reply: Reply) -> list[str]:
    return [answer.node.name for answer in reply.answers]


async def test_the_query_whose_answers_are_right_is_believed(police: GraphConnection) -> None:
    model = ToldModel(ROBBERS, ARSONISTS)
    alone = await asked(police, model, QUESTION)
    assert len(alone.answers) == 3
    ranked = await asked(police, model, QUESTION, ToldJudge("bob"))
    assert names(ranked) == ["Bob"]
    assert list(ranked.params.values()) == ["Arson"]


async def test_answers_are_reordered_and_their_rows_with_them(police: GraphConnection) -> None:
    before = await asked(police, ToldModel(ROBBERS), QUESTION)
    last = names(before)[-1]
    after = await asked(police, ToldModel(ROBBERS), QUESTION, ToldJudge(last.lower()))
    assert names(after) == [last, *names(before)[:-1]]
    assert before.rows
    assert after.rows
    assert [row[0].name for row in after.rows.rows] == names(after)
    assert (after.rows.columns, after.cypher) == (before.rows.columns, before.cypher)


async def test_a_sorted_query_keeps_its_order(police: GraphConnection) -> None:
    by_age = "MATCH (p:Person) RETURN p ORDER BY p.age ASC LIMIT 3"
    before = await asked(police, ToldModel(by_age), "Who are the youngest?")
    after = await asked(
        police, ToldModel(by_age), "Who are the youngest?", ToldJudge("cleo", "bob")
    )
    assert names(after) == names(before)
    assert names(after)[:2] == ["Dan", "Ada"]


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
            reply = await asked(police, model, text, reasoner=reasoner)
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
    before = await asked(police, ToldModel(ROBBERS), QUESTION)
    reply, shown = await reasoned(
        police, ToldModel(ROBBERS), QUESTION, cites_ada("Ada -KNOWS-> Bob")
    )
    assert names(reply)[0] == "Ada"
    assert sorted(names(reply)) == sorted(names(before))
    assert (reply.wording, reply.confidence) == ("There are 3 of them.", before.confidence)
    assert reply.triples() == before.triples()
    assert "Ada -age-> 31" in shown
    assert reply.rows
    assert [row[0].name for row in reply.rows.rows] == names(reply)


async def test_a_count_is_worded_and_never_lost(police: GraphConnection) -> None:
    question = "How many crimes did Kim investigate?"
    said = json.dumps({"sentence": "Kim investigated two crimes."})
    reply, shown = await reasoned(police, ToldModel(HOW_MANY), question, scripted(said))
    assert (names(reply), reply.count) == (["2"], 2)
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


async def trained(
    connection: GraphConnection, folder: Path, files: tuple[Path, ...], steps: int
) -> LocalModel:
    means = training_means(connection, folder, writer=ToldModel(HOW_MANY, KIM))
    await train_tasks(["rank"], means, TrainingOptions(folder, files, steps=steps))
    return LocalModel.load(folder, "cpu", folder.parent / "cache")


LISTED = "Which crimes did officer Kim investigate?"


async def trained_on_lists(police: GraphConnection, folder: Path) -> LocalModel:
    """A ranking model in `folder` / "ranker" that has learnt that such questions ask for lists."""
    rows = [
        {"question": LISTED, "cypher": KIM},
        {"question": LISTED.replace("Kim", "Roy"), "cypher": KIM.replace("Kim", "Roy")},
    ]
    file = folder / "q.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return await trained(police, folder / "ranker", (file,), 60)


async def test_a_model_is_trained_that_tells_right_answers_from_wrong_ones(
    police: GraphConnection, tmp_path: Path
) -> None:
    """The writer prefers to count; what it is asked for is a list."""
    ranker = await trained_on_lists(police, tmp_path)
    card = read_card(tmp_path / "ranker")
    taught = card.training["rank"]
    assert (list(card.tasks), taught["questions"], taught["ranked"]) == (["rank"], 2, 2)
    reply = await asked(police, ToldModel(HOW_MANY, KIM), LISTED, ranker)
    assert reply.count is None
    assert len(reply.answers) == 2


async def test_what_a_hosted_decoder_writes_is_ranked_by_a_folder(
    police: GraphConnection, graph_settings: Settings, tmp_path: Path
) -> None:
    """It prefers to count, too; how its readings align with the question says otherwise, and the
    folder says so more firmly."""
    await trained_on_lists(police, tmp_path)
    counting, listing = (query.replace("'Kim'", "$v0") for query in (HOW_MANY, KIM))
    with chat_server(lambda _: f"{counting}\n{listing}") as server:
        hosted = {"decoder_url": server.url, "decoder_model": "m", "device": "cpu"}
        own = {**hosted, "store_url": f"sqlite+aiosqlite:///{tmp_path}/s.db"}
        replies = []
        for model in (None, str(tmp_path / "ranker")):
            settings = graph_settings.model_copy(update={**own, "model": model})
            async with assemble_app(settings) as opened:
                replies.append(await opened.answer(Question(LISTED), "graphraft"))
    alone, ranked = replies
    assert len(server.requests) >= 2
    assert names(ranked) == names(alone)
    assert len(ranked.answers) == 2
    assert min(it.score for it in ranked.answers) > max(it.score for it in alone.answers)
    assert {t.relation for t in ranked.triples()} == {"INVESTIGATED_BY"}


async def test_equal_arguments_train_equal_models_from_answers_alone_too(
    police: GraphConnection, tmp_path: Path
) -> None:
    row = {"question": "Whose crime did Kim see?", "topics": ["Kim"], "answers": ["Ada", "Bob"]}
    file = tmp_path / "q.jsonl"
    file.write_text(json.dumps(row), "utf-8")
    first, second = [await trained(police, tmp_path / name, (file,), 4) for name in ("a", "b")]
    assert first.card == second.card
    assert first.card.training["rank"]["ranked"] == 1
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("a", "b")]
    assert weights[0] == weights[1]
