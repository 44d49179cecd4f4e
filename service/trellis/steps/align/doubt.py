"""Doubt: how much less an answer is believed where a model's answers were never judged.

Inside the language of the graph a model is sure of the nearest reading even where the question
means none: the capital of Lindau is then who lives there, and the drugs of Pfizer are all drugs.
Where a confidence was fitted on judged answers it knows of such words; elsewhere this stands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from trellis.domain.graphs.graph import Node
from trellis.domain.models.card import Calibration
from trellis.domain.ports import Embedder
from trellis.domain.replies.reply import MOST_NEAREST, Judgement
from trellis.linking.names.spans import Atom
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.near_words import measure_nearness

_UNKNOWN_NAME = 0.15
"""Factor on the confidence where the question names what is not in the graph."""

_UNEXPLAINED = 0.25
"""Factor on it where nothing explains any of the question's words."""

_LEAST_SURE = 0.2
"""Confidence below which a doubtful answer is held back."""

_FAR, _NEAR = 0.35, 0.55  # cosines of words that have nothing, and much, to do with one another


@dataclass(frozen=True, slots=True)
class Doubt:
    """A factor on the confidence, and the names and words that it comes from."""

    factor: float = 1.0
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def lower(self, judgement: Judgement, calibration: Calibration) -> Judgement:
        """The judgement as far as its calibration knows nothing of the doubt: as it is where a
        confidence was fitted on answers of the model, with a note where on those of others."""
        if calibration.is_own:
            return judgement
        knows_words = bool(calibration.weights) and not self.names
        return self.add_unexplained_note(judgement) if knows_words else self.apply(judgement)

    def apply(self, judgement: Judgement) -> Judgement:
        """The judgement with less confidence; without answers where too little is left."""
        if self.factor == 1.0:
            return judgement
        sure = judgement.confidence * self.factor
        doubted = self.add_unexplained_note(replace(judgement, confidence=sure))
        if sure >= _LEAST_SURE:
            return doubted
        nearest = judgement.nearest or judgement.answers[:MOST_NEAREST]
        return replace(doubted, answers=(), nearest=nearest, claims_none=False)

    def add_unexplained_note(self, judgement: Judgement) -> Judgement:
        """The judgement with a note of what the doubt comes from, where there is any."""
        unknown = (*self.names, *self.words)
        if not unknown:
            return judgement
        quoted = ", ".join(f"“{word}”" for word in unknown)
        where = "was found in the graph" if self.names else "is said by the answer or known"
        return replace(judgement, notes=(*judgement.notes, f"nothing by {quoted} {where}"))


async def doubt_names_and_words(
    form: QuestionForm,
    topics: Sequence[str] | None,
    reading: str,
    nodes: Sequence[Node],
    embedder: Embedder | None,
) -> Doubt:
    """The doubt in an answer, of which `nodes` are found; none where the asker says by `topics`
    which names count."""
    if topics:
        return Doubt()
    return await measure_doubt(form, reading, nodes[0].labels if nodes else (), embedder)


async def measure_doubt(
    form: QuestionForm, reading: str, labels: Sequence[str], embedder: Embedder | None
) -> Doubt:
    """The doubt in an answer: by names that were not linked, and by words that are not in the
    wording, the words that the model's questions used, and far from those of its reading and from
    `labels`, those of the first answer. Where no wording is known, only names count."""
    asked, unlinked = form.parsed, form.unlinked_words
    left = [atom for atom in unlinked if not atom.is_common]
    linked = {word for m in form.mentions for word in bare_words(form.text[m.start : m.end])}
    said = [w for text in (reading, *labels) for w in bare_words(text) if w not in linked]
    strange = [atom for atom in left if not _is_said(asked.text_of(atom.span), said)]
    names = tuple(asked.text_of(atom.span) for atom in strange if _is_name(atom, form.text))
    others = [asked.text_of(atom.span).lower() for atom in strange if not atom.has_name_shape]
    if not form.wording or not others:
        return Doubt(_UNKNOWN_NAME if names else 1.0, names)
    explained = await _explain_words(others, said, embedder)
    share = 1 - sum(1 - part for part in explained) / len(unlinked)
    factor = _UNEXPLAINED + (1 - _UNEXPLAINED) * share
    words = tuple(word for word, part in zip(others, explained, strict=True) if part < 1)
    return Doubt(factor * (_UNKNOWN_NAME if names else 1.0), names, words)


def _is_said(text: str, said: Sequence[str]) -> bool:
    """Whether all words of a text are said; `notable_types` is two, and no name by its sign."""
    return all(any(has_same_stem(part, word) for word in said) for part in bare_words(text))


def _is_name(atom: Atom, text: str) -> bool:
    said = text[atom.span.start : atom.span.end]
    return atom.has_name_shape and not any(map(str.isdigit, said))


async def _explain_words(
    words: Sequence[str], said: Sequence[str], embedder: Embedder | None
) -> list[float]:
    """How far each word has to do with some that are said, from 0 to 1."""
    if embedder is None:
        return [0.0] * len(words)
    nearest = await measure_nearness(words, said, embedder)
    return [float(part) for part in np.clip((nearest - _FAR) / (_NEAR - _FAR), 0.0, 1.0)]
