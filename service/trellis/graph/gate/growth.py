"""Rules on expressions that could loop or grow: long ranges, nested loops, values that multiply.

Neo4j checks its time and memory limits between rows, not inside an expression: an expression that
loops for an hour, or fills the heap, cannot be stopped. So these rules bound it beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from trellis.domain.errors import RefusedQueryError
from trellis.graph.gate.regexes import check_regex
from trellis.graph.gate.tokens import Token

MOST_MADE = 10_000
"""The most numbers that the ranges of a query may give; their lengths are multiplied."""
MOST_NESTED = 2
"""The deepest nesting of loops (comprehensions, reduce, all, any, none, single). An inner loop must
go over the few parts of a path or a node: `nodes(p)`, `labels(n)` and their like."""
MOST_GROWTH = 64
"""The most by which a query may multiply a value by joining it to itself."""
MOST_REPLACED = 2
"""The most calls of `replace`."""
MOST_LONGER = 4
"""How many times longer than the text that it replaces a replacement may be."""

_LOOPS = ("ALL", "ANY", "NONE", "SINGLE", "REDUCE")
_OPENING, _CLOSING = "([{", ")]}"
_CLAUSES = ("WITH", "RETURN", "UNWIND", "MATCH", "CALL", "UNION", "WHERE", "ORDER")

Tokens = Sequence[Token]


def check_growth(read: Tokens, params: Mapping[str, Any]) -> None:
    """Raise RefusedQueryError if an expression could loop or grow beyond bounds."""
    numbers = prod(_span(inside, params) for inside in _calls(read, "RANGE"))
    if numbers > MOST_MADE:
        raise _unbounded(f"the ranges give {numbers:,} numbers", f"{MOST_MADE:,} at most")
    _check_loops(read)
    _check_replaced(list(_calls(read, "REPLACE")))
    for inside in _calls(read, "REDUCE"):
        _check_reduce(inside)
    if prod(_growths(read)) > MOST_GROWTH:
        raise _unbounded("values are put together with themselves again and again", "say it once")
    _check_regexes(read, params)


def closing(read: Tokens, at: int) -> int:
    """The index at which the bracket that opens at `at` closes; `len(read)` if it does not."""
    depth = 0
    for here in range(at, len(read)):
        if read[here].kind == "mark":
            depth += (read[here].text in _OPENING) - (read[here].text in _CLOSING)
            if depth == 0:
                return here
    return len(read)


def _unbounded(problem: str, remedy: str) -> RefusedQueryError:
    return RefusedQueryError(problem, remedy)


def _calls(read: Tokens, function: str) -> Iterator[Tokens]:
    """The arguments of each call of a function: the tokens within its brackets."""
    for at in range(len(read) - 1):
        is_name = read[at].is_symbol and read[at].text.upper() == function
        if is_name and read[at + 1].is_mark("("):
            yield read[at + 2 : closing(read, at + 1)]


def _span(inside: Tokens, params: Mapping[str, Any]) -> int:
    """How many numbers a range gives; 1 if a bound is the size of a value that exists already."""
    bounds = [_bound(part, params) for part in _split(inside)]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds):
        if any(abs(bound) > MOST_MADE for bound in known):
            raise _unbounded("a range is too long", f"{MOST_MADE:,} numbers at most")
        return 1
    step = abs(known[2]) if len(known) > 2 else 1
    return abs(known[1] - known[0]) // (step or 1) + 1 if len(known) > 1 else 1


def _bound(part: Tokens, params: Mapping[str, Any]) -> int | None:
    """The value of `7`, `-7` or `$year`; None for `size(…)` or `length(…)` plus or minus a number.

    Raises RefusedQueryError for other expressions.
    """
    words = [token.text for token in part]
    if len(part) == 2 and part[0].is_mark("$") and isinstance(params.get(words[1]), int):
        return int(params[words[1]])
    if re.fullmatch(r"-?\d{1,18}", "".join(words)) and len(part) <= 2:
        return int("".join(words))
    if _is_a_size(part):
        return None
    raise _unbounded(
        "a range has bounds that are not known beforehand",
        "use integers, parameters or size(…), as in range(0, size(names) - 1)",
    )


def _is_a_size(part: Tokens) -> bool:
    """Whether an expression only adds and subtracts sizes and small numbers."""
    at = 0
    while at < len(part):
        if part[at].is_word("SIZE", "LENGTH") and at + 1 < len(part) and part[at + 1].is_mark("("):
            at = closing(part, at + 1)
        elif not (part[at].text in "+-" or re.fullmatch(r"\d{1,4}", part[at].text)):
            return False
        at += 1
    return True


def _split(inside: Tokens) -> list[Tokens]:
    """The parts between the commas that stand outside of nested brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in inside:
        if token.kind == "mark":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth == 0 and token.is_mark(","):
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _is_loop(read: Tokens, at: int) -> bool:
    """Whether a bracket opens a comprehension, or the arguments of `reduce`, `all` and the like."""
    if read[at].is_mark("["):
        return at + 2 < len(read) and read[at + 1].is_symbol and read[at + 2].is_word("IN")
    return read[at].is_mark("(") and at > 0 and read[at - 1].is_word(*_LOOPS)


def _check_loops(read: Tokens) -> None:
    ends: list[int] = []
    for at in range(len(read)):
        ends = [end for end in ends if end > at]
        if _is_loop(read, at):
            if len(ends) >= MOST_NESTED or (ends and not _goes_through_few(read, at)):
                raise _unbounded(
                    "loops are nested too deep",
                    "within a loop, loop over labels, keys, nodes or relationships only",
                )
            ends.append(closing(read, at))


def _goes_through_few(read: Tokens, at: int) -> bool:
    """Whether a loop's list is `labels(…)`, `keys(…)`, `nodes(…)` or `relationships(…)`."""
    after = next((i + 1 for i in range(at, len(read)) if read[i].is_word("IN")), len(read))
    if after + 1 >= len(read) or not read[after + 1].is_mark("("):
        return False
    end = closing(read, after + 1) + 1
    ended = end < len(read) and (read[end].text in "|])" or read[end].is_word("WHERE"))
    return ended and read[after].is_word("LABELS", "KEYS", "NODES", "RELATIONSHIPS")


def _check_replaced(calls: Sequence[Tokens]) -> None:
    """Raise RefusedQueryError if calls of `replace` could make a text much longer."""
    if len(calls) > MOST_REPLACED:
        raise _unbounded("replace() is used too often", f"use it {MOST_REPLACED} times at most")
    for parts in map(_split, calls):
        texts = [part[0].text for part in parts[1:] if len(part) == 1 and part[0].kind == "text"]
        if len(texts) < 2 or len(texts[1]) > MOST_LONGER * len(texts[0]):
            raise _unbounded(
                "replace() may make its text much longer", "replace one written text by another"
            )


def _check_reduce(inside: Tokens) -> None:
    """Raise RefusedQueryError if a `reduce` could grow: its body must not loop, and a body that
    uses its accumulator twice could double it at every step."""
    bar = next((at for at, token in enumerate(inside) if token.is_mark("|")), len(inside))
    body = inside[bar:]
    uses = sum(token.is_symbol and token.text == inside[0].text for token in body)
    if any(_is_loop(body, at) for at in range(len(body))) or any(_calls(body, "REPLACE")):
        raise _unbounded("reduce() loops in its body", "loop once")
    if uses > 1 and any(_joins(token) for token in body):
        raise _unbounded("reduce() puts its result together with itself", "say it once")


def _growths(read: Tokens) -> Iterator[int]:
    """For each WITH and RETURN, the most variables that one of its items joins."""
    for at, token in enumerate(read):
        if token.is_word("WITH", "RETURN") and not (at and read[at - 1].is_word("STARTS", "ENDS")):
            yield max((_put_together(item) for item in _split(_clause(read, at + 1))), default=1)


def _clause(read: Tokens, begin: int) -> Tokens:
    """The tokens from `begin` to the next clause outside of nested brackets."""
    depth = 0
    for at in range(begin, len(read)):
        if read[at].kind == "mark":
            depth += (read[at].text in _OPENING) - (read[at].text in _CLOSING)
        if depth < 0 or (depth == 0 and read[at].is_word(*_CLAUSES) and not _is_key(read, at)):
            return read[begin:at]
    return read[begin:]


def _is_key(read: Tokens, at: int) -> bool:
    return bool(at) and (read[at - 1].is_mark(".") or read[at - 1].is_word("STARTS", "ENDS"))


def _put_together(item: Tokens) -> int:
    """How many bare variables an item joins; 1 if it joins none."""
    if not any(_joins(token) for token in item):
        return 1
    end = max((at for at, token in enumerate(item) if token.is_word("AS")), default=len(item))
    return max(1, sum(_is_bare(item, at) for at in range(end)))


def _joins(token: Token) -> bool:
    return token.kind == "mark" and token.text in "+[{"


def _is_bare(item: Tokens, at: int) -> bool:
    """Whether a token is a variable by itself: no property, key, parameter, function or keyword."""
    before = item[at - 1] if at else None
    after = item[at + 1] if at + 1 < len(item) else None
    if not item[at].is_symbol or item[at].is_word(*_WORDS):
        return False
    if before is not None and before.kind == "mark" and before.text in ".:$":
        return before.text == ":" and (after is None or after.text in ",}")
    return after is None or after.text not in (".", ":", "(")


_KEYWORDS = """
    AS CASE WHEN THEN ELSE END AND OR XOR NOT IN IS NULL TRUE FALSE CONTAINS STARTS ENDS WITH
    DISTINCT WHERE MATCH RETURN EXISTS COUNT COLLECT
"""
_WORDS = frozenset(_KEYWORDS.split())


def _check_regexes(read: Tokens, params: Mapping[str, Any]) -> None:
    for at in range(len(read) - 2):
        if read[at].is_mark("=") and read[at + 1].is_mark("~"):
            check_regex(_pattern(read[at + 2 : at + 5], params))


def _pattern(after: Tokens, params: Mapping[str, Any]) -> str:
    """The text or parameter after `=~`; raises RefusedQueryError for any other expression."""
    parameter = params.get(after[1].text) if after[0].is_mark("$") and len(after) > 1 else None
    pattern = after[0].text if after[0].kind == "text" else parameter
    following = after[1:2] if after[0].kind == "text" else after[2:3]
    if not isinstance(pattern, str) or any(token.text in "+[." for token in following):
        raise _unbounded(
            "a regular expression is not known beforehand", "write it as one text or parameter"
        )
    return pattern
