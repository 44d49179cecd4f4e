"""Wrong queries near a right one: sentences of the same language with a move or two exchanged.

They are what a model that writes queries confuses: another relation, direction, label or property
over the same values.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.state import CypherState, MoveKind, TypedMove
from trellis.domain.decoding import Sentence

_GRAMMAR: frozenset[MoveKind] = frozenset(("form", "branch", "order", "item", "limit"))
"""What is said in the grammar's own words; all else names what is in the graph."""

_EXCHANGES = 2
_TRIES = 8  # exchanges that are tried for each one wanted


def edit_query(
    language: CypherLanguage, right: CypherState, count: int, choice: random.Random
) -> list[Sentence]:
    """Up to `count` different sentences, each one or two exchanged moves away from the
    one that ends in `right`."""
    found: dict[str, Sentence] = {}
    moves = right.moves
    for _ in range(_TRIES * count):
        at = choice.randrange(len(moves))
        state = _follow_moves(language, moves[:at])
        after = _exchange_move(language, state, moves[at], choice) if state else None
        end = _follow_rest(language, after, moves[at + 1 :], choice) if after else None
        if end is not None and end.text != right.text:
            found.setdefault(end.text, make_sentence(language, end))
        if len(found) == count:
            break
    return list(found.values())


def make_sentence(language: CypherLanguage, end: CypherState) -> Sentence:
    """The sentence that ends in a state, as probable as any."""
    return Sentence(language.text(end), (), language.values(end), 0.0, 0)


def _follow_rest(
    language: CypherLanguage, state: CypherState, rest: Sequence[TypedMove], choice: random.Random
) -> CypherState | None:
    """The state behind the rest of the moves, where need be with another exchange."""
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
    """The state behind another move than this one: grammar for grammar, a name for a name."""
    grammar = move.kind in _GRAMMAR
    listed = enumerate(language.list_typed_moves(state))
    others = [i for i, each in listed if each != move and (each.kind in _GRAMMAR) == grammar]
    return language.follow(state, choice.choice(others)) if others else None


def _follow_moves(
    language: CypherLanguage, moves: Sequence[TypedMove], state: CypherState | None = None
) -> CypherState | None:
    """The state behind some moves; None where one of them cannot be said."""
    at: CypherState | None = state or language.start()
    for move in moves:
        texts = language.moves(at).texts if at else ()
        at = language.follow(at, texts.index(move.text)) if at and move.text in texts else None
    return at
