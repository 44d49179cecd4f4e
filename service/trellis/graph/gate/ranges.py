"""Rules on ranges: how many numbers they may give, and that this is known beforehand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import Any

from trellis.domain.errors import RefusedQueryError
from trellis.graph.gate.calls import TokenSequence, find_arguments, find_closing, split_at_commas

MOST_RANGE_NUMBERS = 10_000
"""The most numbers that the ranges of a query may give; their lengths are multiplied."""


def check_ranges(tokens: TokenSequence, params: Mapping[str, Any]) -> None:
    """Raise RefusedQueryError if ranges give too many numbers, or nobody knows how many."""
    numbers = prod(_count_range(inside, params) for inside in find_arguments(tokens, "RANGE"))
    if numbers > MOST_RANGE_NUMBERS:
        raise RefusedQueryError(
            f"the ranges give {numbers:,} numbers", f"{MOST_RANGE_NUMBERS:,} at most"
        )


def _count_range(arguments: TokenSequence, params: Mapping[str, Any]) -> int:
    """How many numbers a range gives; 1 if a bound is the size of a value that exists already."""
    bounds = [_parse_bound(part, params) for part in split_at_commas(arguments)]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds):
        if any(abs(bound) > MOST_RANGE_NUMBERS for bound in known):
            remedy = f"{MOST_RANGE_NUMBERS:,} numbers at most"
            raise RefusedQueryError("a range is too long", remedy)
        return 1
    step = abs(known[2]) if len(known) > 2 else 1
    return abs(known[1] - known[0]) // (step or 1) + 1 if len(known) > 1 else 1


def _parse_bound(part: TokenSequence, params: Mapping[str, Any]) -> int | None:
    """The value of `7`, `-7` or `$year`; None for `size(…)` or `length(…)` plus or minus a number.

    Raises RefusedQueryError for other expressions.
    """
    words = [token.text for token in part]
    if len(part) == 2 and part[0].is_mark("$") and isinstance(params.get(words[1]), int):
        return int(params[words[1]])
    if re.fullmatch(r"-?\d{1,18}", "".join(words)) and len(part) <= 2:
        return int("".join(words))
    if _is_size(part):
        return None
    raise RefusedQueryError(
        "a range has bounds that are not known beforehand",
        "use integers, parameters or size(…), as in range(0, size(names) - 1)",
    )


def _is_size(part: TokenSequence) -> bool:
    """Whether an expression only adds and subtracts sizes and small numbers."""
    at = 0
    while at < len(part):
        if part[at].is_word("SIZE", "LENGTH") and at + 1 < len(part) and part[at + 1].is_mark("("):
            at = find_closing(part, at + 1)
        elif not (part[at].text in "+-" or re.fullmatch(r"\d{1,4}", part[at].text)):
            return False
        at += 1
    return True
