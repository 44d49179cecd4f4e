"""Reads questions and scores moves with the network, and remembers the moves of schemas."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from trellis.decoding.move_search import ScoredMoves
from trellis.models.reader.features import EncodedText, TextEncoder, hash_move_words, pad_rows
from trellis.models.reader.moves import END_MOVE, ReaderMove, is_ahead, list_lone_turns, pair_turns
from trellis.models.reader.network import MatchedMoves, QuestionRows, ReaderNetwork, compare_words

_MOST_TEXTS = 100_000  # whose vectors are remembered: 150 MB at most
_BATCH = 64


class MoveMemory:
    """The vectors of what moves say, each computed once; those used last are remembered."""

    def __init__(self, network: ReaderNetwork, encoder: TextEncoder) -> None:
        self.network = network
        self.encoder = encoder
        self._vectors: OrderedDict[str, Tensor] = OrderedDict()
        self._words: dict[str, NDArray[np.int32]] = {}

    def read_moves(self, moves: Sequence[ReaderMove]) -> tuple[Tensor, Tensor]:
        """The rows [moves, width] of moves, and the words of each and of its context
        [moves, 2, words, 3]."""
        self._remember([text for move in moves for text in (move.words, move.context)])
        words = torch.stack([self._vectors[move.words] for move in moves])
        context = torch.stack([self._vectors[move.context] for move in moves])
        kinds = torch.tensor([move.kind for move in moves])
        turns = torch.tensor([move.direction for move in moves])
        numbers = np.stack([[self._words[m.words], self._words[m.context]] for m in moves])
        rows = self.network.read_moves(words, context, kinds, turns)
        self._forget()
        return rows, torch.from_numpy(numbers)

    def read_words(self, moves: Sequence[ReaderMove]) -> Tensor:
        """The vectors [moves, base] of the words of moves."""
        self._remember([move.words for move in moves])
        return torch.stack([self._vectors[move.words] for move in moves])

    def _remember(self, texts: Sequence[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        for text in dict.fromkeys(texts):
            if text in self._vectors:
                self._vectors.move_to_end(text)
        encoded = [(text, self.encoder.encode_move_text(text)) for text in new]
        encoded.sort(key=lambda pair: len(pair[1].ids))
        for at in range(0, len(encoded), _BATCH):
            some = encoded[at : at + _BATCH]
            ids, seen = _pad([each for _, each in some])
            vectors = self.network.read_texts(ids, seen)
            for (text, _), vector in zip(some, vectors, strict=True):
                self._vectors[text], self._words[text] = vector, hash_move_words(text)

    def _forget(self) -> None:
        while len(self._vectors) > _MOST_TEXTS:
            text, _ = self._vectors.popitem(last=False)
            del self._words[text]


class QuestionScorer:
    """Scores moves for one question; a `MoveScorer`.

    `task`: 0 of queries, 1 of paths. `read_site`: what the moves of a state say. `pair`: the
    places of moves that turn one relationship, whose direction is told by itself. `every`: all
    moves that sentences of the task may have over the graph's schema; empty: those met count.
    `one_way`: the words of relationships between nodes of one label whose direction means
    something.
    """

    end = END_MOVE

    def __init__(
        self,
        memory: MoveMemory,
        question: str,
        task: int,
        read_site: Callable[[Any], Sequence[ReaderMove]],
        pair: Callable[[Sequence[ReaderMove]], Sequence[tuple[int, int]]] = pair_turns,
        every: Sequence[ReaderMove] = (),
        one_way: Collection[str] = (),
    ) -> None:
        self._memory = memory
        self._read_site = read_site
        self._pair = pair
        encoded = memory.encoder.encode_question(question)
        self._asked = torch.from_numpy(encoded.words)[None]
        ids, seen = _pad([encoded])
        self._tokens = memory.network.encoder(ids, seen)
        self._question = memory.network.read_question_vectors(self._tokens, seen)
        self._task = torch.tensor([task])
        self._numbers: dict[ReaderMove, int] = {}
        self._matched: MatchedMoves | None = None
        self.weighs_forced = bool(every)
        self._every, self._one_way = frozenset(every), one_way
        self._meet_moves((END_MOVE, *every) if every else ())

    def list_moves(self, state: Any) -> Sequence[ReaderMove]:
        return self._read_site(state)

    def score_moves(
        self, said: Sequence[Sequence[ReaderMove]], offered: Sequence[Sequence[ReaderMove]]
    ) -> list[ScoredMoves]:
        """As of `MoveScorer`."""
        self._meet_moves([move for moves in (*said, *offered) for move in moves])
        expected = self._expect(said)
        logits = self._score_all(expected).double().numpy()
        masses = np.logaddexp.reduce(logits, axis=1)
        chosen = [
            row[[self._numbers[move] for move in moves]]
            for row, moves in zip(logits, offered, strict=True)
        ]
        self._share_directions(expected, chosen, offered)
        turned = self._judge_lone_directions(expected, logits, offered)
        scored = zip(chosen, masses, turned, strict=True)
        return [ScoredMoves(row, float(mass), turns) for row, mass, turns in scored]

    def _share_directions(
        self,
        expected: Tensor,
        logits: Sequence[NDArray[np.float64]],
        offered: Sequence[Sequence[ReaderMove]],
    ) -> None:
        """Share the mass of the two directions of a relationship that are both offered, behind each
        sentence, between them."""
        pairs = [(row, *pair) for row, moves in enumerate(offered) for pair in self._pair(moves)]
        if not pairs:
            return
        margins = torch.tensor(
            [logits[row][ahead] - logits[row][back] for row, ahead, back in pairs]
        )
        words = [offered[row][ahead] for row, ahead, _ in pairs]
        told = self._tell_direction(words, expected[[row for row, *_ in pairs], 0], margins)
        shares = functional.logsigmoid(torch.stack((told, -told), 1)).numpy()
        for (row, *both), share in zip(pairs, shares, strict=True):
            logits[row][both] = np.logaddexp(*logits[row][both]) + share

    def _judge_lone_directions(
        self, expected: Tensor, logits: NDArray[np.float64], offered: Sequence[Sequence[ReaderMove]]
    ) -> list[NDArray[np.float64]]:
        """The log share of the direction of each move, where the other one is missing there;
        `logits`: of all moves met, behind each sentence."""
        shares = [np.zeros(len(moves)) for moves in offered]
        lone = [
            (row, place, other)
            for row, moves in enumerate(offered)
            for place, other in list_lone_turns(moves, self._every, self._one_way)
        ]
        if not lone:
            return shares
        words = [offered[row][place] for row, place, _ in lone]
        margins = torch.tensor(
            [
                logits[row, self._numbers[move]] - logits[row, self._numbers[other]]
                for (row, _, other), move in zip(lone, words, strict=True)
            ]
        )
        ahead = torch.tensor([1.0 if is_ahead(move) else -1.0 for move in words])
        behind = expected[[row for row, *_ in lone], 0]
        told = ahead * self._tell_direction(words, behind, ahead * margins)
        for (row, place, _), share in zip(lone, functional.logsigmoid(told), strict=True):
            shares[row][place] = float(share)
        return shares

    def _tell_direction(
        self, moves: Sequence[ReaderMove], expected: Tensor, margins: Tensor
    ) -> Tensor:
        """The log-odds that relationships go ahead, and not back; `margins`: those without it."""
        told: Tensor = self._memory.network.turn(
            self._tokens,
            self._question.seen,
            self._memory.read_words(moves),
            expected,
            margins.float(),
        ).double()
        return told

    def _meet_moves(self, moves: Sequence[ReaderMove]) -> None:
        """Match moves that are new with the question."""
        new = [move for move in dict.fromkeys(moves) if move not in self._numbers]
        if not new:
            return
        for move in new:
            self._numbers[move] = len(self._numbers)
        rows, words = self._memory.read_moves(new)
        features = compare_words(words[None, :, 0], words[None, :, 1], self._asked)
        matched = self._memory.network.match_moves(rows[None], self._question, features.float())
        before = self._matched
        self._matched = matched if before is None else before.join_moves(matched)

    def _expect(self, said: Sequence[Sequence[ReaderMove]]) -> Tensor:
        """What is expected [sentences, 1, width] behind each sentence."""
        assert self._matched is not None
        network, count = self._memory.network, len(said)
        behind = (self._matched.rows + self._matched.looks)[0]
        longest = max(map(len, said))
        history = behind.new_zeros((count, longest, behind.shape[1]))
        for row, moves in enumerate(said):
            if moves:
                history[row, : len(moves)] = behind[[self._numbers[move] for move in moves]]
        questions = self._repeat_question(count)
        expected = network.decode_steps(history, questions, self._task.expand(count))
        last = torch.tensor([len(moves) for moves in said])
        return expected[torch.arange(count), last][:, None]

    def _score_all(self, expected: Tensor) -> Tensor:
        """The logits [sentences, moves] of all moves met, behind each sentence."""
        assert self._matched is not None
        count = len(expected)
        questions, matched = self._repeat_question(count), self._matched.expand_batch(count)
        return self._memory.network.score_moves(expected, questions, matched)[:, 0]

    def _repeat_question(self, count: int) -> QuestionRows:
        rows, seen = self._question.rows, self._question.seen
        return QuestionRows(rows.expand(count, -1, -1), seen.expand(count, -1))


def _pad(texts: Sequence[EncodedText]) -> tuple[Tensor, Tensor]:
    ids, seen = pad_rows(texts)
    return torch.from_numpy(ids), torch.from_numpy(seen)
