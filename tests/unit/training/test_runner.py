"""Training from end to end on a small graph: a folder that the local engine answers with."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

from memory_graph import MemoryGraph
from trellis.domain.errors import EmptyGraphError, InputError, TrainingError, UnknownTaskError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.models.card import TaskSettings
from trellis.domain.models.decoding import Search
from trellis.engines.local import LocalModel
from trellis.models.folder import read_card
from trellis.steps.link.link import link_topics
from trellis.steps.retrieve.paths.path_prompt import build_path_prompt
from trellis.steps.retrieve.paths.retrieve_trie import retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.training import registry
from trellis.training.contract import LessonRequest, TaskFigures, TrainedModel, TrainingTask
from trellis.training.options import TrainingOptions
from trellis.training.registry import find_tasks
from trellis.training.tasks import path_examples
from unit.training.family import ASKED, PEOPLE, graph, rows, write
from unit.training.small_training import train


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """One question made beside those given: the test is of the ones given."""
    monkeypatch.setattr(path_examples, "_MADE", 1)
    monkeypatch.setattr(path_examples, "_MOST_MADE", 1)


@pytest.mark.slow
@pytest.mark.parametrize("paths", [True, False])
@pytest.mark.usefixtures("few")
async def test_questions_with_paths_or_with_answers_alone(tmp_path: Path, paths: bool) -> None:
    file = write(tmp_path / "q.jsonl", rows(paths))
    outcome = await train(TrainingOptions(tmp_path / "model", (file,), base="mini", steps=120))
    assert outcome.card == read_card(tmp_path / "model")
    settings = outcome.card.settings(PathSettings)
    assert (settings.hops, settings.meets) == (3, False)  # what is made goes one hop further
    assert {"religion", "father"} <= set(settings.wording)
    text, path = ASKED[3]
    assert await said(tmp_path / "model", text, PEOPLE[2]) == path


@pytest.mark.slow
async def test_few_questions_are_helped_by_made_ones(tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", rows())
    outcome = await train(TrainingOptions(tmp_path / "model", (file,), base="mini", steps=2))
    assert outcome.card.training["path"]["gold_paths"] == len(rows())
    assert outcome.card.training["path"]["made"] == 4_000


async def test_the_graph_alone_is_enough_to_train(tmp_path: Path) -> None:
    outcome = await train(TrainingOptions(tmp_path / "model", base="mini", steps=2, limit=60))
    assert outcome.examples == 60
    card = read_card(tmp_path / "model")
    assert card.training["path"]["paths"]
    assert set(card.schema_names) == (await graph().schema()).names
    assert card.fits_schema(card.schema_names)
    assert not card.fits_schema({"Film", "Actor"})


async def test_questions_about_another_graph_teach_nothing(tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", [{"question": "who is zorg?", "topics": ["zorg"]}])
    with pytest.raises(TrainingError, match="none of 1"):
        await train(TrainingOptions(tmp_path / "model", (file,)))


async def test_an_empty_graph_is_said_to_be_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyGraphError):
        await train(TrainingOptions(tmp_path / "model"), graph=MemoryGraph([], []))


async def test_a_folder_of_something_else_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_bytes(b"x")
    with pytest.raises(InputError):
        await train(TrainingOptions(tmp_path / "photos"))


@dataclass(frozen=True, slots=True)
class CountSettings(TaskSettings):
    """Of a task whose model is no language model."""

    task: ClassVar[str] = "count"

    relations: int = 0


@dataclass(frozen=True, slots=True)
class CountLesson:
    settings: CountSettings
    size: int
    source: Mapping[str, Scalar] = field(default_factory=dict)


def write_counts(lessons: Sequence[CountLesson], *_: object) -> TrainedModel:
    """Train a kind of model that writes down what its lessons' settings say."""
    counts = [lesson.settings.relations for lesson in lessons]

    def save(folder: Path) -> None:
        (folder / "counts.json").write_text(repr(counts))

    return TrainedModel({"count": TaskFigures(steps=1, loss=0.5)}, save)


async def count_relations(request: LessonRequest) -> CountLesson:
    relations = len(request.schema.relationships)
    return CountLesson(CountSettings(relations), relations, {"seen": relations})


async def test_a_folder_holds_models_of_two_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = TrainingTask(CountSettings, write_counts, count_relations)
    monkeypatch.setitem(registry.TRAINING_TASKS, "count", counting)
    options = TrainingOptions(tmp_path / "model", base="mini", steps=2, limit=20)
    outcome = await train(options, "path", "count")
    card = read_card(tmp_path / "model")
    assert (card, card.base, card.settings(CountSettings).relations) == (outcome.card, "mini", 3)
    assert card.training["count"] == {"seen": 3, "examples": 3, "steps": 1, "seed": 0, "loss": 0.5}
    assert (card.training["path"]["steps"], outcome.examples) == (2, 23)
    assert (tmp_path / "model" / "counts.json").read_text() == "[3]"
    assert LocalModel.load(tmp_path / "model", "cpu", tmp_path).card == card


OTHERS = ["pattern", "chain", "assertion", "schema_graph", "guidance"]


@pytest.mark.parametrize(
    ("names", "has_questions", "found"),
    [
        (["cypher", "path", "cypher"], True, ["cypher", "path"]),
        (["chain"], False, ["chain"]),
        (["all"], True, ["path", "cypher", "rank", *OTHERS]),
        (["all"], False, ["path", "cypher", *OTHERS]),
    ],
)
def test_tasks_are_found_by_name_once_each(
    names: list[str], has_questions: bool, found: list[str]
) -> None:
    tasks = find_tasks(names, has_questions=has_questions)
    assert [task.name for task in tasks] == found


@pytest.mark.parametrize("names", [[], ["path", "zorg"]])
def test_an_unknown_task_is_told_which_there_are(names: list[str]) -> None:
    with pytest.raises(UnknownTaskError, match="path, cypher, rank"):
        find_tasks(names, has_questions=True)


async def test_what_the_graph_alone_does_not_teach_wants_questions(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="'rank'"):
        await train(TrainingOptions(tmp_path / "model"), "rank")


def test_the_registry_loads_without_torch() -> None:
    code = "import sys, trellis.training.registry; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


async def said(folder: Path, text: str, topic: str) -> tuple[str, ...]:
    """The relations that the model thinks a question about `topic` asks for."""
    memory, question = graph(), text.format(topic)
    mentions = await link_topics(question, [topic], memory)
    model = LocalModel.load(folder, "cpu", folder)
    trie = await retrieve_trie(memory, mentions, model.card.settings(PathSettings), 1000)
    [[best, *_]] = model.decode_now(
        [build_path_prompt(question, mentions)], [trie], Search(width=4)
    )
    return tuple(best.values[0].relations()[0])
