"""What the tests ask of decoding workers: a KG-Trie of a few cities, and an engine over them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import chain
from math import isclose
from typing import Any

from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.domain.models.decoding import Sentence, Support
from trellis.engines.workers.worker import WorkerModel
from trellis.settings import BUNDLED_MODEL
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt

Answers = Sequence[Sequence[Sentence]]

PROMPT = build_masked_path_prompt("what is the capital of ENT1?")
TRIPLES = (
    *((0, "HAS_CAPITAL", 1), (0, "PART_OF", 2), (3, "FLOWS_IN", 0), (3, "FLOWS_BY", 1)),
    *((4, "BORDERS", 0), (4, "HAS_CAPITAL", 5), (4, "PART_OF", 2)),
)
NAMES = ("France", "Paris", "Europe", "Seine", "Spain", "Madrid")
TOKENIZER = (BUNDLED_MODEL / "tokenizer.json").read_text("utf-8")


def walks(**more: Any) -> Walks:
    hood = cut_neighbourhood(
        build_adjacency([f"4:{name}" for name in NAMES], NAMES, TRIPLES), [0, 4], 2
    )
    starts = [Start(" ENT1", (0,)), Start(" ENT2", (1,), 1)]
    return Walks(hood, more.pop("starts", starts), **{"hops": 2, **more})


@asynccontextmanager
async def asking(*urls: str, **more: Any) -> AsyncIterator[WorkerModel]:
    """The engine over the workers at some addresses."""
    model = await WorkerModel.connect(",".join(urls), **more)
    try:
        yield model
    finally:
        await model.close()


def same_answers(one: Answers, other: Answers) -> bool:
    """Equal sentences in equal order, their scores and support but for what rounding may do."""
    pairs = list(zip(chain(*one), chain(*other), strict=True))
    return (
        [len(found) for found in one] == [len(found) for found in other]
        and all(replace(a, score=b.score, support=b.support) == b for a, b in pairs)
        and all(isclose(*both, abs_tol=1e-5) for a, b in pairs for both in measures(a, b))
    )


def measures(one: Sentence, other: Sentence) -> list[tuple[float, float]]:
    """The numbers that a model gives two sentences, side by side."""
    a, b = one.support or Support(), other.support or Support()
    return [(one.score, other.score), (a.total, b.total), (a.least, b.least)]
