"""Makes wrong queries near a right one: the same sentence with one or two moves exchanged.

A model that writes queries confuses such queries: they have another relation, direction, label or
property, and the same values.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.state import CypherState, MoveKind, TypedMove
from trellis.domain.models.decoding import Sentence

_GRAMMAR: frozenset[MoveKind] = frozenset(("form", "branch", "order", "item", "limit"))
"""Kinds of moves in the words of the grammar; all other moves name parts of the graph."""

_EXCHANGES = 2  # the most moves that are exchanged in one query
_TRIES = 8  # exchanges that are tried for each query that is asked for


def edit_query(
    language: CypherLanguage, right: CypherState, count: int, choice: random.Random
) -> list[Sentence]:
    """Up to `count` different sentences, which differ in one or two moves from the sentence that
    ends in `right`."""
    sentences: dict[str, Sentence] = {}
    moves = right.moves
    for _ in range(_TRIES * count):
        at = choice.randrange(len(moves))
        state = _follow_moves(language, moves[:at])
        after = _exchange_move(language, state, moves[at], choice) if state else None
        end = _follow_rest(language, after, moves[at + 1 :], choice) if after else None
        if end is not None and end.text != right.text:
            sentences.setdefault(end.text, make_sentence(language, end))
        if len(sentences) == count:
            break
    return list(sentences.values())


def make_sentence(language: CypherLanguage, end: CypherState) -> Sentence:
    """The sentence that ends in a state, with a score of zero, as no model wrote it."""
    return Sentence(language.text(end), (), language.values(end), 0.0, 0)


def _follow_rest(
    language: CypherLanguage, state: CypherState, rest: Sequence[TypedMove], choice: random.Random
) -> CypherState | None:
    """The state after the rest of the moves, one of which is exchanged where the rest needs it."""
    left = _EXCHANGES - 1
    for move in rest:
        after = _follow_moves(language, [move], state)
        if after is None and left:
            left -= 1
            after = _exchange_move(language, state, move, choice)
        if after is None:
            return None
        state = after
    return state if language.accepting(state) else None


def _exchange_move(
    language: CypherLanguage, state: CypherState, move: TypedMove, choice: random.Random
) -> CypherState | None:
    """The state after a move that replaces this one: grammar by grammar, a name by a name."""
    is_grammar = move.kind in _GRAMMAR
    others = [
        index
        for index, other in enumerate(language.list_typed_moves(state))
        if other != move and (other.kind in _GRAMMAR) == is_grammar
    ]
    return language.follow(state, choice.choice(others)) if others else None


def _follow_moves(
    language: CypherLanguage, moves: Sequence[TypedMove], state: CypherState | None = None
) -> CypherState | None:
    """The state after some moves; None where the language does not allow one of them."""
    at: CypherState | None = state or language.start()
    for move in moves:
        texts = language.moves(at).texts if at else ()
        at = language.follow(at, texts.index(move.text)) if at and move.text in texts else None
    return at
