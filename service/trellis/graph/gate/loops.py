"""Rules on loops, which Neo4j does not stop: comprehensions, `reduce`, `all`, `any`, and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from trellis.domain.errors import RefusedQueryError
from trellis.graph.gate.calls import (
    TokenSequence,
    find_arguments,
    find_closing,
    is_bare_variable,
    split_at_commas,
)
from trellis.graph.gate.sizes import bound_list, read_loop_list

MOST_NESTED_LOOPS = 2
"""The deepest nesting of loops. An inner loop must go over the few parts of a path or a node:
`nodes(p)`, `labels(n)` and their like."""
MOST_GATHERED = 100
"""The most steps of a `reduce` that gathers texts or lists."""
LONGEST_GATHERED = 16
"""The longest text that a `reduce` of more steps may add."""
MOST_LOOPED = 2_000_000
"""The most characters that a loop may go through: its steps by the longest text of the query."""

_LOOPS = ("ALL", "ANY", "NONE", "SINGLE", "REDUCE")
_SHORT = ("LABELS", "KEYS", "NODES", "RELATIONSHIPS")
_COPY = """
REVERSE TAIL SPLIT TOBOOLEANLIST TOFLOATLIST TOINTEGERLIST TOSTRINGLIST KEYS PROPERTIES NORMALIZE
"""
_COUNT = """
ABS CEIL FLOOR LENGTH LOG LOG10 ROUND SIGN SIZE SQRT TOFLOAT TOFLOATORNULL TOINTEGER
TOINTEGERORNULL
"""
_LOGICAL = "AND OR NOT XOR CASE WHEN THEN ELSE END IN IS NULL TRUE FALSE"
_COPYING, _NUMERIC, _LOGIC = (frozenset(it.split()) for it in (_COPY, _COUNT, _LOGICAL))


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop from the bracket at `begin` to the one at `end`, of at most `steps` steps.

    `total` counts those of the loops around it too.
    """

    begin: int
    end: int
    variables: frozenset[str]
    steps: int
    total: int


def find_loops(tokens: TokenSequence, params: Mapping[str, Any]) -> Sequence[Loop]:
    """All loops, outer ones first; RefusedQueryError where they are nested too deep."""
    loops: list[Loop] = []
    for at in range(len(tokens)):
        if not is_loop(tokens, at):
            continue
        around = [loop for loop in loops if loop.end > at]
        if len(around) >= MOST_NESTED_LOOPS or (around and not _is_short_loop(tokens, at)):
            raise RefusedQueryError(
                "loops are nested too deep",
                "within a loop, loop over labels, keys, nodes or relationships only",
            )
        loops.append(_read_loop(tokens, at, around, params))
    return loops


def is_loop(tokens: TokenSequence, at: int) -> bool:
    """Whether a bracket opens a comprehension, or the arguments of `reduce`, `all` and the like."""
    if tokens[at].is_mark("["):
        return at + 2 < len(tokens) and tokens[at + 1].is_symbol and tokens[at + 2].is_word("IN")
    return tokens[at].is_mark("(") and at > 0 and tokens[at - 1].is_word(*_LOOPS)


def count_repeats(loops: Sequence[Loop], at: int) -> int:
    """How often what stands at a token may be done for one row."""
    return prod(loop.steps for loop in loops if loop.begin < at < loop.end)


def check_loops(loops: Sequence[Loop], tokens: TokenSequence, longest: int) -> None:
    """Raise RefusedQueryError if a loop goes through too much; `longest`: the longest text."""
    for loop in loops:
        if loop.total * longest > MOST_LOOPED:
            raise RefusedQueryError(
                f"a loop of up to {loop.total:,} steps stands beside a text of {longest:,} letters",
                "shorten the text, or loop over the first ones only, as in names[..50]",
            )
        if loop.total > MOST_GATHERED:
            for function in _COPYING:
                for inside in find_arguments(tokens[loop.begin : loop.end], function):
                    _check_copied(inside, loop.variables)


def check_reduce(arguments: TokenSequence, params: Mapping[str, Any]) -> int:
    """By how much a `reduce` may multiply the longest text that it adds.

    Raises RefusedQueryError if its body loops, if it puts its result together with itself, which
    doubles it at every step, or if it gathers texts or lists in more than a few steps.
    """
    bar = next((at for at, token in enumerate(arguments) if token.is_mark("|")), len(arguments))
    head, body = split_at_commas(arguments[:bar]), arguments[bar + 1 :]
    uses = sum(token.is_symbol and token.text == arguments[0].text for token in body)
    if any(is_loop(body, at) for at in range(len(body))) or any(find_arguments(body, "REPLACE")):
        raise RefusedQueryError("reduce() loops in its body", "loop once")
    if not any(token.kind == "mark" and token.text in "+[{|" for token in body):
        return 1
    has_case = any(token.text.upper() == "CASE" for token in body)
    if uses > 1 and (not has_case or _count_joined(body, arguments[0].text) > 1):
        raise RefusedQueryError("reduce() puts its result together with itself", "say it once")
    steps = bound_list(head[-1][2:], params) if len(head) > 1 else MOST_GATHERED + 1
    if steps > MOST_GATHERED and not _adds_numbers(head, body, params):
        raise RefusedQueryError(
            f"reduce() may gather texts or lists in more than {MOST_GATHERED} steps",
            "add toInteger(…) or toFloat(…) of what are numbers, or UNWIND the list and collect()",
        )
    return min(steps, MOST_GATHERED)


def _read_loop(
    tokens: TokenSequence, at: int, around: Sequence[Loop], params: Mapping[str, Any]
) -> Loop:
    end = find_closing(tokens, at)
    inside = tokens[at + 1 : end]
    names = [inside[i].text for i in range(len(inside) - 1) if inside[i + 1].is_word("IN")]
    begin = next((i + 1 for i, token in enumerate(inside) if token.is_word("IN")), len(inside))
    steps = bound_list(read_loop_list(inside[begin:]), params)
    total = steps * prod(loop.steps for loop in around)
    own = {names[0]} if names else set()
    return Loop(at, end, frozenset(own).union(*(it.variables for it in around)), steps, total)


def _is_short_loop(tokens: TokenSequence, at: int) -> bool:
    """Whether a loop's list is `labels(…)`, `keys(…)`, `nodes(…)` or `relationships(…)`."""
    after = next((i + 1 for i in range(at, len(tokens)) if tokens[i].is_word("IN")), len(tokens))
    if after + 1 >= len(tokens) or not tokens[after + 1].is_mark("("):
        return False
    end = find_closing(tokens, after + 1) + 1
    ended = end < len(tokens) and (tokens[end].text in "|])" or tokens[end].is_word("WHERE"))
    return ended and tokens[after].is_word(*_SHORT)


def _check_copied(inside: TokenSequence, variables: frozenset[str]) -> None:
    """Raise RefusedQueryError if a long loop copies a value that is not its own at each step."""
    others = (
        inside[at].text not in variables
        for at in range(len(inside))
        if is_bare_variable(inside, at) or inside[at].is_mark("$")
    )
    if any(others):
        raise RefusedQueryError(
            "a loop makes a list anew at each step", "make it once, in a WITH before the loop"
        )


def _count_joined(body: TokenSequence, name: str) -> int:
    """How often a name stands beside a sign that joins."""
    return sum(
        token.is_symbol
        and token.text == name
        and any(
            near.kind == "mark" and near.text in "+[{|,"
            for near in (*body[max(0, at - 1) : at], *body[at + 1 : at + 2])
        )
        for at, token in enumerate(body)
    )


def _adds_numbers(
    head: Sequence[TokenSequence], body: TokenSequence, params: Mapping[str, Any]
) -> bool:
    """Whether a `reduce` begins with a number and adds numbers, or texts of a few letters."""
    begin, name = head[0][2:], head[0][0].text
    if len(begin) != 1 or begin[0].kind != "number":
        return False
    known = {name} | ({head[-1][0].text} if _has_numbers(head[-1][2:], params) else set())
    at = 0
    while at < len(body):
        token, is_call = body[at], at + 1 < len(body) and body[at + 1].is_mark("(")
        if token.kind == "text" and len(token.text) > LONGEST_GATHERED:
            return False
        if token.kind == "mark" and token.text in "[{|.":
            return False
        if token.is_mark("$"):
            if at + 1 >= len(body) or not isinstance(params.get(body[at + 1].text), int | float):
                return False
            at += 1
        elif token.is_symbol and is_call and token.is_word(*_NUMERIC):
            at = find_closing(body, at + 1)
        elif token.is_symbol and not token.is_word(*_LOGIC) and token.text not in known:
            return False
        at += 1
    return True


def _has_numbers(tokens: TokenSequence, params: Mapping[str, Any]) -> bool:
    """Whether a list holds numbers only, as its text shows."""
    if len(tokens) == 2 and tokens[0].is_mark("$"):
        value = params.get(tokens[1].text)
        return isinstance(value, list) and all(isinstance(it, int | float) for it in value)
    if len(tokens) > 1 and tokens[0].is_word("RANGE") and tokens[1].is_mark("("):
        return find_closing(tokens, 1) == len(tokens) - 1
    inside = tokens[1:-1]
    is_written = len(tokens) > 1 and tokens[0].is_mark("[") and tokens[-1].is_mark("]")
    return is_written and all(it.kind == "number" or it.text in ",-" for it in inside)
