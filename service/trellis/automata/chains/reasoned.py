"""Chains of names with free words between their triples: `Head -> relation -> Tail : so it is …`.

The words are a model's own. They are bounded in tokens, and never become evidence. Source: DoG,
figure 1 (`This tells us …`).
"""

from __future__ import annotations

from dataclasses import replace

from trellis.automata.chains.language import AGAIN, END
from trellis.automata.chains.named import NamedChains, NamedState
from trellis.automata.chains.states import ChainMoves
from trellis.automata.language import FreeText, MoveId, Moves

THINK = " :"
_STOP = frozenset(AGAIN + END) - {" "}


class ReasonedChains(NamedChains):
    """The chains of names with free words of at most `thought_tokens` tokens behind a triple."""

    def follow_text(self, state: NamedState, text: str) -> NamedState | None:
        return replace(state, phase="thought", text=f"{state.text} {text}")

    def _find_moves(self, state: NamedState) -> ChainMoves[NamedState]:
        if state.phase == "think":
            free = FreeText(self.options.thought_tokens, _STOP)
            return ChainMoves(free, free, _follow_nothing)
        if state.phase == "thought":
            return self._find_moves_after_triple(state)
        plain = super()._find_moves(state)
        if state.phase != "triple":
            return plain
        assert isinstance(plain.moves, Moves)
        texts = (*plain.moves.texts, THINK)
        thinking = replace(state, phase="think", text=state.text + THINK)

        def follow(move: MoveId) -> NamedState:
            return thinking if move == len(texts) - 1 else plain.follow(move)

        return ChainMoves(texts, Moves(texts), follow, plain.is_settled)


def _follow_nothing(move: MoveId) -> NamedState:
    raise AssertionError(f"any words may be said here, but it is given move {move}")
