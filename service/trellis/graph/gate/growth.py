"""Rules on expressions that could loop or grow: long ranges, nested loops, values that multiply.

Neo4j checks its time and memory limits between rows, not inside an expression: an expression that
loops for an hour, or fills the heap, cannot be stopped. So these rules bound it beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from trellis.domain.errors import RefusedQueryError
from trellis.graph.gate.calls import (
    TokenSequence,
    count_opened,
    find_arguments,
    find_closing,
    split_at_commas,
)
from trellis.graph.gate.ranges import check_ranges
from trellis.graph.gate.regexes import check_regex
from trellis.graph.gate.tokens import QueryToken

MOST_NESTED_LOOPS = 2
"""The deepest nesting of loops (comprehensions, reduce, all, any, none, single). An inner loop must
go over the few parts of a path or a node: `nodes(p)`, `labels(n)` and their like."""
MOST_GROWTH = 64
"""The most by which a query may multiply a value by joining it to itself."""
MOST_REPLACE_CALLS = 2
"""The most calls of `replace`."""
MOST_REPLACE_GROWTH = 4
"""How many times longer than the text that it replaces a replacement may be."""

_LOOPS = ("ALL", "ANY", "NONE", "SINGLE", "REDUCE")
_CLAUSES = ("WITH", "RETURN", "UNWIND", "MATCH", "CALL", "UNION", "WHERE", "ORDER")


def check_growth(tokens: TokenSequence, params: Mapping[str, Any]) -> None:
    """Raise RefusedQueryError if an expression could loop or grow beyond bounds."""
    check_ranges(tokens, params)
    _check_loops(tokens)
    _check_replacements(list(find_arguments(tokens, "REPLACE")))
    for inside in find_arguments(tokens, "REDUCE"):
        _check_reduce(inside)
    if prod(_find_growth_factors(tokens)) > MOST_GROWTH:
        raise RefusedQueryError(
            "values are put together with themselves again and again", "say it once"
        )
    _check_regexes(tokens, params)


def _is_loop(tokens: TokenSequence, at: int) -> bool:
    """Whether a bracket opens a comprehension, or the arguments of `reduce`, `all` and the like."""
    if tokens[at].is_mark("["):
        return at + 2 < len(tokens) and tokens[at + 1].is_symbol and tokens[at + 2].is_word("IN")
    return tokens[at].is_mark("(") and at > 0 and tokens[at - 1].is_word(*_LOOPS)


def _check_loops(tokens: TokenSequence) -> None:
    ends: list[int] = []
    for at in range(len(tokens)):
        ends = [end for end in ends if end > at]
        if _is_loop(tokens, at):
            if len(ends) >= MOST_NESTED_LOOPS or (ends and not _is_short_loop(tokens, at)):
                raise RefusedQueryError(
                    "loops are nested too deep",
                    "within a loop, loop over labels, keys, nodes or relationships only",
                )
            ends.append(find_closing(tokens, at))


def _is_short_loop(tokens: TokenSequence, at: int) -> bool:
    """Whether a loop's list is `labels(…)`, `keys(…)`, `nodes(…)` or `relationships(…)`."""
    after = next((i + 1 for i in range(at, len(tokens)) if tokens[i].is_word("IN")), len(tokens))
    if after + 1 >= len(tokens) or not tokens[after + 1].is_mark("("):
        return False
    end = find_closing(tokens, after + 1) + 1
    ended = end < len(tokens) and (tokens[end].text in "|])" or tokens[end].is_word("WHERE"))
    return ended and tokens[after].is_word("LABELS", "KEYS", "NODES", "RELATIONSHIPS")


def _check_replacements(calls: Sequence[TokenSequence]) -> None:
    """Raise RefusedQueryError if calls of `replace` could make a text much longer."""
    if len(calls) > MOST_REPLACE_CALLS:
        raise RefusedQueryError(
            "replace() is used too often", f"use it {MOST_REPLACE_CALLS} times at most"
        )
    for parts in map(split_at_commas, calls):
        texts = [part[0].text for part in parts[1:] if len(part) == 1 and part[0].kind == "text"]
        if len(texts) < 2 or len(texts[1]) > MOST_REPLACE_GROWTH * len(texts[0]):
            raise RefusedQueryError(
                "replace() may make its text much longer", "replace one written text by another"
            )


def _check_reduce(arguments: TokenSequence) -> None:
    """Raise RefusedQueryError if a `reduce` could grow: its body must not loop, and a body that
    uses its accumulator twice could double it at every step."""
    bar = next((at for at, token in enumerate(arguments) if token.is_mark("|")), len(arguments))
    body = arguments[bar:]
    uses = sum(token.is_symbol and token.text == arguments[0].text for token in body)
    if any(_is_loop(body, at) for at in range(len(body))) or any(find_arguments(body, "REPLACE")):
        raise RefusedQueryError("reduce() loops in its body", "loop once")
    if uses > 1 and any(_is_joining(token) for token in body):
        raise RefusedQueryError("reduce() puts its result together with itself", "say it once")


def _find_growth_factors(tokens: TokenSequence) -> Iterator[int]:
    """For each WITH and RETURN, the most variables that one of its items joins."""
    for at, token in enumerate(tokens):
        if token.is_word("WITH", "RETURN") and not (
            at and tokens[at - 1].is_word("STARTS", "ENDS")
        ):
            yield max(
                (
                    _count_joined_variables(item)
                    for item in split_at_commas(_take_clause(tokens, at + 1))
                ),
                default=1,
            )


def _take_clause(tokens: TokenSequence, begin: int) -> TokenSequence:
    """The tokens from `begin` to the next clause outside of nested brackets."""
    depth = 0
    for at in range(begin, len(tokens)):
        depth += count_opened(tokens[at])
        if depth < 0 or (depth == 0 and tokens[at].is_word(*_CLAUSES) and not _is_key(tokens, at)):
            return tokens[begin:at]
    return tokens[begin:]


def _is_key(tokens: TokenSequence, at: int) -> bool:
    return bool(at) and (tokens[at - 1].is_mark(".") or tokens[at - 1].is_word("STARTS", "ENDS"))


def _count_joined_variables(item: TokenSequence) -> int:
    """How many bare variables an item joins; 1 if it joins none."""
    if not any(_is_joining(token) for token in item):
        return 1
    end = max((at for at, token in enumerate(item) if token.is_word("AS")), default=len(item))
    return max(1, sum(_is_bare_variable(item, at) for at in range(end)))


def _is_joining(token: QueryToken) -> bool:
    return token.kind == "mark" and token.text in "+[{"


def _is_bare_variable(item: TokenSequence, at: int) -> bool:
    """Whether a token is a variable by itself: no property, key, parameter, function or keyword."""
    before = item[at - 1] if at else None
    after = item[at + 1] if at + 1 < len(item) else None
    if not item[at].is_symbol or item[at].is_word(*_KEYWORD_SET):
        return False
    if before is not None and before.kind == "mark" and before.text in ".:$":
        return before.text == ":" and (after is None or after.text in ",}")
    return after is None or after.text not in (".", ":", "(")


_KEYWORDS = """
    AS CASE WHEN THEN ELSE END AND OR XOR NOT IN IS NULL TRUE FALSE CONTAINS STARTS ENDS WITH
    DISTINCT WHERE MATCH RETURN EXISTS COUNT COLLECT
"""
_KEYWORD_SET = frozenset(_KEYWORDS.split())


def _check_regexes(tokens: TokenSequence, params: Mapping[str, Any]) -> None:
    for at in range(len(tokens) - 2):
        if tokens[at].is_mark("=") and tokens[at + 1].is_mark("~"):
            check_regex(_read_pattern(tokens[at + 2 : at + 5], params))


def _read_pattern(after: TokenSequence, params: Mapping[str, Any]) -> str:
    """The text or parameter after `=~`; raises RefusedQueryError for any other expression."""
    parameter = params.get(after[1].text) if after[0].is_mark("$") and len(after) > 1 else None
    pattern = after[0].text if after[0].kind == "text" else parameter
    following = after[1:2] if after[0].kind == "text" else after[2:3]
    if not isinstance(pattern, str) or any(token.text in "+[." for token in following):
        raise RefusedQueryError(
            "a regular expression is not known beforehand", "write it as one text or parameter"
        )
    return pattern
