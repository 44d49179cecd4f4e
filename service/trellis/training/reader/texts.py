"""The texts of lessons as the network reads them: tokens, the numbers of their words, and the
encoder's vectors where they were kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


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
