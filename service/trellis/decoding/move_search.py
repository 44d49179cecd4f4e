"""Beam search over the moves of a language, for models that score moves and know no tokens.

Scores are as those of token searches: log-probabilities renormalised over what the language offers,
and a move that is the only one costs nothing. Support is what the offered moves have of the
probability of all moves that the scorer knows of.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from trellis.automata.language import MoveId, WeighedLanguage
from trellis.decoding.hypotheses import normalise_score
from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Search, Sentence, Support

F = TypeVar("F", bound=Hashable)

MOST_MOVES = 80
"""Moves of a sentence: moves are offered only where the sentence can still end within them."""


@dataclass(frozen=True, slots=True)
class ScoredMoves:
    """The logits of what is offered, and the log of the mass of all moves known so far, these among
    them. `turned`: the log share of the direction of each move whose other direction is missing;
    None where none is told."""

    logits: NDArray[np.float64]
    mass: float
    turned: NDArray[np.float64] | None = None


class MoveLanguage(Protocol):
    """What the search asks of a language, or of what stands for one: its methods have the same
    meanings, and the moves of a state are as many as the scorer says."""

    def start(self) -> Any: ...

    def list_excluded_moves(self, state: Any) -> Collection[MoveId]: ...

    def follow(self, state: Any, move: MoveId) -> Any: ...

    def accepting(self, state: Any) -> bool: ...

    def values(self, state: Any) -> tuple[Any, ...]: ...

    def text(self, state: Any) -> str: ...

    def reserve(self, state: Any) -> tuple[int, int]: ...


class MoveScorer(Protocol[F]):
    """A model that has read a question. A move is known to it by what it says (`F`).

    `weighs_forced`: whether it knows all moves of the task from the start, so that a move that is
    the only one is weighed against those that the language refused.
    """

    weighs_forced: bool

    @property
    def end(self) -> F:
        """The end of a sentence."""
        ...

    def list_moves(self, state: Any) -> Sequence[F]:
        """What the moves of a state's site say, in their order."""
        ...

    def score_moves(
        self, said: Sequence[Sequence[F]], offered: Sequence[Sequence[F]]
    ) -> Sequence[ScoredMoves]:
        """The scores of what is offered behind each sentence, by the moves that were said."""
        ...


@dataclass(frozen=True, slots=True)
class MoveBeam(Generic[F]):
    """A sentence that is being written: its state, and what its moves say."""

    state: Any
    said: tuple[F, ...] = ()
    score: float = 0.0
    choices: int = 0
    support: Support = Support()  # noqa: RUF009  frozen


@dataclass(frozen=True, slots=True)
class MoveOption(Generic[F]):
    """A way to go on with a beam: by a move, or by its end (None). `score`: of the sentence with
    it. `share`: the log of the share of probability that the beam's options have; `turned`: that of
    its direction (`ScoredMoves`)."""

    beam: MoveBeam[F]
    move: MoveId | None
    says: F
    score: float
    is_choice: bool = False
    share: float = 0.0
    turned: float = 0.0

    def take(self, language: MoveLanguage) -> MoveBeam[F]:
        """The sentence behind it."""
        before = self.beam
        state = before.state if self.move is None else language.follow(before.state, self.move)
        choices = before.choices + self.is_choice
        support = before.support.add_choice(self.share, len(before.said), self.turned)
        return MoveBeam(state, (*before.said, self.says), self.score, choices, support)


class MoveSearch(Generic[F]):
    """The search for one question."""

    def __init__(self, language: MoveLanguage, scorer: MoveScorer[F], search: Search) -> None:
        """Raises InputError for modes that are no plain beam search."""
        if search.mode not in ("beam", "greedy") or search.diversity:
            raise InputError(
                f"mode {search.mode} of diversity {search.diversity:g} does not search moves",
                "search by plain beams",
            )
        self._language = language
        self._scorer = scorer
        self._search = search
        self._width = 1 if search.mode == "greedy" else search.width
        self._ended: list[MoveBeam[F]] = []

    def find_sentences(self) -> list[Sentence]:
        """Up to `width` sentences, best first."""
        live: list[MoveBeam[F]] = [MoveBeam(self._language.start())]
        while live:
            options = self._list_options(live)
            ended = (each for each in options if each.move is None)
            self._add_ended([self._end_sentence(each) for each in ended])
            going = [each for each in options if each.move is not None]
            going.sort(key=lambda option: -option.score)
            live = [each.take(self._language) for each in going[: self._width]]
            live = [beam for beam in live if self._is_promising(beam)]
        return [self._build_sentence(beam) for beam in self._ended]

    def _list_options(self, live: Sequence[MoveBeam[F]]) -> list[MoveOption[F]]:
        """The options of all live beams."""
        least = 1 if self._scorer.weighs_forced else 2
        offers = [self._list_offers(beam) for beam in live]
        weighed = [pair for pair in zip(live, offers, strict=True) if len(pair[1]) >= least]
        free = [pair for pair in zip(live, offers, strict=True) if 0 < len(pair[1]) < least]
        options = [MoveOption(beam, *own[0], beam.score) for beam, own in free]
        if weighed:
            scored = self._scorer.score_moves(
                [beam.said for beam, _ in weighed],
                [[says for _, says in own] for _, own in weighed],
            )
            for (beam, own), scores in zip(weighed, scored, strict=True):
                options += self._score_options(beam, own, scores)
        return options

    def _list_offers(self, beam: MoveBeam[F]) -> list[tuple[MoveId | None, F]]:
        """The moves that may come next, each with what it says; the end first."""
        language, state = self._language, beam.state
        ends = [(None, self._scorer.end)] if language.accepting(state) else []
        if ends and len(beam.said) + 1 + language.reserve(state)[1] > MOST_MOVES:
            return [*ends]
        excluded = language.list_excluded_moves(state)
        says = self._scorer.list_moves(state)
        return [*ends, *((move, each) for move, each in enumerate(says) if move not in excluded)]

    def _score_options(
        self, beam: MoveBeam[F], offers: Sequence[tuple[MoveId | None, F]], scored: ScoredMoves
    ) -> list[MoveOption[F]]:
        """The options that may be among the best ones, and the end."""
        logits = scored.logits / self._search.temperature
        gains = np.minimum(logits - np.logaddexp.reduce(logits), 0.0)
        share = min(0.0, float(np.logaddexp.reduce(scored.logits)) - scored.mass)
        best = np.argsort(-gains, kind="stable")[: self._width + 1].tolist()
        if offers[0][0] is None and 0 not in best:
            best.append(0)  # no other beam ends as this one does
        turned = np.zeros(len(offers)) if scored.turned is None else scored.turned
        chosen = [(*offers[it], float(gains[it]), float(turned[it])) for it in best]
        is_choice = len(offers) > 1
        return [
            MoveOption(beam, move, says, beam.score + gain, is_choice, share, turn)
            for move, says, gain, turn in chosen
        ]

    def _end_sentence(self, option: MoveOption[F]) -> MoveBeam[F]:
        beam, language = option.take(self._language), self._language
        if not isinstance(language, WeighedLanguage):
            return beam
        loss = language.measure_ending_loss(beam.state)
        return MoveBeam(beam.state, beam.said, beam.score - loss, beam.choices, beam.support)

    def _add_ended(self, ended: Sequence[MoveBeam[F]]) -> None:
        ranked = sorted((*self._ended, *ended), key=lambda beam: -self._rank(beam))
        self._ended = ranked[: self._width]

    def _rank(self, beam: MoveBeam[F]) -> float:
        return normalise_score(beam.score, beam.choices, self._search)

    def _is_promising(self, beam: MoveBeam[F]) -> bool:
        """Whether a live sentence can still come among the best ones."""
        if not self._ended or self._search.length_penalty:
            return len(beam.said) < 2 * MOST_MOVES
        worst = self._ended[-1].score if len(self._ended) == self._width else -np.inf
        margin = self._search.margin
        least = self._ended[0].score - margin if margin else -np.inf
        return beam.score > max(worst, least)

    def _build_sentence(self, beam: MoveBeam[F]) -> Sentence:
        text = self._language.text(beam.state).strip()
        values = self._language.values(beam.state)
        return Sentence(text, (), values, beam.score, beam.choices, beam.support)


def search_moves(language: MoveLanguage, scorer: MoveScorer[F], search: Search) -> list[Sentence]:
    """Up to `search.width` sentences of a language, best first."""
    return MoveSearch(language, scorer, search).find_sentences()
