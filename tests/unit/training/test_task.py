"""Training from end to end on a small graph: a folder that the local engine answers with."""

from __future__ import annotations

from pathlib import Path

import pytest
from trellis.steps.shared.prompt import path_prompt

from memory_graph import MemoryGraph, TrigramEmbedder
from trellis.domain.decoding import Search
from trellis.domain.errors import EmptyGraphError, InputError, TrainingError
from trellis.domain.links import Mention
from trellis.engines.local import LocalModel
from trellis.models.folder import read_card
from trellis.steps.paths.retrieve_trie import retrieve_trie
from trellis.steps.shared.link import given
from trellis.training.tasks import path as task
from trellis.training.tasks.path import Options, Outcome, train_path
from unit.training.family import ASKED, PEOPLE, graph, rows, write

EMBEDDER = TrigramEmbedder()


async def nothing(_: str, __: object) -> tuple[Mention, ...]:
    """A linker that finds nothing: the topics' own places stand in."""
    return ()


async def trained(options: Options, memory: MemoryGraph | None = None) -> Outcome:
    memory = memory or graph()
    return await train_path(memory, EMBEDDER, nothing, options, options.out.parent / "cache")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """No questions made beside those given: the test is of the ones given."""
    monkeypatch.setattr(task, "FEW", 0)


@pytest.mark.parametrize("paths", [True, False])
@pytest.mark.usefixtures("few")
async def test_questions_with_paths_or_with_answers_alone(tmp_path: Path, paths: bool) -> None:
    file = write(tmp_path / "q.jsonl", rows(paths))
    outcome = await trained(Options(tmp_path / "model", (file,), base="mini", steps=120))
    assert outcome.card == read_card(tmp_path / "model")
    assert (outcome.card.hops, outcome.card.meets) == (2, False)
    assert {"religion", "father"} <= set(outcome.card.wording)
    text, path = ASKED[3]
    assert await said(tmp_path / "model", text, PEOPLE[2]) == path


async def test_few_questions_are_helped_by_made_ones(tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", rows())
    outcome = await trained(Options(tmp_path / "model", (file,), base="mini", steps=2))
    assert outcome.card.training["gold_paths"] == len(rows())
    assert outcome.card.training["made"] == task.FEW


async def test_the_graph_alone_is_enough_to_train(tmp_path: Path) -> None:
    outcome = await trained(Options(tmp_path / "model", base="mini", steps=2, limit=60))
    assert outcome.examples == 60
    assert read_card(tmp_path / "model").training["paths"]


async def test_questions_about_another_graph_teach_nothing(tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", [{"question": "who is zorg?", "topics": ["zorg"]}])
    with pytest.raises(TrainingError, match="none of 1"):
        await trained(Options(tmp_path / "model", (file,)))


async def test_an_empty_graph_is_said_to_be_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyGraphError):
        await trained(Options(tmp_path / "model"), MemoryGraph([], []))


async def test_a_folder_of_something_else_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_bytes(b"x")
    with pytest.raises(InputError):
        await trained(Options(tmp_path / "photos"))


async def said(folder: Path, text: str, topic: str) -> tuple[str, ...]:
    """The relations that the model thinks a question about `topic` asks for."""
    memory, question = graph(), text.format(topic)
    mentions = await given(question, [topic], memory)
    model = LocalModel.load(folder, "cpu", folder)
    trie = await retrieve_trie(memory, mentions, model.card, 1000)
    [[best, *_]] = model.decode_now([path_prompt(question, mentions)], [trie], Search(width=4))
    return tuple(best.values[0].relations()[0])
