"""Batches of lessons: examples of a few graphs, with the moves that they have in common, and their
texts as the network reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.models.reader.features import TextEncoder, hash_move_words, pad_rows
from trellis.models.reader.moves import KINDS
from trellis.training.reader.lessons import Lessons

Array = NDArray[Any]

_OF_A_GRAPH = 8  # examples of one graph in a batch
_MOST_OPTIONS = 64  # moves of a site that are shown in a batch
_MOST_STEPS = 40
_MOST_TOKENS = 72  # of a question that is learnt from
_PATH_KINDS = frozenset((KINDS.index("start"), KINDS.index("step")))
_IGNORED = -100  # in the place of what is not learnt


@dataclass(frozen=True, eq=False)
class TextVectors:
    """The encoder's vectors: `texts` [texts, base] of what moves say; `questions` [tokens, base] of
    all questions' tokens, those of question i from `offsets[i]` on."""

    texts: Array
    questions: Array
    offsets: Array

    def pad_questions(self, rows: Array, longest: int) -> Array:
        """The vectors of some questions [rows, longest, base], with zeros behind each."""
        padded = np.zeros((len(rows), longest, self.questions.shape[1]), np.float32)
        for at, row in enumerate(rows):
            own = self.questions[self.offsets[row] : self.offsets[row + 1]]
            padded[at, : len(own)] = own
        return padded


@dataclass(frozen=True, eq=False)
class LessonTexts:
    """The texts of some lessons.

    `ids`, `seen` [texts, tokens], `words` [texts, words, 3]: of what moves say. `question_ids`,
    `question_seen` [questions, tokens], `question_words` [questions, tokens, 3]. `vectors` [texts,
    base], `question_vectors` [questions, tokens, base]: the encoder's; None: it is to be asked.
    """

    ids: Array
    seen: Array
    words: Array
    question_ids: Array
    question_seen: Array
    question_words: Array
    vectors: Array | None = None
    question_vectors: Array | None = None

    def select(self, texts: Array, questions: Array, kept: TextVectors | None) -> LessonTexts:
        """Some of the texts and questions, no wider than these need, with their vectors where they
        were kept."""
        longest = int(self.question_seen[questions].sum(1).max())
        chosen = LessonTexts(
            *(self.ids[texts], self.seen[texts], self.words[texts]),
            self.question_ids[questions, :longest],
            self.question_seen[questions, :longest],
            self.question_words[questions, :longest],
        )
        if kept is None:
            return chosen
        own = kept.texts[texts].astype(np.float32)
        return replace(chosen, vectors=own, question_vectors=kept.pad_questions(questions, longest))


@dataclass(frozen=True, eq=False)
class EncodedLessons:
    """Lessons whose texts are encoded: the moves' words and contexts, and the questions, of
    `lessons` are rows of `texts`. `vectors`: the encoder's, where they were kept."""

    lessons: Lessons
    texts: LessonTexts
    vectors: TextVectors | None = None

    @classmethod
    def encode(cls, lessons: Lessons, encoder: TextEncoder) -> EncodedLessons:
        """Encode all texts; of questions with more tokens than are learnt from, none is seen."""
        own, places = np.unique(lessons.moves[:, 2:], return_inverse=True)
        rows = places.reshape(-1, 2).astype(np.int32)
        moves = np.concatenate((lessons.moves[:, :2], rows), 1)
        texts = [encoder.encode_move_text(lessons.texts[number]) for number in own]
        text_ids, text_seen = pad_rows(texts)
        text_words = np.stack([hash_move_words(lessons.texts[number]) for number in own])
        asked, questions = np.unique(lessons.questions, return_inverse=True)
        ids = np.zeros((len(asked), _MOST_TOKENS), np.int32)
        words = np.zeros((len(asked), _MOST_TOKENS, 3), np.int32)
        seen = np.zeros((len(asked), _MOST_TOKENS), np.bool_)
        for at, number in enumerate(asked):
            text = encoder.encode_question(lessons.texts[number])
            if len(text.ids) <= _MOST_TOKENS:
                ids[at, : len(text.ids)], words[at, : len(text.ids)] = text.ids, text.words
                seen[at, : len(text.ids)] = True
        changed = replace(lessons, texts=(), moves=moves, questions=questions.astype(np.int32))
        return cls(changed, LessonTexts(text_ids, text_seen, text_words, ids, seen, words))


@dataclass(frozen=True, eq=False)
class LessonBatch:
    """Examples of a batch, and their `texts`.

    `moves` [m, 4]: all moves: kind, direction, and the rows of words and context among the texts.
    `shown` [batch, own]: the moves of each example's sites. `said` [batch, steps]: places in
    `shown`, or -100. `options` [batch, steps, own]: which may be said. `task` [batch].
    """

    texts: LessonTexts
    moves: Array
    shown: Array
    said: Array
    options: Array
    task: Array


class BatchMaker:
    """Draws batches; equal seeds give equal ones."""

    def __init__(self, encoded: EncodedLessons, graphs: int, rows: Array | None = None) -> None:
        """`graphs`: of a batch. `rows`: the examples that are drawn from; None: all."""
        self._encoded = encoded
        self._lessons = encoded.lessons
        self._graphs = graphs
        seen = encoded.texts.question_seen[self._lessons.questions, 0]
        usable = np.flatnonzero(seen) if rows is None else rows[seen[rows]]
        by_graph: dict[int, list[int]] = {}
        for example in usable.tolist():
            if 1 < len(self._lessons.get_steps(example)) <= _MOST_STEPS:
                by_graph.setdefault(int(self._lessons.graphs[example]), []).append(example)
        self._examples = [np.array(each) for each in by_graph.values()]

    def iterate_batches(self, seed: int) -> Iterator[LessonBatch]:
        """Batches without end."""
        random = np.random.default_rng(seed)
        while True:
            yield self.draw_batch(random)

    def draw_batch(self, random: np.random.Generator) -> LessonBatch:
        """One batch: of each graph that is drawn some examples."""
        sizes = np.array([len(each) for each in self._examples], np.float64)
        drawn = random.choice(len(sizes), self._graphs, p=sizes / sizes.sum())
        groups = [
            random.choice(own, min(len(own), _OF_A_GRAPH), replace=False)
            for own in (self._examples[graph] for graph in drawn)
        ]
        return self.build_batch(np.concatenate(groups), random)

    def build_batch(self, examples: Array, random: np.random.Generator) -> LessonBatch:
        """The batch of the examples of these numbers."""
        traced = [self._trace(int(number), random) for number in examples]
        own = [np.unique(np.concatenate([site for site, _ in each])) for each in traced]
        every = np.unique(np.concatenate(own))
        table = self._lessons.moves[every].copy()
        texts, rows_of = np.unique(table[:, 2:], return_inverse=True)
        table[:, 2:] = rows_of.reshape(-1, 2)
        count, most, steps = len(traced), max(map(len, own)), max(map(len, traced))
        shown = np.zeros((count, most), np.int32)
        said = np.full((count, steps), _IGNORED, np.int32)
        options = np.zeros((count, steps, most), np.bool_)
        task = np.zeros(count, np.int32)
        for row, (moves, example) in enumerate(zip(own, traced, strict=True)):
            shown[row, : len(moves)] = np.searchsorted(every, moves)
            for step, (site, gold) in enumerate(example):
                options[row, step, np.searchsorted(moves, site)] = True
                said[row, step] = np.searchsorted(moves, gold)
            kind = int(self._lessons.moves[example[0][1], 0])
            task[row] = kind in _PATH_KINDS
        asked = self._lessons.questions[examples]
        chosen = self._encoded.texts.select(texts, asked, self._encoded.vectors)
        return LessonBatch(chosen, table, shown, said, options, task)

    def _trace(self, example: int, random: np.random.Generator) -> list[tuple[Array, int]]:
        """The steps of an example: some moves of each site, and the one that is said."""
        traced = []
        for site, said in self._lessons.get_steps(example):
            moves = self._lessons.get_site(site)
            gold = int(moves[said])
            if len(moves) > _MOST_OPTIONS:
                moves = np.append(random.choice(moves, _MOST_OPTIONS, replace=False), gold)
            traced.append((moves, gold))
        return traced
