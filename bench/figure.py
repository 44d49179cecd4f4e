"""One line of the benchmark's table."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured; `reference` and `ratio` (reference by ours) are empty if there is nothing
    to compare with."""

    name: str
    ours: str
    reference: str = ""
    ratio: str = ""


def compare_seconds(name: str, seconds: Sequence[float], reference: Sequence[float] = ()) -> Figure:
    """A figure of one or more times: mean and worst beside the reference's, with their ratios."""
    ours = (mean(seconds), max(seconds))[: min(2, len(seconds))]
    ratios = (f"{there / here:,.0f}" for here, there in zip(ours, reference, strict=False))
    return Figure(name, format_seconds(ours), format_seconds(reference), ", ".join(ratios))


def format_seconds(seconds: Sequence[float]) -> str:
    """Seconds as text: the mean, and the worst if it is given."""
    return ", worst ".join(f"{1000 * s:.2f} ms" if s < 1 else f"{s:.2f} s" for s in seconds)


def time_call(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[T, float]:
    """The result of some work, and the seconds it took."""
    began = time.perf_counter()
    result = work(*args, **kwargs)
    return result, time.perf_counter() - began


async def time_awaitable(work: Awaitable[T]) -> tuple[T, float]:
    """As `time_call`, for an awaitable."""
    began = time.perf_counter()
    return await work, time.perf_counter() - began
