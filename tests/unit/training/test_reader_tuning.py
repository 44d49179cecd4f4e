"""A reader that is moved for one graph: by what it learns there, and never to something worse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trellis.domain.errors import TrainingError
from trellis.domain.graphs.links import Link, Mention
from trellis.engines.reader import ReaderModel
from trellis.models.folder import read_card
from trellis.models.reader.folder import is_reader
from trellis.training.graphs import TaughtGraph
from trellis.training.options import TrainingOptions, TrainingOutcome
from trellis.training.runner import train_on_graphs
from unit.training.family import graph, rows, write
from unit.training.small_training import build_context


def test_a_run_stays_with_what_it_began_to_train(tmp_path: Path) -> None:
    weights = tmp_path / "base" / "reader.safetensors"
    weights.parent.mkdir()
    weights.touch()
    options = TrainingOptions(tmp_path / "out", base=str(weights.parent))
    assert options.moves_reader
    weights.unlink()
    assert options.moves_reader
    assert options.general_base is None


async def link_names(text: str, _: object) -> tuple[Mention, ...]:
    """Names that are said as they are."""
    nodes = [node for node in graph().nodes if node.name in text]
    places = [(text.index(node.name), node) for node in nodes]
    return tuple(
        Mention(at, at + len(node.name), node.name, (Link(node, 1.0, "exact"),))
        for at, node in places
    )


async def move_reader(
    out: Path, tasks: list[str], *files: Path, graphs: int = 1, **changes: Any
) -> TrainingOutcome:
    context = build_context(graph(), out.parent / "cache", link_mentions=link_names)
    taught = [TaughtGraph(str(at), context, files) for at in range(graphs)]
    options = TrainingOptions(out, **{"base": "reader", "steps": 4, "limit": 30, **changes})
    return await train_on_graphs(tasks, taught, options)


@pytest.mark.slow
async def test_a_reader_is_moved_for_a_graph(tmp_path: Path) -> None:
    out, questions = tmp_path / "model", write(tmp_path / "questions.jsonl", rows())
    outcome = await move_reader(out, ["all"], questions)
    assert is_reader(out)
    card = read_card(out)
    assert card == outcome.card
    assert set(card.schema_names) == (await graph().schema()).names
    assert card.is_general  # rules for models that were trained from nothing do not touch it
    learnt = card.training["path"]
    assert learnt == card.training["cypher"]
    assert learnt["paths"] == len(rows())
    assert learnt["steps"] in (0, 4)
    assert ReaderModel.load(out).card == card
    again = await move_reader(tmp_path / "again", ["path"], questions, base=str(out))
    assert again.card.training["path"]["loss_before"] == pytest.approx(learnt["loss"], abs=0.01)


@pytest.mark.slow
async def test_a_reader_stays_where_learning_makes_it_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trellis.training.reader.tune._SHARE", 1e5)
    questions = write(tmp_path / "questions.jsonl", rows())
    outcome = await move_reader(tmp_path / "model", ["path"], questions)
    learnt = outcome.card.training["path"]
    assert learnt["steps"] == 0
    assert learnt["loss"] == learnt["loss_before"]


async def test_what_a_reader_cannot_learn_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "model"
    with pytest.raises(TrainingError, match="a reader learns no task 'chain'"):
        await move_reader(out, ["path", "chain"])
    with pytest.raises(TrainingError, match="several graphs"):
        await move_reader(out, ["path"], graphs=2)
    with pytest.raises(TrainingError, match="learns nothing from this one alone"):
        await move_reader(out, ["path"])
    questions = write(tmp_path / "questions.jsonl", [{"id": "1", "question": "who is it?"}])
    with pytest.raises(TrainingError, match="none of 1 questions has a query or a path"):
        await move_reader(out, ["path"], questions)
    assert not out.exists()
