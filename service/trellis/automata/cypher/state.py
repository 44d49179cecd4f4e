"""What has been said of a query so far, and what may be said next."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trellis.automata.cypher.query import QueryGraph
from trellis.automata.cypher.ways import End
from trellis.automata.language import MoveId, Moves
from trellis.automata.segments import digest

_FEW = 64


@dataclass(frozen=True, eq=False, slots=True)
class State:
    """A query said so far. `then` gives what comes next; `complete`: the sentence may end.

    For each node: `ends`, the labels that it can have and where it stands; `words`, how it is
    called. `steps`: of each relationship, which of the schema's ways of its source it is.
    `filtered`: which of the filters that the last node can have was said last; -1 for none.
    """

    said: str
    then: Then
    query: QueryGraph = QueryGraph()  # noqa: RUF009
    ends: tuple[End, ...] = ()
    words: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    filtered: int = -1
    complete: bool = False

    def after(self, text: str, then: Then, complete: bool = False, **changes: Any) -> State:
        """The state behind one more text."""
        return replace(self, said=self.said + text, then=then, complete=complete, **changes)


@dataclass(frozen=True, eq=False, slots=True)
class Group:
    """Moves of one kind: their texts, and the state behind each. Equal keys have equal texts."""

    texts: Sequence[str]
    follow: Callable[[int], State]
    key: Hashable

    @classmethod
    def of(cls, texts: Sequence[str], follow: Callable[[int], State]) -> Group:
        return cls(texts, follow, key_of(texts))

    @classmethod
    def word(cls, text: str, follow: Callable[[], State]) -> Group:
        """One move."""
        return cls((text,), lambda _: follow(), text)


def key_of(texts: Sequence[str]) -> Hashable:
    """Some texts as a key: themselves, or a digest of many."""
    return tuple(texts) if len(texts) <= _FEW else digest(texts)


Then = Callable[[State], Iterator[Group]]


class Options:
    """The moves of one state; a state behind one is made once."""

    __slots__ = ("_groups", "_states", "site")

    def __init__(self, state: State) -> None:
        self._groups = [group for group in state.then(state) if group.texts]
        self._states: dict[MoveId, State] = {}
        self.site: Hashable = tuple(group.key for group in self._groups)

    def __len__(self) -> int:
        return sum(len(group.texts) for group in self._groups)

    def moves(self) -> Moves:
        if len(self._groups) == 1:
            return Moves(self._groups[0].texts)
        return Moves([text for group in self._groups for text in group.texts])

    def follow(self, move: MoveId) -> State:
        found = self._states.get(move)
        if found is None:
            found = self._states[move] = self._made(move)
        return found

    def _made(self, move: MoveId) -> State:
        for group in self._groups:
            if move < len(group.texts):
                return group.follow(move)
            move -= len(group.texts)
        raise IndexError(move)
