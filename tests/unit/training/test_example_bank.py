"""What people said of answers is shown to general models first, and costs only itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory_app import MemoryGraph as AskedGraph
from memory_app import served
from memory_graph import CountingEmbedder, MemoryGraph
from trellis.domain.errors import StoreError
from trellis.domain.graphs.links import Mention
from trellis.domain.models.prompt import NamedMention, Prompt, PromptExample
from trellis.questions.judged import JudgedQuestions
from trellis.steps.link.link import link_mentions
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.steps.retrieve.queries.query_prompt import build_masked_query_prompt
from trellis.store.answers import Store
from trellis.store.migration import migrate_store
from trellis.training.example_bank import making
from trellis.training.example_bank.bank import GraphExampleBank
from unit.training.small_training import build_context

CAPITALS = [("france", "capital", "paris"), ("spain", "capital", "madrid")]
LANGUAGES = [("france", "language", "french"), ("spain", "language", "spanish")]
BORN = [("anna", "born_in", "paris"), ("bert", "born_in", "madrid")]
TRIPLES = [*CAPITALS, *LANGUAGES, *BORN]

ASKED = build_masked_path_prompt("seat of government of ENT1")
SEAT = "Seat of government of Spain?"


class Bank:
    """A bank over a small graph and a store, as a service has it."""

    def __init__(
        self, folder: Path, store: Store, triples: Sequence[tuple[str, str, str]] = TRIPLES
    ) -> None:
        graph, self.embedder = MemoryGraph.of(triples), CountingEmbedder()

        async def link(text: str, wording: Collection[str]) -> tuple[Mention, ...]:
            return await link_mentions(text, graph, None, wording)

        means = build_context(graph, folder, embedder=self.embedder, link_mentions=link)
        judged = JudgedQuestions(store).list_judged
        self._bank = GraphExampleBank(means, (), folder / "examples", list_judged=judged)

    async def show(self, asked: Prompt = ASKED, count: int = 3) -> list[str]:
        """The sentences of the examples that are shown, the nearest one first."""
        return ["".join(each.segments) for each in await self.find(asked, count)]

    async def find(self, asked: Prompt = ASKED, count: int = 3) -> Sequence[PromptExample]:
        self.embedder.texts = []
        return await self._bank.find_examples(asked, count)

    async def list_questions(self, asked: Prompt = ASKED) -> list[str]:
        return [each.prompt.question for each in await self.find(asked)]


@pytest.fixture
async def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(making, "MADE", 60)
    url = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    await migrate_store(url)
    opened = Store.at(url, "default")
    yield opened
    await opened.close()


@pytest.fixture
def bank(tmp_path: Path, store: Store) -> Bank:
    return Bank(tmp_path, store)


def build_body(candidate: str, topic: str, *answers: str, **more: Any) -> Mapping[str, Any]:
    """The kept answer of a model that said a path from a topic."""
    link = {"name": topic, "id": "some", "labels": [], "score": 1.0, "how": "exact"}
    return {
        "answers": [{"name": name, "id": name} for name in answers],
        "candidates": [{"text": candidate, "score": -0.1, "answers": len(answers)}],
        "mentions": [{"text": topic, "start": 0, "end": 1, "links": [link]}],
        **more,
    }


def build_query_body(cypher: str, **params: Any) -> Mapping[str, Any]:
    return {"answers": [{"name": "madrid", "id": "x"}], "cypher": cypher, "params": params}


async def judge(
    store: Store, question: str, body: Any, *expected: str, right: bool = True, id: str = "a"
) -> None:
    await store.save_answer(id, question, "gcr", 0.1, dict(body))
    await store.save_feedback(id, right, expected, "")


SPAIN = build_body(" ENT1 -> capital", "spain", "madrid")
LANGUAGE = build_body(" ENT1 -> language", "spain", "spanish")


async def test_an_answer_that_is_judged_right_is_the_next_example(store: Store, bank: Bank) -> None:
    assert len(await bank.show()) == 3
    assert len(bank.embedder.texts) > 20
    await judge(store, SEAT, SPAIN)
    [first, *_] = await bank.find()
    assert (first.prompt.question, first.segments) == (
        "seat of government of ENT1?",
        (" ENT1", " -> capital"),
    )


async def test_a_judgement_costs_only_itself(tmp_path: Path, store: Store, bank: Bank) -> None:
    await bank.show()
    [made] = (tmp_path / "examples").glob("path-*.json")
    written = made.stat().st_mtime_ns
    await judge(store, SEAT, SPAIN)
    await bank.show()
    assert bank.embedder.texts == ["seat of government of ENT1?", ASKED.question]
    await bank.show()
    assert bank.embedder.texts == [ASKED.question]
    assert made.stat().st_mtime_ns == written
    assert (await Bank(tmp_path, store).show())[0] == " ENT1 -> capital"
    assert made.stat().st_mtime_ns == written


async def test_the_last_judgement_of_a_question_counts(store: Store, bank: Bank) -> None:
    await judge(store, SEAT, LANGUAGE)
    assert (await bank.show())[0] == " ENT1 -> language"
    await judge(store, SEAT.lower(), LANGUAGE, "madrid", right=False, id="b")
    assert (await bank.show())[0] == " ENT1 -> capital"
    await judge(store, SEAT, LANGUAGE, right=False, id="c")
    assert "seat of government of ENT1?" not in await bank.list_questions()


async def test_a_judgement_is_forgotten_with_its_answer(store: Store, bank: Bank) -> None:
    await judge(store, SEAT, LANGUAGE)
    assert (await bank.show())[0] == " ENT1 -> language"
    await store.delete_answers("", id="a")
    assert "seat of government of ENT1?" not in await bank.list_questions()
    await judge(store, SEAT, SPAIN, id="b")  # its number is that of the deleted one, in SQLite
    assert (await bank.show())[0] == " ENT1 -> capital"


@pytest.mark.parametrize(
    "body",
    [
        build_body(" ENT1 -> capital", "spain", "madrid", abstained=True, answers=[]),
        build_body(" ENT1 -> governs", "spain", "madrid"),
        build_body(" ENT1 -> capital", "atlantis", "poseidonis"),
        build_body(" ENT7 -> capital", "spain"),
        {"claim": "Madrid is in Spain.", "verdict": "supported"},
        {"answers": None, "candidates": 3},
        {"answers": [{}], "mentions": [{}]},
    ],
)
async def test_what_tells_nothing_of_this_graph_is_no_example(
    store: Store, bank: Bank, body: Mapping[str, Any]
) -> None:
    await judge(store, SEAT, body)
    found = await bank.list_questions()
    assert len(found) == 3
    assert "seat of government of ENT1?" not in found


@pytest.mark.slow
async def test_a_kept_query_is_an_example_while_the_schema_has_it(
    tmp_path: Path, store: Store, bank: Bank
) -> None:
    kept = "MATCH (x0:`Entity`)<-[:`capital`]-(x1:`Entity` WHERE x1.`name` = $v0)\nRETURN x0"
    await judge(store, SEAT, build_query_body(kept, v0="spain"))
    asked = build_masked_query_prompt("seat of government of v0 (entity name) ?")
    [first, *_] = await bank.find(asked)
    assert first.prompt.question == asked.question
    assert first.prompt.mentions == (NamedMention("v0", "Spain", ("entity name",)),)
    assert "".join(first.segments) == " list entity capital <- entity name v0"
    assert (await bank.show())[0] == " ENT1 -> capital"
    without_capitals = Bank(tmp_path, store, [*LANGUAGES, *BORN])
    assert asked.question not in await without_capitals.list_questions(asked)


async def test_many_judgements_are_read_a_few_at_a_time(store: Store, bank: Bank) -> None:
    for at in range(20):
        await judge(store, f"{SEAT} {at}", SPAIN, id=str(at))

    async def count_read() -> int:
        await bank.find()
        return sum(text.startswith("seat of government of ENT1?") for text in bank.embedder.texts)

    assert [await count_read() for _ in range(3)] == [16, 4, 0]


async def test_a_store_that_fails_leaves_what_is_known(
    tmp_path: Path, store: Store, bank: Bank
) -> None:
    await judge(store, SEAT, SPAIN)
    await bank.show()
    with sqlite3.connect(tmp_path / "answers.db") as database:
        database.execute("DROP TABLE feedback")
    with pytest.raises(StoreError):
        await store.list_feedback_keys(9)
    assert (await bank.show())[0] == " ENT1 -> capital"


async def test_what_a_judged_answer_was_read_from_is_kept_in_its_row(tmp_path: Path) -> None:
    async with served(tmp_path, AskedGraph()) as client:
        asked = {"question": "What is the capital of France?"}
        id = (await client.post("/v1/questions", json=asked)).json()["id"]
        await client.post(f"/v1/answers/{id}/feedback", json={"right": True})
    opened = Store.at(f"sqlite+aiosqlite:///{tmp_path}/answers.db", "default")
    [judged] = await JudgedQuestions(opened).list_judged()
    row = judged.row
    await opened.close()
    assert (row.question, row.answers) == (asked["question"], ("Paris",))
    [path] = row.paths
    assert (path.topic, [str(step) for step in path.steps]) == ("France", ["HAS_CAPITAL"])
