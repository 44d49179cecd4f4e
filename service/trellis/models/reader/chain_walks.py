"""Chains in the moves of paths, which is what the reader has learnt to say.

A chain says `; ENT2` where a path says that another walk begins, and `& X1 =` where it only ends.
What else a chain may do, such as going on from an earlier set, the reader has not learnt: it is not
offered.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from trellis.automata.chains.language import AGAIN, END, JOIN, SetChains
from trellis.automata.chains.states import ChainState
from trellis.automata.language import MoveId, Moves
from trellis.domain.structures.chains import TripleChain
from trellis.models.reader.moves import ReaderMove, read_walk_move


@dataclass(frozen=True, slots=True)
class WalkChain:
    """A chain so far. `starts`: how many of the language's starts it may not use any more.
    `waiting`: the set that the walk before has reached and this one is to meet; empty: none."""

    chain: ChainState
    starts: int = 0
    waiting: str = ""


class ChainWalks:
    """The chains that are walks whose ends meet."""

    def __init__(self, language: SetChains) -> None:
        self._language = language
        self._labels = [start.text.strip() for start in language.starts]

    def start(self) -> WalkChain:
        return WalkChain(self._language.start())

    def list_moves(self, state: WalkChain) -> Sequence[ReaderMove]:
        return [_read_chain_move(text) for text in self._list_texts(state)]

    def list_excluded_moves(self, state: WalkChain) -> Collection[MoveId]:  # noqa: ARG002
        return ()

    def follow(self, state: WalkChain, move: MoveId) -> WalkChain | None:
        text = self._list_texts(state)[move]
        label = text.removeprefix(AGAIN).strip()
        if label not in self._labels:
            return WalkChain(self._say(state.chain, text), state.starts, state.waiting)
        chain = self._meet(state)
        waiting = chain.sets[chain.at].label if chain.triples else ""
        return WalkChain(self._say(chain, text), self._labels.index(label) + 1, waiting)

    def accepting(self, state: WalkChain) -> bool:
        is_end = state.chain.phase == "triple"
        return is_end and (
            not state.waiting or f"{JOIN} {state.waiting}" in self._texts(state.chain)
        )

    def values(self, state: WalkChain) -> tuple[TripleChain, ...]:
        return self._language.values(self._end(state))

    def text(self, state: WalkChain) -> str:
        return self._language.text(self._end(state))

    def reserve(self, state: WalkChain) -> tuple[int, int]:
        return self._language.reserve(state.chain)

    def _list_texts(self, state: WalkChain) -> list[str]:
        """The moves of the language that a walk may take, without its end."""
        texts = self._texts(state.chain)
        if state.chain.phase == "start":
            return list(texts)
        ends = self.accepting(state)
        later = {f"{AGAIN} {label}" for label in self._labels[state.starts :]} if ends else set()
        return [text for text in texts if text in later or text.startswith((" ->", " <-"))]

    def _texts(self, chain: ChainState) -> Sequence[str]:
        moves = self._language.moves(chain)
        assert isinstance(moves, Moves), "chains of sets have no free words"
        return moves.texts

    def _say(self, chain: ChainState, text: str) -> ChainState:
        after = self._language.follow(chain, self._texts(chain).index(text))
        assert after is not None, "the language of chains excludes no move"
        return after

    def _meet(self, state: WalkChain) -> ChainState:
        """The chain with what is reached held to what the walk before has reached."""
        return self._say(state.chain, f"{JOIN} {state.waiting}") if state.waiting else state.chain

    def _end(self, state: WalkChain) -> ChainState:
        return self._say(self._meet(state), END)


def _read_chain_move(text: str) -> ReaderMove:
    return read_walk_move(text.replace(AGAIN, " &", 1) if text.startswith(AGAIN) else text)
