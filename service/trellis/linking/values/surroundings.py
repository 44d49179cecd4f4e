"""How well a property fits the words around a literal, as in `surname Garcia`, `officer
Bourges`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from trellis.domain.graphs.schema import Schema
from trellis.domain.identifiers import split_identifier
from trellis.linking.names.spans import ParsedQuestion, Span
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem

_NEAR = 4.0  # distance in words at which a hint counts half as much as beside the literal
_PROPERTY, _LABEL = 0.6, 0.4
_ALSO = {
    "surname": ("last", "family"),
    "name": ("called", "first"),
    "person": ("people", "who", "anyone", "someone"),
}
"""For words of names, the words that everyday questions use in their place."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The words of a question with their places, and the words of each label and property."""

    words: tuple[tuple[str, int], ...]  # each word with the index of its first character
    words_by_name: Mapping[str, tuple[str, ...]]  # the words of each name of the schema

    @classmethod
    def of(cls, question: ParsedQuestion, schema: Schema) -> Self:
        words = [
            (word, atom.span.start)
            for atom in question.atoms
            if atom.is_nameable and not atom.is_function_word
            for word in bare_words(question.text_of(atom.span))
        ]
        names = {kind.label for kind in schema.labels}
        names |= {
            name for owner, kind in schema.iterate_properties() for name in (owner, kind.name)
        }
        called = {name: name_words(name, schema.synonyms.get(name, ())) for name in names}
        return cls(tuple(words), called)

    def rate_fit(self, label: str, name: str, span: Span) -> float:
        """How near to the span words stand that name the property or the label, in [0, 1]."""
        return _PROPERTY * self._rate_name(name, span) + _LABEL * self._rate_name(label, span)

    def _rate_name(self, name: str, span: Span) -> float:
        """1 where a word of the name is beside the span, and less the farther away it is."""
        return max(
            (self._rate_word(word, span) for word in self.words_by_name.get(name, ())), default=0.0
        )

    def _rate_word(self, word: str, span: Span) -> float:
        inside = [i for i, (_, at) in enumerate(self.words) if span.start <= at < span.end]
        places = [i for i, (said, _) in enumerate(self.words) if has_same_stem(said, word)]
        gaps = [
            min(abs(at - i) for i in inside) - 1 for at in places if inside and at not in inside
        ]
        return _NEAR / (_NEAR + min(gaps)) if gaps else 0.0


def name_words(name: str, synonyms: Sequence[str] = ()) -> tuple[str, ...]:
    """The words of a name such as `lastName` or `last_name`, and of its synonyms."""
    texts = (" ".join(split_identifier(name)), *synonyms)
    words = [word for text in texts for word in bare_words(text)]
    return tuple(dict.fromkeys([*words, *(also for word in words for also in _ALSO.get(word, ()))]))
