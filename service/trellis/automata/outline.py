"""What can be said in a language, shortly: for a model that is told it, because it has no masks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from trellis.automata.language import Language, MoveId, S, V
from trellis.automata.nearest import sharing

_STATES = 30
"""States that are looked at for one step."""

_STEPS = 12
"""Steps that are listed at most: a listing of more helps nobody."""


Saying = tuple[Sequence[S], MoveId]
"""States of one site, and the move of theirs that says a text."""


@dataclass(frozen=True, slots=True)
class Outline:
    """All sentences where they are few; else what can be said at each step, whatever was before.

    `cut`: whether this is a part of what can be said, near to the question.
    """

    sentences: tuple[str, ...] = ()
    steps: tuple[tuple[str, ...], ...] = ()
    cut: bool = False

    @property
    def empty(self) -> bool:
        return not self.sentences and not self.steps


def outlined(language: Language[S, V], question: str, limit: int) -> Outline:
    """The language in at most `limit` sentences, or in at most `limit` texts a step."""
    sentences = _sentences(language, limit)
    if sentences is not None:
        return Outline(sentences=_bare(sentences))
    steps: list[tuple[str, ...]] = []
    states, cut = [language.start()], False
    while len(steps) < _STEPS:
        found = _next(language, states)
        if not found:
            break
        texts = list(found)
        kept = sharing(texts, question.lower(), limit)
        steps.append(_bare(texts[i] for i in sorted(kept)))
        behind = list(_behind(language, [found[texts[i]] for i in kept]))
        cut = cut or len(kept) < len(texts) or len(behind) > _STATES
        states = behind[:_STATES]
    return Outline(steps=tuple(steps), cut=cut)


def _sentences(language: Language[S, V], limit: int) -> list[str] | None:
    """All sentences, those of few moves first; None where there are more than `limit`."""
    found: list[str] = []
    level = [("", language.start())]
    while level:
        after: list[tuple[str, S]] = []
        for text, state in level:
            if language.accepting(state):
                found.append(text)
            moves = islice(_moves(language, state), limit + 1)
            after += ((text + said, following) for said, following in moves)
            if len(found) > limit or len(after) > limit:
                return None
        level = after
    return found


def _moves(language: Language[S, V], state: S) -> Iterator[tuple[str, S]]:
    """What a state may say next, and the state behind it."""
    moves = language.moves(state)
    for move in range(len(moves)):
        following = language.follow(state, move)
        if following is not None:
            yield moves.said(move), following


def _next(language: Language[S, V], states: Sequence[S]) -> dict[str, list[Saying[S]]]:
    """What may be said next in any of some states: for each text, what says it."""
    sites: dict[Hashable, list[S]] = {}
    for state in states:
        sites.setdefault(language.site(state), []).append(state)
    found: dict[str, list[Saying[S]]] = {}
    for group in sites.values():
        moves = language.moves(group[0])
        gone = frozenset.intersection(*(frozenset(language.excluded(s)) for s in group))
        for move in range(len(moves)):
            if move not in gone:
                found.setdefault(moves.said(move), []).append((group, move))
    return found


def _behind(language: Language[S, V], sayings: Sequence[list[Saying[S]]]) -> Iterator[S]:
    """The states behind some texts, one of each text in turn; one more than are looked at."""
    ways = ([(s, move) for group, move in saying for s in group] for saying in sayings)
    ordered = (way for way in chain(*zip_longest(*ways)) if way is not None)
    reached = (language.follow(state, move) for state, move in ordered)
    return islice((state for state in reached if state is not None), _STATES + 1)


def _bare(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts as they are listed: what follows is parted by a space anyway."""
    return tuple(text.removeprefix(" ") for text in texts)
