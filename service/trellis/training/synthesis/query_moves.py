"""What the moves of a query say: its head, its relationships and its branches."""

from __future__ import annotations

from collections.abc import Iterable

from trellis.automata.cypher.state import TypedMove
from trellis.automata.cypher.wording import AND
from trellis.training.synthesis.whole import Moves


def has_branch(moves: Iterable[TypedMove]) -> bool:
    """Whether some moves begin a branch."""
    return any(move.kind == "branch" for move in moves)


def has_relationship(moves: Iterable[TypedMove]) -> bool:
    """Whether there is a relationship among some moves."""
    return any(move.kind == "relationship" for move in moves)


def count_head_moves(moves: Moves) -> int:
    """The number of moves of a query's head: a form, a label, its property, and their order."""
    kinds = [move.kind for move in moves]
    count = 3 if kinds[2:3] == ["property"] else 2
    return count + 2 if kinds[count : count + 1] == ["order"] else count


def find_edges(moves: Moves) -> int:
    """Where the relationships of a description begin: behind the conditions of its node."""
    kinds = [move.kind for move in moves]
    return kinds.index("relationship") if "relationship" in kinds else len(kinds)


def join_branches(moves: Moves, other: Moves, split: int, label: TypedMove) -> Moves:
    """The moves of a description with another's relationships as a second branch.

    The relationships of the first begin at `split`. Branches are sorted, as the language has them.
    """
    if split == len(moves):
        return (*moves, *other)
    first, second = sorted((moves[split:], other))
    branch = (TypedMove(f" {AND}", "branch"), TypedMove(label.text, "node"))
    return (*moves[:split], *first, *branch, *second)
