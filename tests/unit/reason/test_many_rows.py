"""What works through many rows does so in a thread, so that other questions go on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TypeVar

import pytest

from memory_graph import MemoryGraph
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import PathQuery, RelationPath, Revisit, Step
from trellis.domain.graphs.schema import Schema
from trellis.domain.limits.many_rows import FEW_ROWS, work_through_rows
from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import Finding
from trellis.domain.structures.cypher import Rows
from trellis.steps.conclude.reason import Vote
from trellis.steps.ground.ground_paths import ground_paths
from trellis.steps.ground.queries.answer_cells import list_answers

T = TypeVar("T")


class WatchedRows(tuple[T, ...]):
    """Rows that note in which threads somebody goes through them."""

    threads: set[int]

    def __new__(cls, rows: tuple[T, ...]) -> WatchedRows[T]:
        made = super().__new__(cls, rows)
        made.threads = set()
        return made

    def __iter__(self) -> Iterator[T]:
        self.threads.add(threading.get_ident())
        return super().__iter__()


def make_hub(people: int) -> MemoryGraph:
    """A town in which so many people live."""
    return MemoryGraph.of([(f"Person {n}", "LIVES_IN", "Lindau") for n in range(people)])


async def find_people(people: int) -> Finding:
    graph = make_hub(people)
    [town] = (await graph.find_by_key(["lindau"]))["lindau"]
    path = RelationPath((town.id,), (Step("LIVES_IN", reversed=True),))
    sentence = Sentence(" ENT1 <- LIVES_IN", (), (PathQuery((path,)),), -0.1, 1)
    revisit: Revisit = "simple"
    [finding] = await ground_paths(graph, [sentence], revisit, people)
    return finding


@pytest.mark.parametrize(("people", "is_beside"), [(5, False), (2 * FEW_ROWS, True)])
async def test_votes_over_many_nodes_are_counted_beside_the_event_loop(
    people: int, is_beside: bool
) -> None:
    finding = await find_people(people)
    evidence = WatchedRows[Fact](tuple(fact for node in finding.nodes for fact in node.facts))
    judgement = await Vote().judge([finding], evidence)
    assert len(judgement.answers) == people
    assert evidence.threads
    assert (threading.get_ident() not in evidence.threads) == is_beside


@pytest.mark.parametrize(("rows", "is_beside"), [(FEW_ROWS, False), (FEW_ROWS + 1, True)])
async def test_many_rows_are_worked_through_in_a_thread(rows: int, is_beside: bool) -> None:
    thread = await work_through_rows(rows, threading.get_ident)
    assert (thread != threading.get_ident()) == is_beside


def test_answers_behind_a_limit_are_not_looked_at() -> None:
    rows = Rows(("name",), [("Ada",), (None,), ("Ben",), (UnreadCell(),)])  # type: ignore[list-item]
    schema = Schema((), (), 0, 0, "")
    assert [node.name for node in list_answers(rows, schema, 2)] == ["Ada", "Ben"]


class UnreadCell:
    """A cell that nobody may read."""

    def __str__(self) -> str:
        raise AssertionError
