"""How large the values are that a text names: the lengths of lists and texts, as far as it shows.

What it does not show counts as `UNKNOWN`, but for the parts of a path or a node.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from trellis.graph.gate.calls import (
    TokenSequence,
    count_opened,
    find_arguments,
    find_closing,
    split_at_commas,
)

UNKNOWN = 10_000
"""The size of a list or text that the text does not show."""
SHORT = 16
"""The size of what `nodes(…)`, `relationships(…)` and `labels(…)` give, about."""

_PLANNED = 10  # elements that planners take for a list
_PARTS = ("NODES", "RELATIONSHIPS", "LABELS")


def bound_list(tokens: TokenSequence, params: Mapping[str, Any]) -> int:
    """The most elements of the list that an expression gives; `UNKNOWN` where it does not say."""
    if len(tokens) == 2 and tokens[0].is_mark("$"):
        return _count_elements(params.get(tokens[1].text))
    bracket = 0 if tokens and tokens[0].text in ("[", "(") else 1
    is_call = len(tokens) > bracket and (bracket == 0 or tokens[1].is_mark("("))
    if not is_call or find_closing(tokens, bracket) != len(tokens) - 1:
        return _bound_slice(tokens)
    inside = tokens[bracket + 1 : -1]
    if bracket == 0:
        is_list = tokens[0].is_mark("[")
        return _bound_brackets(inside, params) if is_list else bound_list(inside, params)
    if tokens[0].is_word(*_PARTS):
        return SHORT
    return _bound_range(inside, params) if tokens[0].is_word("RANGE") else UNKNOWN


def bound_unwound(tokens: TokenSequence, params: Mapping[str, Any]) -> int:
    """How many rows the `UNWIND`s of a query make of one, as far as its text shows.

    Planners take 10 elements for any list. A list behind a variable counts as the longest that the
    query holds.
    """
    lists = [
        bound_list(tokens[at : find_closing(tokens, at) + 1], params)
        for at in range(len(tokens))
        if tokens[at].is_mark("[")
    ]
    ranges = [_bound_range(inside, params) for inside in find_arguments(tokens, "RANGE")]
    given = [len(it) for it in params.values() if isinstance(it, list)]
    known = [size for size in (*lists, *ranges, *given) if size != UNKNOWN]
    total = 1
    for at, token in enumerate(tokens):
        if token.is_word("UNWIND") and not (at and tokens[at - 1].is_word("AS")):
            unwound = _read_unwound(tokens[at + 1 :])
            size = bound_list(unwound, params)
            if size == UNKNOWN:
                is_variable = len(unwound) == 1
                size = max(known, default=_PLANNED) if is_variable else _PLANNED
            total *= max(1, size)
    return total


def _read_unwound(tokens: TokenSequence) -> TokenSequence:
    depth = 0
    for at, token in enumerate(tokens):
        depth += count_opened(token)
        if depth < 0 or (depth == 0 and token.is_word("AS")):
            return tokens[:at]
    return tokens


def find_texts(tokens: TokenSequence, params: Mapping[str, Any]) -> Iterator[str]:
    """All texts that a query writes, or hands over in parameters."""
    yield from (token.text for token in tokens if token.kind == "text")
    yield from _iterate_texts(params)


def _bound_brackets(inside: TokenSequence, params: Mapping[str, Any]) -> int:
    """Of a list that is written out, or of a comprehension, which gives no more than its list."""
    if len(inside) > 2 and inside[0].is_symbol and inside[1].is_word("IN"):
        return bound_list(read_loop_list(inside[2:]), params)
    is_pattern = any(token.is_mark("|") for token in inside)
    return UNKNOWN if is_pattern else len(split_at_commas(inside))


def read_loop_list(tokens: TokenSequence) -> TokenSequence:
    """The list of a loop: what stands before its `WHERE` or `|`."""
    at = depth = 0
    while at < len(tokens):
        depth += count_opened(tokens[at])
        if depth < 0 or (depth == 0 and (tokens[at].is_mark("|") or tokens[at].is_word("WHERE"))):
            break
        at += 1
    return tokens[:at]


def _bound_slice(tokens: TokenSequence) -> int:
    """Of a list of which the text takes the first ones: `names[..50]`."""
    tail = "".join(token.text for token in tokens[-6:])
    cut = re.search(r"\[(\d{0,6})\.\.(\d{1,6})\]$", tail)
    return int(cut[2]) - int(cut[1] or 0) if cut else UNKNOWN


def _bound_range(arguments: TokenSequence, params: Mapping[str, Any]) -> int:
    bounds = [_read_integer(part, params) for part in split_at_commas(arguments)[:2]]
    if len(bounds) < 2 or None in bounds:
        return UNKNOWN
    first, last = bounds
    return abs((last or 0) - (first or 0)) + 1


def _read_integer(part: TokenSequence, params: Mapping[str, Any]) -> int | None:
    words = "".join(token.text for token in part)
    value = params.get(words[1:]) if words.startswith("$") else words
    return int(str(value)) if re.fullmatch(r"-?\d{1,18}", str(value)) else None


def _count_elements(value: Any) -> int:
    return len(value) if isinstance(value, list | tuple) else UNKNOWN


def _iterate_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield str(name)
            yield from _iterate_texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _iterate_texts(part)
