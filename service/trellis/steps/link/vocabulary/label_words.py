"""Label words: what questions say of nodes of some labels, and of their properties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from trellis.domain.grammar_words import AUXILIARIES, match_words
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.lexicon.names import read_name, strip_endings
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.relation_words import split_phrase
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.questions.pronouns import Role

_ROLES: tuple[Role, ...] = ("subject", "object", "owner")
_SUBJECT_GAP = re.compile(rf"(?:^|\b(?:{match_words(AUXILIARIES)}|can) )\{{\}}", re.I)


class LabelWords:
    """The words that the live schema brings into what is said of nodes of some labels: a currency
    is used by countries and not by cities, so that `its currency` speaks of a country."""

    def __init__(self, schema: Schema, phrasebook: Phrasebook) -> None:
        self._schema, self._phrasebook = schema, phrasebook
        self._words: dict[tuple[frozenset[str], Role], frozenset[str]] = {}
        self._property_words: dict[str, frozenset[str]] = {}

    def list_words(self, labels: Iterable[str], role: Role) -> frozenset[str]:
        """The words, without their endings, that questions say of such a node in that role."""
        key = frozenset(labels), role
        if key not in self._words:
            self._words[key] = self._collect_words(*key)
        return self._words[key]

    def list_wording(self, beside: Iterable[str]) -> frozenset[str]:
        """The words that questions over the graph use, rather than names; `beside`: further texts
        of theirs."""
        labels = frozenset(label.label for label in self._schema.labels)
        texts = [*beside, *self._list_property_texts(labels)]
        for role in _ROLES:
            texts += self._list_relation_texts(labels, role)
        return frozenset(word for text in texts for word in split_phrase(text))

    def _collect_words(self, labels: frozenset[str], role: Role) -> frozenset[str]:
        texts = [*self._list_relation_texts(labels, role), *self._list_property_texts(labels)]
        words = (word for text in texts for word in split_phrase(text))
        return frozenset(strip_endings(word) for word in words if word not in FUNCTION_WORDS)

    def _list_relation_texts(self, labels: frozenset[str], role: Role) -> Iterator[str]:
        """The phrases of relations at such nodes; what a subject does are those that leave it."""
        for kind in self._schema.relationships:
            if kind.start_label in labels:
                yield from self._say_step(Step(kind.type), kind.end_label, role)
            if kind.end_label in labels:
                yield from self._say_step(Step(kind.type, True), kind.start_label, role)

    def _say_step(self, step: Step, end: str, role: Role) -> Iterator[str]:
        """What is said of a step's start in that role, and of the nodes at its end."""
        phrases = self._phrasebook.phrases_of(step, end)
        if role == "owner":
            yield from (*phrases.nouns, *self._phrasebook.type_nouns(end))
        if role == "object" or not step.reversed:
            yield from self._phrasebook.type_nouns(end)
        if step.reversed == (role == "object"):
            yield " ".join(read_name(step.relation).words)
        if role != "owner":
            gaps = ((text, bool(_SUBJECT_GAP.search(text))) for text in phrases.asks)
            yield from (text for text, is_subject in gaps if is_subject == (role == "subject"))

    def _list_property_texts(self, labels: frozenset[str]) -> Iterator[str]:
        for label in self._schema.labels:
            if label.label in labels:
                for kind in label.properties:
                    yield from self._say_property(label.label, kind)

    def _say_property(self, label: str, kind: PropertyKind) -> Iterator[str]:
        phrases = self._phrasebook.property_phrases(label, kind)
        yield " ".join(read_name(kind.name).words)
        yield from (*phrases.nouns, *phrases.asks, *phrases.most, *phrases.least, *phrases.more)

    def list_property_words(self, name: str) -> frozenset[str]:
        """The words by which questions speak of a property, whatever has it; no function words."""
        if name not in self._property_words:
            texts = [
                text
                for owner, kind in self._schema.iterate_properties()
                if kind.name == name
                for text in self._say_property(owner, kind)
            ]
            found = (word for text in texts for word in split_phrase(text))
            self._property_words[name] = frozenset(found) - FUNCTION_WORDS
        return self._property_words[name]
