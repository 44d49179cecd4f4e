"""A question as words, its query as moves, and the numbers of the values in both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.state import TypedMove

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
    return _rename_words(words, numbers), numbers


def _rename_words(words: Iterable[str], numbers: Mapping[str, str]) -> Words:
    return tuple(_NAME.sub(lambda name: f"v{numbers[name[1]]}", word) for word in words)


def rename_moves(moves: Iterable[TypedMove], numbers: Mapping[str, str]) -> Moves:
    """Moves with new numbers for values; a value without a new number keeps its own."""
    rename = partial(_NAME.sub, lambda name: f"v{numbers.get(name[1], name[1])}")
    return _change_values(moves, rename)


def _change_values(moves: Iterable[TypedMove], change: Callable[[str], str]) -> Moves:
    """Moves with the text of each value changed."""
    return tuple(
        replace(move, text=change(move.text)) if move.kind == "value" else move for move in moves
    )
