"""Rules on names that are not written as names: keys, labels and indexes given by texts.

A key or label that is computed cannot be told from one of ours beforehand, so it must be written
out, or be a parameter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from trellis.domain.errors import RefusedQueryError
from trellis.graph.database.names import LABEL_VECTOR_INDEX, RELATION_VECTOR_INDEX, is_reserved
from trellis.graph.gate.calls import TokenSequence, find_closing, split_at_commas

_OWN_INDEXES = frozenset({LABEL_VECTOR_INDEX, RELATION_VECTOR_INDEX})
"""Indexes that hold nothing but nodes of ours."""
_BEFORE = """
IN RETURN WITH UNWIND THEN ELSE WHEN CASE AND OR XOR NOT WHERE BY DISTINCT CONTAINS SKIP LIMIT
"""
_BEFORE_LISTS = frozenset(_BEFORE.split())
_COUNTING = ("SIZE", "LENGTH", "TOINTEGER", "TOINTEGERORNULL")


def check_given_names(tokens: TokenSequence, params: Mapping[str, Any]) -> None:
    """Raise RefusedQueryError if a key, label or index that a text gives may be one of ours."""
    numbers = set(_find_numbers(tokens))
    for at in range(len(tokens) - 1):
        if tokens[at].is_mark("[") and at and _is_subscripted(tokens, at):
            inside = tokens[at + 1 : find_closing(tokens, at)]
            if not _is_place(inside, params, numbers):
                _check_name(inside, params, "a property", "n.name, or n[$key]")
        elif tokens[at].is_mark("$") and (bracket := _find_label_bracket(tokens, at)):
            inside = tokens[bracket + 1 : find_closing(tokens, bracket)]
            _check_name(inside, params, "a label", "n:City, or n:$($label)")
        elif (
            tokens[at].is_word("QUERYNODES", "QUERYRELATIONSHIPS")
            or (tokens[at].is_symbol and tokens[at].text.lower().startswith("db.index."))
        ) and tokens[at + 1].is_mark("("):
            inside = tokens[at + 2 : find_closing(tokens, at + 1)]
            _check_index((split_at_commas(inside) or [()])[0], params)


def _find_label_bracket(tokens: TokenSequence, at: int) -> int:
    """Where the bracket of `$(…)`, `$any(…)` or `$all(…)` opens; 0 for parameters."""
    bracket = at + 2 if tokens[at + 1].is_word("ANY", "ALL") else at + 1
    return bracket if bracket < len(tokens) and tokens[bracket].is_mark("(") else 0


def _is_subscripted(tokens: TokenSequence, at: int) -> bool:
    """Whether a `[` takes a part of what stands before it, and begins no list or relationship."""
    before = tokens[at - 1]
    if before.kind == "mark":
        return before.text in ")]}"
    return not before.is_word(*_BEFORE_LISTS) or _is_bound(tokens, before.text)


def _is_bound(tokens: TokenSequence, word: str) -> bool:
    """Whether a keyword is the name of something too, as Cypher allows."""
    for at in range(len(tokens)):
        if tokens[at].kind != "word" or tokens[at].text != word:
            continue
        before, after = tokens[at - 1] if at else None, (*tokens[at + 1 : at + 2], None)[0]
        is_first = before is not None and before.text in ("(", "[")
        if (
            after is None
            or (
                (after.kind == "mark" and after.text in ":)],.=<>&|*")
                and not (after.text == "*" and not is_first)
            )
            or (is_first and (after.is_mark("{") or after.is_word("WHERE", "IS", "IN")))
            or (before is not None and before.is_word("AS"))
        ):
            return True
    return False


def _find_numbers(tokens: TokenSequence) -> Iterator[str]:
    """The variables that only ever hold numbers: loops and UNWINDs over a range bind them."""
    bound = Counter(tokens[at].text for at in range(len(tokens)) if _is_binding(tokens, at))
    numbers: Counter[str] = Counter()
    for at in range(1, len(tokens) - 1):
        if not (tokens[at].is_word("RANGE") and tokens[at + 1].is_mark("(")):
            continue
        end = find_closing(tokens, at + 1) + 1
        ended = tokens[end] if end + 1 < len(tokens) else None
        if (
            at > 1
            and tokens[at - 1].is_word("IN")
            and ended
            and (ended.is_mark("|") or ended.is_mark("]") or ended.is_word("WHERE"))
        ):
            numbers[tokens[at - 2].text] += 1
        elif tokens[at - 1].is_word("UNWIND") and ended and ended.is_word("AS"):
            numbers[tokens[end + 1].text] += 1
    return (name for name, count in numbers.items() if bound[name] == count)


def _is_binding(tokens: TokenSequence, at: int) -> bool:
    """Whether a name is given to something here, other than to a node or a relationship."""
    before, after = tokens[at - 1 : at], tokens[at + 1 : at + 2]
    if not tokens[at].is_symbol or not before or not after:
        return bool(before) and before[0].is_word("AS", "YIELD")
    is_first = before[0].kind == "mark" and before[0].text in "([,"
    named = after[0].is_word("IN") or after[0].is_mark("=")
    return before[0].is_word("AS", "YIELD") or (is_first and named)


def _is_place(inside: TokenSequence, params: Mapping[str, Any], numbers: set[str]) -> bool:
    """Whether brackets hold a place or a slice of a list, by numbers."""
    at = 0
    while at < len(inside):
        token = inside[at]
        follows = inside[at + 1] if at + 1 < len(inside) else None
        if token.is_mark("$") and follows and _is_number(params.get(follows.text)):
            at += 1
        elif token.is_word(*_COUNTING) and follows and follows.is_mark("("):
            at = find_closing(inside, at + 1)
        elif not (
            token.kind == "number"
            or token.text in numbers
            or (token.kind == "mark" and token.text in "+-*/%.()")
        ):
            return False
        at += 1
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_name(inside: TokenSequence, params: Mapping[str, Any], what: str, example: str) -> None:
    for name in _read_names(inside, params):
        if name is None:
            raise RefusedQueryError(
                f"{what} is given by an expression", f"write {example}; a place as toInteger(i)"
            )
        if is_reserved(name):
            raise RefusedQueryError(
                f"the name {name!r} is reserved", "use the names that /v1/schema shows"
            )


def _check_index(inside: TokenSequence, params: Mapping[str, Any]) -> None:
    for name in _read_names(inside, params):
        if name is None or name.lower() in _OWN_INDEXES:
            raise RefusedQueryError(
                "the index is given by an expression, or holds nothing of the graph",
                "write its name as a text or a parameter",
            )


def _read_names(inside: TokenSequence, params: Mapping[str, Any]) -> Iterator[str | None]:
    """The names that a text, a parameter, or a list in a parameter gives; None for all else."""
    if len(inside) == 1 and inside[0].kind == "text":
        yield inside[0].text
    elif len(inside) == 2 and inside[0].is_mark("$"):
        value = params.get(inside[1].text)
        names = value if isinstance(value, list | tuple) else (value,)
        yield from (name if isinstance(name, str) else None for name in names)
    else:
        yield None
