"""Rules on how deep a text is nested, and how long its chains are.

Neo4j plans a query before it looks at any clock. Some shapes double the work of planning with each
level or link, so that a text of a few hundred letters keeps it busy for minutes, or fills its heap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trellis.domain.errors import RefusedQueryError
from trellis.graph.gate.calls import count_opened
from trellis.graph.gate.tokens import QueryToken

DEEPEST = 100
"""The most brackets within one another."""
DEEPEST_SUBQUERY = 4
"""The most subqueries (`{ … }` of EXISTS, COUNT, COLLECT and CALL) within one another."""
MOST_PREFIXES = 20
"""The most of `NOT`, `-`, `+` and `!` in a row."""

_MOST_WORDS = {
    "NOT": 100,
    "CASE": 50,
    "XOR": 4,
    "OR": 100,
    "AND": 100,
    "WHEN": 200,
    "UNION": 10,
    "MATCH": 20,
    "OPTIONAL": 10,
    "WITH": 40,
    "UNWIND": 20,
    "CALL": 10,
    "EXISTS": 20,
    "COUNT": 40,
    "COLLECT": 40,
}
"""How often a keyword may stand in a query."""
_MOST_RELATIONSHIPS = 15
_MOST_ADDED, _MOST_JOINED = 60, 300  # of `+`, and of other operators
_SUBQUERIES = ("EXISTS", "COUNT", "COLLECT", "CALL")


def check_nesting(tokens: Sequence[QueryToken]) -> None:
    """Raise RefusedQueryError if a text is nested too deep, or chains too much."""
    _check_depth(tokens)
    for word, most in _MOST_WORDS.items():
        if sum(token.is_word(word) for token in tokens) > most:
            raise _build_refusal(f"{word} stands more than {most} times in the query")
    if _find_longest_run(tokens, _is_prefix) > MOST_PREFIXES:
        raise _build_refusal(f"more than {MOST_PREFIXES} of NOT, -, + and ! stand in a row")
    if sum(token.is_mark("+") for token in tokens) > _MOST_ADDED:
        raise _build_refusal(f"more than {_MOST_ADDED} values are added")
    if sum(_is_operator(tokens, at) for at in range(len(tokens))) > _MOST_JOINED:
        raise _build_refusal(f"more than {_MOST_JOINED} values are joined")
    if sum(_is_relationship(tokens, at) for at in range(len(tokens))) > _MOST_RELATIONSHIPS:
        raise _build_refusal(f"patterns have more than {_MOST_RELATIONSHIPS} relationships")


def _check_depth(tokens: Sequence[QueryToken]) -> None:
    depth, subqueries = 0, list[int]()
    for at, token in enumerate(tokens):
        depth += count_opened(token)
        subqueries = [it for it in subqueries if it <= depth]
        if token.is_mark("{") and at and _opens_subquery(tokens, at):
            subqueries.append(depth)
        if depth > DEEPEST:
            raise _build_refusal(f"brackets are nested deeper than {DEEPEST}")
        if len(subqueries) > DEEPEST_SUBQUERY:
            raise _build_refusal(f"subqueries are nested deeper than {DEEPEST_SUBQUERY}")


def _opens_subquery(tokens: Sequence[QueryToken], at: int) -> bool:
    """Whether a brace opens `EXISTS {`, `CALL {`, or `CALL (n) {`."""
    return tokens[at - 1].is_word(*_SUBQUERIES) or (
        tokens[at - 1].is_mark(")") and at + 1 < len(tokens) and tokens[at + 1].is_word(*_CLAUSES)
    )


_CLAUSES = ("MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL")


def _find_longest_run(tokens: Sequence[QueryToken], is_wanted: Callable[[QueryToken], bool]) -> int:
    longest = run = 0
    for token in tokens:
        run = run + 1 if is_wanted(token) else 0
        longest = max(longest, run)
    return longest


def _is_prefix(token: QueryToken) -> bool:
    return token.is_word("NOT") or (token.kind == "mark" and token.text in "-+!")


def _is_operator(tokens: Sequence[QueryToken], at: int) -> bool:
    token = tokens[at]
    return token.kind == "mark" and (
        token.text in "+*/%^<>=&|"
        or (
            token.text in ".["
            and at > 0
            and tokens[at - 1].kind == "mark"
            and tokens[at - 1].text in ")]"
        )
    )


def _is_relationship(tokens: Sequence[QueryToken], at: int) -> bool:
    """Whether a `-` ends a relationship: after `-` or `]`, before `(` or `>`."""
    if at == 0 or at + 1 >= len(tokens) or not tokens[at].is_mark("-"):
        return False
    return tokens[at - 1].text in ("-", "]") and tokens[at + 1].text in ("(", ">")


def _build_refusal(problem: str) -> RefusedQueryError:
    return RefusedQueryError(problem, "say it in fewer steps, or in several queries")
