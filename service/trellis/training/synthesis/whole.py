"""A question as words, its query as moves: the numbers of the values in both, and the parts of
queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.state import TypedMove
from trellis.automata.cypher.words.wording import AND

_NAME = re.compile(r"\bv(\d+)\b")

Moves = tuple[TypedMove, ...]
Words = tuple[str, ...]
QuestionQueryPair = tuple[Words, Moves]
"""A question, and the query that it asks for."""


def list_names(texts: Iterable[str]) -> list[str]:
    """The numbers of the values that some texts name."""
    return [number for text in texts for number in _NAME.findall(text)]


def list_values(moves: Iterable[TypedMove]) -> list[str]:
    """The numbers of the values among some moves."""
    return list_names(move.text for move in moves if move.kind == "value")


def shift_words(words: Iterable[str], by: int) -> Words:
    """Words with the numbers of their values raised."""
    return tuple(_NAME.sub(lambda name: f"v{int(name[1]) + by}", word) for word in words)


def shift_moves(moves: Iterable[TypedMove], by: int) -> Moves:
    """Moves with the numbers of their values raised."""
    return _change_values(moves, lambda text: shift_words((text,), by)[0])


def number_values(words: Words, moves: Moves) -> QuestionQueryPair:
    """A question and its query with the values numbered in the order of the text."""
    numbered, numbers = number_words(words)
    return numbered, rename_moves(moves, numbers)


def number_words(words: Words) -> tuple[Words, Mapping[str, str]]:
    """Words with their values numbered from v0 on, and the new number of each value."""
    numbers: dict[str, str] = {}
    for name in list_names(words):
        numbers.setdefault(name, str(len(numbers)))
    numbered = (_NAME.sub(lambda name: f"v{numbers[name[1]]}", word) for word in words)
    return tuple(numbered), numbers


def rename_moves(moves: Iterable[TypedMove], numbers: Mapping[str, str]) -> Moves:
    """Moves with new numbers for values; a value without a new number keeps its own."""
    rename = partial(_NAME.sub, lambda name: f"v{numbers.get(name[1], name[1])}")
    return _change_values(moves, rename)


def _change_values(moves: Iterable[TypedMove], change: Callable[[str], str]) -> Moves:
    """Moves with the text of each value changed."""
    return tuple(
        replace(move, text=change(move.text)) if move.kind == "value" else move for move in moves
    )


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
