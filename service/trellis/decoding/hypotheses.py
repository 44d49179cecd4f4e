"""What a search holds: live beams, ended sentences, and the options of all live beams."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.automata.tokens.vocabulary import Tokens
from trellis.decoding.cursor import END, Cursor
from trellis.decoding.scorer import Scorer
from trellis.domain.models.decoding import Search, Sentence


@dataclass(frozen=True, slots=True)
class Beam:
    """A live cursor: the live beam with index `parent` before the last choice, and `new_tokens`
    tokens."""

    cursor: Cursor
    parent: int
    new_tokens: Tokens


@dataclass(frozen=True, slots=True)
class Ending:
    """A sentence that has ended; its text and values are looked up when it is asked for.

    `is_choice`: whether it could have gone on instead of ending. `share`: the log of the share of
    probability that its last options had.
    """

    cursor: Cursor
    score: float
    is_choice: bool = False
    share: float = 0.0

    @property
    def key(self) -> Hashable:
        """Equal for spellings of one sentence with one meaning; only free text has several."""
        automaton, cursor = self.cursor.automaton, self.cursor
        if not automaton.has_free_text:
            return cursor.tokens
        return automaton.find_ending_states(cursor.state)

    def compute_rank(self, search: Search) -> float:
        """What sentences are ordered by: the score, normalised as the search says."""
        return normalise_score(self.score, self.cursor.choices + self.is_choice, search)

    def finish_sentence(self) -> Sentence:
        return self.cursor.finish_sentence(self.score, self.is_choice, self.share)


def normalise_score(score: float, choices: int, search: Search) -> float:
    """A score divided by choices ** length_penalty; the score itself where the penalty is 0."""
    return (
        score / float(max(choices, 1) ** search.length_penalty) if search.length_penalty else score
    )


def sort_best_first(endings: Iterable[Ending], search: Search) -> list[Ending]:
    """Endings sorted by rank, best first; those of one rank by tokens.

    Of several spellings of one sentence the best is left.
    """
    ranked = sorted(
        endings, key=lambda ending: (-ending.compute_rank(search), ending.cursor.tokens)
    )
    distinct: dict[Hashable, Ending] = {}
    for ending in ranked:
        distinct.setdefault(ending.key, ending)
    return list(distinct.values())


def merge_spellings(beams: Sequence[Beam]) -> list[Beam]:
    """The beams without those that are in the state of an earlier one, which they spell otherwise;
    without free text there are none."""
    distinct: dict[Hashable, Beam] = {}
    for beam in beams:
        automaton, state = beam.cursor.automaton, beam.cursor.state
        distinct.setdefault(state if automaton.has_free_text else beam.cursor.tokens, beam)
    return list(distinct.values())


@dataclass(frozen=True, slots=True)
class Offers:
    """The n options of all live cursors in flat arrays, those of one cursor together.

    `scores`: the score of the sentence so far with the offered token.
    """

    cursors: Sequence[Cursor]
    has_choice: Sequence[bool]  # [cursors]: whether a cursor has more than one option
    shares: NDArray[np.float64]  # [cursors]: log share of probability that its options have
    starts: NDArray[np.intp]  # [cursors]: each cursor's first offer
    owners: NDArray[np.intp]  # [n]: the index of the cursor whose offer it is
    tokens: NDArray[np.int32]  # [n]: a token, or `END`
    scores: NDArray[np.float64]  # [n]

    def end_sentence(self, offer: int) -> Ending:
        """The ended sentence of the offer with index `offer`, which offers `END`."""
        owner = int(self.owners[offer])
        is_choice, share = self.has_choice[owner], float(self.shares[owner])
        cursor = self.cursors[owner]
        return Ending(cursor, float(self.scores[offer]) - cursor.ending_loss, is_choice, share)

    def take_offer(self, offer: int) -> Beam | Ending:
        """Take the offer with index `offer`: a live beam, or an ending where the sentence can only
        end."""
        if self.tokens[offer] == END:
            return self.end_sentence(offer)
        owner, score = int(self.owners[offer]), float(self.scores[offer])
        before = self.cursors[owner]
        share = float(self.shares[owner])
        cursor = before.advance(int(self.tokens[offer]), score, self.has_choice[owner], share)
        if cursor.is_ended:
            return Ending(cursor, score - cursor.ending_loss)
        return Beam(cursor, owner, cursor.tokens[len(before.tokens) :])

    def find_best(self, worth: NDArray[np.float64], count: int, first: int = 0) -> list[int]:
        """The indices of the `count` offers of most worth, best first; ties are broken by tokens.

        `worth`: of the offers from index `first` on; offers of worth -inf are left out.
        """
        floor = -np.inf
        if len(worth) > count:
            floor = np.partition(worth, -count)[-count]
        enough = first + np.flatnonzero((worth >= floor) & (worth > -np.inf))
        before = [self.cursors[owner].tokens for owner in self.owners[enough].tolist()]
        keys = zip(
            (-worth[enough - first]).tolist(), before, self.tokens[enough].tolist(), strict=True
        )
        ranked = sorted(zip(keys, enough.tolist(), strict=True))
        return [at for _, at in ranked[:count]]


def score_options(
    cursors: Sequence[Cursor], scorer: Scorer, first: int, temperature: float
) -> Offers:
    """The offers of live cursors, scored by a model that has read them in its rows from `first` on.

    Logits are divided by `temperature` and renormalised over the options of each cursor. All ids
    that end a text are one option, `END`, with the sum of their probabilities. Their share is that
    of all tokens which sentences of the task may have (`TokenAutomaton.alphabet`).
    """
    options = [cursor.find_options() for cursor in cursors]
    starts, owner = _lay_side_by_side(options)
    tokens = np.concatenate(options)
    ends = list(cursors[0].automaton.vocabulary.ends)
    gains = _read_gains(scorer, first + owner, tokens, ends, temperature)
    masses = sum_logits(gains, starts, owner)
    several = [len(tokens) > 1 for tokens in options]
    shares = _measure_shares(cursors, scorer, first, masses, np.flatnonzero(several), temperature)
    scores = _add_gains(cursors, owner, np.minimum(gains - masses[owner], 0.0))
    return Offers(cursors, several, shares, starts, owner, tokens, scores)


def _measure_shares(
    cursors: Sequence[Cursor],
    scorer: Scorer,
    first: int,
    masses: NDArray[np.float64],
    choosing: NDArray[np.intp],
    temperature: float,
) -> NDArray[np.float64]:
    """The log shares [cursors] of probability that options have; 0 for cursors without a choice.

    `masses`: the log of the options' unnormalised probability. `choosing`: the cursors that have a
    choice.
    """
    shares = np.zeros(len(cursors))
    if len(choosing):
        alphabet = cursors[0].automaton.alphabet
        total = scorer.measure_mass(first + choosing, alphabet, temperature)
        shares[choosing] = np.minimum(masses[choosing] - total, 0.0)
    return shares


def _read_gains(
    scorer: Scorer,
    rows: NDArray[np.intp],
    tokens: NDArray[np.int32],
    ends: Sequence[int],
    temperature: float,
) -> NDArray[np.float64]:
    """The logits [n] of options after rows, divided by the temperature; those of `END` are of all
    ids that end a text."""
    ending = np.flatnonzero(tokens == END)
    asked_rows = np.concatenate((rows, np.repeat(rows[ending], len(ends))))
    asked = np.concatenate((np.maximum(tokens, 0), np.tile(ends, len(ending))))
    logits = scorer.read_logits(asked_rows, asked.astype(np.intp)).astype(np.float64) / temperature
    gains = logits[: len(tokens)]
    if len(ending):
        gains[ending] = np.logaddexp.reduce(logits[len(tokens) :].reshape(-1, len(ends)), axis=1)
    return gains


@dataclass(frozen=True, slots=True)
class NextTokenScores:
    """An engine's scores for one cursor's next token: of all options, or of the likeliest alone.

    `tokens`: tokens or `END`. `gains`: their log-probabilities, renormalised over all options of
    the cursor. `has_choice`: whether there was more than one option. `share`: the log of the share
    of probability that all options have.
    """

    tokens: NDArray[np.int32]
    gains: NDArray[np.float64]
    has_choice: bool
    share: float = 0.0


def collect_options(cursors: Sequence[Cursor], rows: Sequence[NextTokenScores]) -> Offers:
    """The offers of live cursors, scored by an engine that masks; `rows`: one for each cursor."""
    tokens = [row.tokens for row in rows]
    starts, owner = _lay_side_by_side(tokens)
    gains = np.concatenate([row.gains for row in rows])
    several = [row.has_choice for row in rows]
    shares = np.array([row.share for row in rows])
    flat = np.concatenate(tokens)
    scores = _add_gains(cursors, owner, gains)
    return Offers(cursors, several, shares, starts, owner, flat, scores)


def _lay_side_by_side(
    options: Sequence[NDArray[np.int32]],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The start of each cursor's options in the flat arrays, and the owner of each option."""
    counts = np.array([len(tokens) for tokens in options])
    return np.cumsum(counts) - counts, np.repeat(np.arange(len(options)), counts)


def _add_gains(
    cursors: Sequence[Cursor], owners: NDArray[np.intp], gains: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The score of each option: that of its owner's sentence so far, and the option's gain."""
    total: NDArray[np.float64] = np.array([cursor.score for cursor in cursors])[owners] + gains
    return total


def sum_logits(
    logits: NDArray[np.float64], starts: NDArray[np.intp], owners: NDArray[np.intp]
) -> NDArray[np.float64]:
    """The log-sum-exp [owners] of the logits of each owner in flat arrays."""
    peaks = np.maximum.reduceat(logits, starts)
    total: NDArray[np.float64] = np.log(np.add.reduceat(np.exp(logits - peaks[owners]), starts))
    return peaks + total
