"""People say what would have been right, a model is trained on that, and the answers are right."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import httpx
import pytest

from memory_app import LetterEmbedder, served
from memory_graph import MemoryGraph
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import LanguageModel
from trellis.engines.local import LocalModel
from trellis.evaluation.comparison import compare_reports
from trellis.evaluation.report import Report
from trellis.questions.feedback import list_feedback_rows, write_rows
from trellis.questions.reading import read_questions
from trellis.steps.link.link import link_mentions
from trellis.store.answers import Store
from trellis.training.options import TrainingOptions
from trellis.training.tasks import path_examples
from unit.training import small_training
from unit.training.family import PEOPLE, answers, triples, write

QUESTION = "which sprog does {} have ?"
MEANT = ("^parents",)


class Family(MemoryGraph):
    """The family, as an app opens it."""

    async def check(self) -> None:
        """It can always be asked."""


def build_family() -> Family:
    plain = MemoryGraph.of(triples())
    return Family(plain.nodes, plain.triples, LetterEmbedder())


async def train(folder: Path, steps: int, *questions: Path) -> Path:
    family = build_family()

    async def link(text: str, wording: Collection[str]) -> tuple[Mention, ...]:
        return await link_mentions(text, family, None, wording)

    options = TrainingOptions(folder, questions, base="mini", steps=steps)
    await small_training.train(options, graph=family, embedder=LetterEmbedder(), link_mentions=link)
    return folder


def load_model(folder: Path) -> Callable[[], LanguageModel]:
    return lambda: LocalModel.load(folder, "cpu", folder.parent)


async def ask_all(client: httpx.AsyncClient) -> tuple[Report, list[str]]:
    """The answers to the question about everybody, as a report, and their ids."""
    entries, ids = [], []
    for person in PEOPLE:
        asked = {"question": QUESTION.format(person)}
        body = (await client.post("/v1/questions", json=asked)).json()
        entries.append({"id": person, "answers": [answer["name"] for answer in body["answers"]]})
        ids.append(body["id"])
    return {"method": "gcr", "questions": entries}, ids


@pytest.mark.slow
async def test_training_on_feedback_mends_what_was_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_examples, "_MADE", 1)  # it is the feedback that has to teach
    monkeypatch.setattr(path_examples, "_MOST_MADE", 60)
    before = await train(tmp_path / "before", 20)
    async with served(tmp_path, build_family(), load_model(before)) as client:
        old, ids = await ask_all(client)
        for person, id in [*zip(PEOPLE, ids, strict=True)][:-1]:  # of the last one nobody speaks
            said = {"right": False, "expected": answers(person, MEANT)}
            await client.post(f"/v1/answers/{id}/feedback", json=said)
    store = Store.at(f"sqlite+aiosqlite:///{tmp_path}/answers.db", "default")
    exported = list_feedback_rows([it async for it in store.iterate_feedback()], "training")
    await store.close()
    write_rows(exported.rows, tmp_path / "feedback.jsonl")
    after = await train(tmp_path / "after", 120, tmp_path / "feedback.jsonl")
    async with served(tmp_path, build_family(), load_model(after)) as client:
        new, _ = await ask_all(client)
    gold = [{"id": p, "question": QUESTION.format(p), "answers": answers(p, MEANT)} for p in PEOPLE]
    changes = compare_reports(read_questions([write(tmp_path / "gold.jsonl", gold)]), old, new)
    assert (changes.compared, changes.worse) == (len(PEOPLE), ())
    assert {it.id for it in changes.better} == {*PEOPLE}, changes
