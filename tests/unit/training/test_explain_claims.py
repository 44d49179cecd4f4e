"""Claims are explained one by one; one that asks too much of the graph costs no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from memory_app import GroundingQueries, LetterEmbedder, MemoryGraph
from trellis.domain.errors import GraphTimeoutError
from trellis.domain.graphs.graph import Node
from trellis.lexicon.phrasebook import Phrasebook
from trellis.questions.row import QuestionRow
from trellis.training.supervision.claims.explain_claims import explain_claims
from unit.training.small_training import build_context


class SlowGraph(MemoryGraph):
    """A graph that never gets to Germany."""

    async def find_by_key(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        if "germany" in keys:
            raise GraphTimeoutError("too slow", "wait")
        return await super().find_by_key(keys)


async def explain(graph: MemoryGraph) -> tuple[dict[str, object], list[str]]:
    told: list[str] = []

    def report(_: str, done: int, total: int | None, note: str = "") -> None:
        told.append(f"{done}/{total} {note}".strip())

    parts = {"queries": GroundingQueries(graph), "embedder": LetterEmbedder(), "report": report}
    context = build_context(graph, Path(), **parts)
    claims = [
        QuestionRow(id=capital, claim=f"The capital of {country} is {capital}.", label="supported")
        for country, capital in (("France", "Paris"), ("Germany", "Berlin"))
    ]
    lesson = await explain_claims(claims, await graph.schema(), context, Phrasebook.load())
    return dict(lesson.source), told


async def test_a_claim_that_takes_too_long_is_left_out_and_told() -> None:
    source, told = await explain(SlowGraph())
    assert source == {"claims": 2, "claims_explained": 1, "claims_too_slow": 1}
    assert told[-1] == "2/2 1 took too long"


async def test_without_such_claims_nothing_is_told_of_them() -> None:
    source, told = await explain(MemoryGraph())
    assert source == {"claims": 2, "claims_explained": 2}
    assert told[-1] == "2/2"
