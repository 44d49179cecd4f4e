"""Rules on expressions that could loop or grow: long ranges, nested loops, values that multiply.

Neo4j checks its time and memory limits between rows, not inside an expression: an expression that
loops for an hour, or fills the heap, cannot be stopped. So these rules bound it beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any

from trellis.domain.errors import RefusedQueryError
from trellis.graph.gate.calls import (
    TokenSequence,
    count_opened,
    find_arguments,
    is_bare_variable,
    is_no_clause,
    split_at_commas,
)
from trellis.graph.gate.loops import Loop, check_loops, check_reduce, count_repeats, find_loops
from trellis.graph.gate.ranges import check_ranges
from trellis.graph.gate.regexes import MOST_STEPS, measure_regex
from trellis.graph.gate.sizes import find_texts
from trellis.graph.gate.tokens import QueryToken

MOST_GROWTH = 64
"""The most by which a query may multiply a value by joining it to itself."""
MOST_REPLACE_CALLS = 2
"""The most calls of `replace`."""
MOST_REPLACE_GROWTH = 4
"""How many times longer than the text that it replaces a replacement may be."""

SHORTEST_SUBJECT = 5_000
"""The length that a text counts as which a regular expression is held against, where it is a
property or a variable."""

_CLAUSES = ("WITH", "RETURN", "UNWIND", "MATCH", "CALL", "UNION", "WHERE", "ORDER")


def check_growth(tokens: TokenSequence, params: Mapping[str, Any]) -> None:
    """Raise RefusedQueryError if an expression could loop or grow beyond bounds."""
    check_ranges(tokens, params)
    loops = find_loops(tokens, params)
    _check_replacements(list(find_arguments(tokens, "REPLACE")))
    gathered = prod(check_reduce(inside, params) for inside in find_arguments(tokens, "REDUCE"))
    joined = prod(_find_growth_factors(tokens))
    if joined > MOST_GROWTH:
        raise RefusedQueryError(
            "values are put together with themselves again and again", "say it once"
        )
    longest = _measure_longest_text(tokens, params) * gathered * joined
    check_loops(loops, tokens, longest)
    _check_regexes(tokens, params, loops, longest)


def _measure_longest_text(tokens: TokenSequence, params: Mapping[str, Any]) -> int:
    """The length of the longest text that a query could write: where it joins, of all together."""
    lengths = [len(text) for text in find_texts(tokens, params)]
    used = [
        len(params[after.text])
        for before, after in pairwise(tokens)
        if before.is_mark("$") and isinstance(params.get(after.text), str)
    ]
    longest = max(lengths, default=0)
    if any(_joins_texts(tokens, at) for at in range(len(tokens))):
        longest = max(longest, sum(used) + sum(len(it.text) for it in tokens if it.kind == "text"))
    is_replaced = any(find_arguments(tokens, "REPLACE"))
    return longest * (MOST_REPLACE_GROWTH**MOST_REPLACE_CALLS if is_replaced else 1)


def _joins_texts(tokens: TokenSequence, at: int) -> bool:
    is_bar = tokens[at].is_mark("|") and at > 0 and tokens[at - 1].is_mark("|")
    return is_bar or tokens[at].is_mark("+")


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
        is_clause = tokens[at].is_word(*_CLAUSES) and not is_no_clause(tokens, at)
        if depth < 0 or (depth == 0 and is_clause):
            return tokens[begin:at]
    return tokens[begin:]


def _count_joined_variables(item: TokenSequence) -> int:
    """How many bare variables an item joins; 1 if it joins none."""
    if not any(_is_joining(token) for token in item):
        return 1
    end = max((at for at, token in enumerate(item) if token.is_word("AS")), default=len(item))
    return max(1, sum(is_bare_variable(item, at) for at in range(end)))


def _is_joining(token: QueryToken) -> bool:
    return token.kind == "mark" and token.text in "+[{"


def _check_regexes(
    tokens: TokenSequence, params: Mapping[str, Any], loops: Sequence[Loop], longest: int
) -> None:
    steps = 0.0
    for at in range(len(tokens) - 2):
        if tokens[at].is_mark("=") and tokens[at + 1].is_mark("~"):
            pattern = _read_pattern(tokens[at + 2 : at + 5], params)
            length = _read_subject_length(tokens[:at], params, longest)
            steps += measure_regex(pattern, length) * count_repeats(loops, at)
    if steps > MOST_STEPS:
        raise RefusedQueryError(
            "a regular expression may try too many ways, for the length of its text",
            "use CONTAINS, STARTS WITH or ENDS WITH, or one `*` or `+` only",
        )


def _read_subject_length(before: TokenSequence, params: Mapping[str, Any], longest: int) -> int:
    """The length of the text that stands before `=~`; of a property or a variable, a guess."""
    last = before[-1:]
    value = params.get(last[0].text) if len(before) > 1 and before[-2].is_mark("$") else None
    size = 1 if last and last[0].kind == "text" else 2
    known = last[0].text if size == 1 else value
    is_alone = not before[-size - 1 : -size] or before[-size - 1].text not in "+|.]*/%^-"
    if isinstance(known, str) and is_alone:
        return len(known)
    return max(SHORTEST_SUBJECT, longest)


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
