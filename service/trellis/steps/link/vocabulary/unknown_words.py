"""Unknown words: one that no question had which the model learnt from is read as the schema's own.

A graph has captains, and somebody asks for the skipper: a model that never saw the word reads
nothing in it. Its sentence embedding is near that of `captain`, and the question is read with that
word. What is read so is told, and the answer believed as far as the two words are alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Embedder
from trellis.domain.replies.reply import Judgement
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.linking.names.spans import FUNCTION_WORDS, Span
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary
from trellis.steps.link.vocabulary.schema_words import is_schema_word
from trellis.steps.link.vocabulary.worded_values import name_worded_values

_ALIKE = 0.67  # cosine from which on a word stands for another
_LEAST = 4  # letters of a word that is looked up


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word of a question at `span`, and the word of the schema that it is read as; `likeness`:
    their cosine."""

    span: Span
    said: str
    read: str
    likeness: float


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A question with words of the schema in place of unknown ones, in the order of the text."""

    text: str
    words: tuple[ReadWord, ...] = ()

    def restore_spans(self, mentions: Sequence[Mention], question: str) -> tuple[Mention, ...]:
        """Mentions of this text as spans of the `question` that was asked."""
        if not self.words:
            return tuple(mentions)
        spans = [(self._find_place(m.start, 0), self._find_place(m.end, 1)) for m in mentions]
        return tuple(
            replace(mention, start=start, end=end, text=question[start:end])
            for mention, (start, end) in zip(mentions, spans, strict=True)
        )

    def describe_words(self) -> list[str]:
        """What was read otherwise than it was said, one text a word."""
        return [f"“{word.said}” was read as “{word.read}”" for word in self.words]

    def lower(self, judgement: Judgement) -> Judgement:
        """The judgement, believed as far as the words are alike."""
        sure = min((word.likeness for word in self.words), default=1.0)
        return replace(judgement, confidence=judgement.confidence * sure)

    def _find_place(self, place: int, side: int) -> int:
        """The place in the question of a place in this text; a word that was read is whole."""
        shift = 0
        for word in self.words:
            start, end = word.span.start + shift, word.span.start + shift + len(word.read)
            if place <= start:
                break
            if place < end:
                return (word.span.start, word.span.end)[side]
            shift += len(word.read) - (word.span.end - word.span.start)
        return place - shift


async def read_unknown_words(form: QuestionForm, embedder: Embedder | None) -> ReadQuestion:
    """The question with each unknown word as the nearest word of the schema, where there is a near
    one. Unknown is a word in small letters that neither the questions have which the model learnt
    from, nor the graph. What is a kind of thing by itself, as companies are, stays."""
    if not form.wording or embedder is None:
        return ReadQuestion(form.text)
    unknown = [
        (atom.span, text)
        for atom in form.unlinked_words
        if len(text := form.parsed.text_of(atom.span)) >= _LEAST
        and not atom.is_common
        and text.isalpha()
        and text.islower()
    ]
    own = _list_own_words(form.schema) if unknown else []
    unknown = [
        (span, text)
        for span, text in unknown
        if not is_schema_word(text, own) and not form.vocabulary.names_kind(text)
    ]
    if not unknown or not own:
        return ReadQuestion(form.text)
    texts = [text for _, text in unknown]
    vectors = await asyncio.to_thread(embedder.embed, [*texts, *own])
    cosines = vectors[: len(texts)] @ vectors[len(texts) :].T
    read = tuple(
        ReadWord(span, text, _take_number(text, own[row.argmax()]), float(row.max()))
        for (span, text), row in zip(unknown, cosines, strict=True)
        if row.max() >= _ALIKE
    )
    parts, at = list[str](), 0
    for word in read:
        parts += [form.text[at : word.span.start], word.read]
        at = word.span.end
    return ReadQuestion("".join([*parts, form.text[at:]]), read)


def _list_own_words(schema: Schema) -> list[str]:
    """The single words by which people speak of labels, relationships and properties, and the
    values that are called by one."""
    words = read_schema_vocabulary(schema).list_name_words()
    values = {
        each.name for each in name_worded_values(schema) if isinstance(each.stored.value, str)
    }
    return sorted(each for each in words | values if each.isalpha() and each not in FUNCTION_WORDS)


def _take_number(said: str, read: str) -> str:
    """A word in the plural where the one that it stands for is a plural."""
    return make_plural(read) if is_plural(said) and not is_plural(read) else read
