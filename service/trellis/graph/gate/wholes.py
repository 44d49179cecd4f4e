"""Rules on whole maps: all properties of a node at once, ours with vectors among them.

As columns they are converted row by row, ours left out. Within a list, a map or an aggregate all
of them would be in one record, however large.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.errors import RefusedQueryError
from trellis.graph.gate.calls import TokenSequence, count_opened, find_closing, is_no_clause

_CLAUSES = ("RETURN", "WITH", "UNWIND", "MATCH", "CALL", "UNION")


def check_wholes(tokens: TokenSequence) -> None:
    """Raise RefusedQueryError if `n {.*}` or `properties(n)` is no column of the last RETURN."""
    depth, is_return = 0, False
    ends = [at for at in range(len(tokens)) if tokens[at].is_word("RETURN", "WITH")]
    for at, token in enumerate(tokens):
        if depth == 0 and token.is_word(*_CLAUSES) and not is_no_clause(tokens, at):
            is_return = token.is_word("RETURN")
        is_column = is_return and depth == token.is_mark(".")
        if _is_whole(tokens, at) and not (is_column and at > _find_last(tokens, ends)):
            raise RefusedQueryError(
                "all properties of a node at once are put into a list, a map or a variable",
                "name those that you want: n {.name, .population}, or return the node itself",
            )
        depth += count_opened(token)


def _find_last(tokens: TokenSequence, ends: Sequence[int]) -> int:
    """Where the last RETURN or WITH stands; keywords may be names, so that only the last counts."""
    return max((at for at in ends if not is_no_clause(tokens, at)), default=-1)


def _is_whole(tokens: TokenSequence, at: int) -> bool:
    """Whether `.*` of a projection begins here, or `properties(…)` of which no part is taken."""
    if tokens[at].is_mark("."):
        return at + 1 < len(tokens) and tokens[at + 1].is_mark("*")
    if not (tokens[at].is_symbol and tokens[at].text.lower() == "properties"):
        return False
    if at + 1 >= len(tokens) or not tokens[at + 1].is_mark("("):
        return False
    end = find_closing(tokens, at + 1) + 1
    is_part = end + 1 < len(tokens) and tokens[end].is_mark(".") and tokens[end + 1].is_symbol
    return not is_part and not (at > 1 and tokens[at - 2].is_word("KEYS", "SIZE"))
