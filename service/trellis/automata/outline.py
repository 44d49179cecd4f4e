"""A short listing of a language, for the prompt of a model that cannot be masked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from trellis.automata.language import FreeText, Language, MoveId, Moves, S, V
from trellis.automata.nearest import find_sharing_texts

_STATES = 30
"""The most states that are followed from one step to the next."""

_STEPS = 12
"""The most steps that are listed; a longer listing would not help a model."""


Saying = tuple[Sequence[S], MoveId]
"""States of one site, and the move that has one text in all of them."""


@dataclass(frozen=True, slots=True)
class Outline:
    """All sentences of a language where they are few, else the texts of each step.

    A step lists what may stand at that place in any sentence. `cut`: whether texts were left out,
    as there are too many, or any may be said; those nearest to the question are kept.
    """

    sentences: tuple[str, ...] = ()
    steps: tuple[tuple[str, ...], ...] = ()
    cut: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.sentences and not self.steps


def outline_language(language: Language[S, V], question: str, limit: int) -> Outline:
    """The outline of a language: at most `limit` sentences, or at most `limit` texts a step."""
    sentences = _list_sentences(language, limit)
    if sentences is not None:
        return Outline(sentences=_strip_leading_spaces(sentences))
    steps: list[tuple[str, ...]] = []
    states, cut = [language.start()], False
    while len(steps) < _STEPS:
        cut = cut or any(isinstance(language.moves(s), FreeText) for s in states)
        sayings = _group_next_moves(language, states)
        if not sayings:
            break
        texts = list(sayings)
        kept = find_sharing_texts(texts, question.lower(), limit)
        steps.append(_strip_leading_spaces(texts[i] for i in sorted(kept)))
        behind = list(_iterate_states_behind(language, [sayings[texts[i]] for i in kept]))
        cut = cut or len(kept) < len(texts) or len(behind) > _STATES
        states = behind[:_STATES]
    return Outline(steps=tuple(steps), cut=cut)


def _list_sentences(language: Language[S, V], limit: int) -> list[str] | None:
    """All sentences, those of few moves first; None where there are more than `limit`."""
    sentences: list[str] = []
    level = [("", language.start())]
    while level:
        after: list[tuple[str, S]] = []
        for text, state in level:
            if isinstance(language.moves(state), FreeText):
                return None
            if language.accepting(state):
                sentences.append(text)
            moves = islice(_iterate_moves(language, state), limit + 1)
            after += ((text + move_text, following) for move_text, following in moves)
            if len(sentences) > limit or len(after) > limit:
                return None
        level = after
    return sentences


def _iterate_moves(language: Language[S, V], state: S) -> Iterator[tuple[str, S]]:
    """Each move of a state: its text, and the state behind it."""
    moves = _list_moves(language, state)
    for move in range(len(moves)):
        following = language.follow(state, move)
        if following is not None:
            yield moves.text_of(move), following


def _list_moves(language: Language[S, V], state: S) -> Moves:
    """The moves of a state; none where any text may be said."""
    moves = language.moves(state)
    return Moves(()) if isinstance(moves, FreeText) else moves


def _group_next_moves(language: Language[S, V], states: Sequence[S]) -> dict[str, list[Saying[S]]]:
    """The texts that may come next in any of some states, each with the moves that have it."""
    sites: dict[Hashable, list[S]] = {}
    for state in states:
        sites.setdefault(language.site(state), []).append(state)
    sayings: dict[str, list[Saying[S]]] = {}
    for group in sites.values():
        moves = _list_moves(language, group[0])
        excluded = frozenset.intersection(
            *(frozenset(language.list_excluded_moves(s)) for s in group)
        )
        for move in range(len(moves)):
            if move not in excluded:
                sayings.setdefault(moves.text_of(move), []).append((group, move))
    return sayings


def _iterate_states_behind(
    language: Language[S, V], sayings: Sequence[list[Saying[S]]]
) -> Iterator[S]:
    """The states behind some texts, taken from each text in turn.

    At most one more than are followed, so that the caller sees whether any are left out.
    """
    ways = ([(s, move) for group, move in saying for s in group] for saying in sayings)
    ordered = (way for way in chain(*zip_longest(*ways)) if way is not None)
    reached = (language.follow(state, move) for state, move in ordered)
    return islice((state for state in reached if state is not None), _STATES + 1)


def _strip_leading_spaces(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts without the space that each begins with."""
    return tuple(text.removeprefix(" ") for text in texts)
