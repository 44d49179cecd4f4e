"""What a search holds: live sentences, ended ones, and all that the live ones may say next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.automata.vocabulary import Tokens
from trellis.decoding.cursor import END, Cursor
from trellis.decoding.scorer import Logits
from trellis.domain.decoding import Search, Sentence


@dataclass(frozen=True, slots=True)
class Beam:
    """A live cursor: the search's live beam `parent` of one choice ago, and then `fresh` tokens."""

    cursor: Cursor
    parent: int
    fresh: Tokens


@dataclass(frozen=True, slots=True)
class Ending:
    """A sentence that has ended, its text and readings not looked up yet."""

    cursor: Cursor
    score: float
    choice: bool = False

    def rank(self, search: Search) -> float:
        """What sentences are ordered by: score, normalised by choices where asked for."""
        return rank(self.score, self.cursor.choices + self.choice, search)

    def sentence(self) -> Sentence:
        return self.cursor.finished(self.score, self.choice)


def rank(score: float, choices: int, search: Search) -> float:
    """A score, normalised by choices where asked for."""
    return (
        score / float(max(choices, 1) ** search.length_penalty) if search.length_penalty else score
    )


def best_first(endings: Iterable[Ending], search: Search) -> list[Ending]:
    """Endings by rank, equal ones by tokens."""
    return sorted(endings, key=lambda ending: (-ending.rank(search), ending.cursor.tokens))


@dataclass(frozen=True, slots=True)
class Offers:
    """What live cursors may say next, side by side: n offers, those of one cursor together.

    `scores`: what the sentence so far scores with the offered token.
    """

    cursors: Sequence[Cursor]
    several: Sequence[bool]  # [cursors]: whether there is anything to choose
    starts: NDArray[np.intp]  # [cursors]: where the offers of each begin
    owner: NDArray[np.intp]  # [n]: whose offer it is
    tokens: NDArray[np.int32]  # [n]: `END`, or a token
    scores: NDArray[np.float64]  # [n]

    def ending(self, at: int) -> Ending:
        """The sentence that an offer to end makes."""
        owner = int(self.owner[at])
        return Ending(self.cursors[owner], float(self.scores[at]), self.several[owner])

    def taken(self, at: int) -> Beam | Ending:
        """What comes of an offer: a live beam, or a sentence with nothing more to say."""
        if self.tokens[at] == END:
            return self.ending(at)
        owner, score = int(self.owner[at]), float(self.scores[at])
        before = self.cursors[owner]
        cursor = before.said(int(self.tokens[at]), score, self.several[owner])
        if cursor.ended:
            return Ending(cursor, score)
        return Beam(cursor, owner, cursor.tokens[len(before.tokens) :])

    def best(self, worth: NDArray[np.float64], count: int, first: int = 0) -> list[int]:
        """The `count` offers of most worth, equal ones by tokens; none of worth -inf.

        `worth`: of the offers from `first` on.
        """
        floor = -np.inf
        if len(worth) > count:
            floor = np.partition(worth, -count)[-count]
        enough = first + np.flatnonzero((worth >= floor) & (worth > -np.inf))
        said = [self.cursors[owner].tokens for owner in self.owner[enough].tolist()]
        keys = zip(
            (-worth[enough - first]).tolist(), said, self.tokens[enough].tolist(), strict=True
        )
        ranked = sorted(zip(keys, enough.tolist(), strict=True))
        return [at for _, at in ranked[:count]]


def offered(cursors: Sequence[Cursor], logits: Logits, temperature: float) -> Offers:
    """All that live cursors may say next; `logits` [cursors, vocabulary].

    Renormalised over what each cursor allows. All ids that end a text are one option, as likely
    as they are together.
    """
    options = [cursor.options() for cursor in cursors]
    starts, owner = _side_by_side(options)
    tokens = np.concatenate(options)
    gains = logits[owner, tokens].astype(np.float64)
    ending = np.flatnonzero(tokens == END)
    if len(ending):
        ends = list(cursors[0].automaton.vocabulary.ends)
        together = logits[owner[ending, None], ends].astype(np.float64)
        gains[ending] = np.logaddexp.reduce(together, axis=1)
    gains = renormalised(gains / temperature, starts, owner)
    several = [len(tokens) > 1 for tokens in options]
    return Offers(cursors, several, starts, owner, tokens, _sums(cursors, owner, gains))


@dataclass(frozen=True, slots=True)
class Told:
    """What an engine that masks says of one cursor's next token, most likely ones at least.

    `tokens`: `END`, or tokens; `gains`: their log-probabilities, renormalised over all that the
    cursor allows; `several`: whether that was more than one.
    """

    tokens: NDArray[np.int32]
    gains: NDArray[np.float64]
    several: bool


def told(cursors: Sequence[Cursor], rows: Sequence[Told]) -> Offers:
    """What live cursors may say next, as an engine that masks tells of each."""
    tokens = [row.tokens for row in rows]
    starts, owner = _side_by_side(tokens)
    gains = np.concatenate([row.gains for row in rows])
    several = [row.several for row in rows]
    said = np.concatenate(tokens)
    return Offers(cursors, several, starts, owner, said, _sums(cursors, owner, gains))


def _side_by_side(
    options: Sequence[NDArray[np.int32]],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each cursor's options begin, and whose each is."""
    counts = np.array([len(tokens) for tokens in options])
    return np.cumsum(counts) - counts, np.repeat(np.arange(len(options)), counts)


def _sums(
    cursors: Sequence[Cursor], owner: NDArray[np.intp], gains: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What the sentences so far score with what is gained."""
    total: NDArray[np.float64] = np.array([cursor.score for cursor in cursors])[owner] + gains
    return total


def renormalised(
    logits: NDArray[np.float64], starts: NDArray[np.intp], owner: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Log-probabilities of options side by side, each owner's by themselves; none above 0."""
    logits = logits - np.maximum.reduceat(logits, starts)[owner]
    total: NDArray[np.float64] = np.log(np.add.reduceat(np.exp(logits), starts))
    return logits - total[owner]
