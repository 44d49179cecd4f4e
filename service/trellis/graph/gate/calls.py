"""Finds calls, brackets and arguments among the tokens of a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.graph.gate.tokens import QueryToken

_WORDS = """
AS CASE WHEN THEN ELSE END AND OR XOR NOT IN IS NULL TRUE FALSE CONTAINS STARTS ENDS WITH
DISTINCT WHERE MATCH RETURN EXISTS COUNT COLLECT
"""
_KEYWORDS = frozenset(_WORDS.split())
_OPENING, _CLOSING = "([{", ")]}"

TokenSequence = Sequence[QueryToken]


def count_opened(token: QueryToken) -> int:
    """1 for a bracket that opens, -1 for one that closes, else 0."""
    return (token.kind == "mark") * ((token.text in _OPENING) - (token.text in _CLOSING))


def find_closing(tokens: TokenSequence, at: int) -> int:
    """The index at which the bracket that opens at `at` closes; `len(tokens)` if it does not."""
    depth = 0
    for here in range(at, len(tokens)):
        depth += count_opened(tokens[here])
        if depth == 0:
            return here
    return len(tokens)


def find_arguments(tokens: TokenSequence, function: str) -> Iterator[TokenSequence]:
    """The arguments of each call of a function: the tokens within its brackets."""
    for at in range(len(tokens) - 1):
        is_name = tokens[at].is_symbol and tokens[at].text.upper() == function
        if is_name and tokens[at + 1].is_mark("("):
            yield tokens[at + 2 : find_closing(tokens, at + 1)]


def split_at_commas(tokens: TokenSequence) -> list[TokenSequence]:
    """The parts between the commas that stand outside of nested brackets."""
    parts: list[list[QueryToken]] = [[]]
    depth = 0
    for token in tokens:
        depth += count_opened(token)
        if depth == 0 and token.is_mark(","):
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def is_bare_variable(item: TokenSequence, at: int) -> bool:
    """Whether a token is a variable by itself: no property, key, parameter, function or keyword."""
    before = item[at - 1] if at else None
    after = item[at + 1] if at + 1 < len(item) else None
    if not item[at].is_symbol or item[at].is_word(*_KEYWORDS):
        return False
    if before is not None and before.kind == "mark" and before.text in ".:$":
        return before.text == ":" and (after is None or after.text in ",}")
    return after is None or after.text not in (".", ":", "(")


def is_no_clause(tokens: TokenSequence, at: int) -> bool:
    """Whether a keyword is a key here, or belongs to `STARTS WITH` and `ENDS WITH`."""
    return at > 0 and (tokens[at - 1].is_mark(".") or tokens[at - 1].is_word("STARTS", "ENDS"))
