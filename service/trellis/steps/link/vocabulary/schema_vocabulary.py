"""The words of the live schema: what people call its labels, properties and relationships."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from trellis.domain.graphs.schema import Schema
from trellis.lexicon.label_kinds import is_generic_person_noun, is_person, is_place
from trellis.lexicon.names import read_name, strip_endings, tells_kind
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.lexicon.relations.event_verbs import find_events
from trellis.steps.link.vocabulary.label_words import LabelWords
from trellis.steps.link.vocabulary.property_nouns import (
    PropertyPlace,
    find_counting_places,
    find_measured_places,
    group_edge_properties,
    group_properties,
    group_text_words,
)
from trellis.steps.link.vocabulary.relation_vocabulary import (
    VAGUE,
    RelationVocabulary,
    is_word_of,
)


class SchemaVocabulary:
    """The nouns of the labels and properties of a schema.

    `relations`: the words for its relationships. `label_words`: what is said of nodes of a label.
    `events`: its labels of events, which verbs speak of. `concepts`: what its relationships mean.
    """

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._phrasebook = Phrasebook.of_schema(schema, shares_nouns=True)
        self.concepts = self._phrasebook.concepts
        self.nouns = {
            noun.lower(): label.label
            for label in schema.labels
            for noun in self._phrasebook.type_nouns(label.label)
        }
        self._labels = _group_labels(schema, self._phrasebook)
        self.events = find_events(schema)
        self.plurals = frozenset(noun for noun in self.nouns if noun.endswith("s"))
        self.label_words = LabelWords(schema, self._phrasebook)
        self._properties = group_properties(schema, self._phrasebook, self.nouns)
        namings = {(label.label, label.naming) for label in schema.labels}
        self.property_places = {
            **find_counting_places(schema, self._labels),
            **find_measured_places(schema, self._phrasebook),
            **{noun: its for noun, its in self._properties.items() if its.isdisjoint(namings)},
        }
        self._edge_properties = group_edge_properties(schema, {*self.nouns, *self._properties})
        self._text_words = group_text_words(schema)
        self._noun_names: dict[str, frozenset[str]] = {}
        self._plural_properties = {make_plural(noun): its for noun, its in self._properties.items()}
        self._names = self._list_names()
        self.relations = RelationVocabulary(
            schema, self._phrasebook, self.events, self.nouns, self._calls_other
        )
        beside = (*self.nouns, *self.relations.list_event_words())
        self.wording = self.label_words.list_wording(beside)

    def find_labels(self, noun: str) -> frozenset[str]:
        """The labels that a noun, in small letters, names; none if it may name anything."""
        return frozenset() if noun in VAGUE else self._labels.get(noun, frozenset())

    def _calls_other(self, noun: str) -> bool:
        """Whether a noun in small letters calls a label or a property, or one of its values."""
        return bool(self.find_meanings(noun) or self.find_texts(noun))

    def list_noun_words(self) -> frozenset[str]:
        """The words of the labels' nouns, in small letters."""
        return frozenset(word for noun in self.nouns for word in noun.split())

    def names_kind(self, noun: str) -> bool:
        """Whether a noun in small letters, or its singular, is what some label might be called."""
        return self._phrasebook.names_kind(noun)

    def find_superlative(self, owner: str, name: str, *, is_most: bool) -> str:
        """What has the most or the least of a property is called: `tallest`; empty where that is
        not known."""
        kind = self._schema.find_property(owner, name)
        lexicon = self._phrasebook.properties
        return lexicon.find_superlative(kind, is_most=is_most) if kind else ""

    def list_name_words(self) -> frozenset[str]:
        """The words in the names of properties and relationships, and the nouns of labels and of
        the relations that the lexicon knows, in small letters."""
        names = [kind.name for _, kind in self._schema.iterate_properties()]
        names += [kind.type for kind in self._schema.relationships]
        words = {word for name in names for word in read_name(name).words}
        return frozenset(words.union(self.nouns, self.relations.steps))

    def find_properties(self, noun: str) -> frozenset[PropertyPlace]:
        """The properties that a noun in small letters, or its plural, names; none if it may name a
        relation, a label or a name too."""
        return self._properties.get(noun) or self._plural_properties.get(noun, frozenset())

    def find_edge_properties(self, noun: str) -> frozenset[PropertyPlace]:
        """The properties of relationships, by their types, that a noun in small letters, or its
        plural, calls by their names; none if it may call anything else too."""
        return self._edge_properties.get(noun, frozenset())

    def calls_property(self, noun: str) -> bool:
        """Whether a noun in small letters, or its plural, calls properties of nodes or, by its
        name, one of relationships, and nothing else."""
        return noun in self.property_places or noun in self._edge_properties

    def find_texts(self, noun: str) -> frozenset[PropertyPlace]:
        """The properties with few texts of which one has the last word of a noun in small letters,
        or in the plural, as one of its own; none of those that name nodes."""
        return self._text_words.get(strip_endings(noun.rpartition(" ")[2]), frozenset())

    def find_meanings(self, noun: str) -> frozenset[object]:
        """The labels, or else the properties, that a noun in small letters names."""
        places = self.find_properties(noun) or self.find_edge_properties(noun)
        return self.find_labels(noun) or places

    def knows_property(self, name: str) -> bool:
        """Whether a property, whatever has it, has phrases beside those that its name gives."""
        return any(
            self._phrasebook.knows_property(owner, kind)
            for owner, kind in self._schema.iterate_properties()
            if kind.name == name
        )

    def find_said_nouns(self, text: str) -> Mapping[str, frozenset[str]]:
        """The nouns of labels that a text in small letters says, and the names by which a query may
        mean each: those labels, and all labels, relationships and properties in whose names it is.
        """
        return {
            noun: self._find_names(noun)
            for noun in self._labels
            if noun in text
            and self.find_labels(noun)
            and re.search(rf"\b{re.escape(noun)}\b", text)
        }

    def _find_names(self, noun: str) -> frozenset[str]:
        if noun not in self._noun_names:
            found = {name for name in self._names if _is_in_name(noun, name)}
            self._noun_names[noun] = self.find_labels(noun) | found
        return self._noun_names[noun]

    def _list_names(self) -> frozenset[str]:
        """The names of all labels, relationships and properties of nodes."""
        names = {kind.type for kind in self._schema.relationships}
        for label in self._schema.labels:
            names |= {label.label, *(kind.name for kind in label.properties)}
        return frozenset(names)

    def is_named(self, labels: Collection[str]) -> bool:
        """Whether labels say what sort of thing a node is."""
        return any(map(tells_kind, labels))

    def names_agents(self) -> bool:
        """Whether any label of the schema says that its nodes are persons."""
        return is_person(label.label for label in self._schema.labels)

    def names_places(self) -> bool:
        """Whether any label of the schema says that its nodes are places."""
        return is_place(label.label for label in self._schema.labels)

    def names_things_alone(self) -> bool:
        """Whether labels say what sort of thing each node is, and none is a person."""
        return not self.names_agents() and self.all_labels_are_meaningful()

    def all_labels_are_meaningful(self) -> bool:
        """Whether each label says what sort of thing its nodes are."""
        return self.relations.all_labels_are_meaningful


def _group_labels(schema: Schema, book: Phrasebook) -> dict[str, frozenset[str]]:
    """The labels that each noun may name; a noun of some label may also name those whose own name
    ends in it: a historical state is a state. People are persons of any kind."""
    found: dict[str, set[str]] = {}
    for label in schema.labels:
        for noun in book.type_nouns(label.label):
            for form in _list_numbers(noun):
                found.setdefault(form.lower(), set()).add(label.label)
    for label in schema.labels:
        for form in _list_numbers(read_name(label.label).text.rpartition(" ")[2]):
            if form in found:
                found[form].add(label.label)
    persons = {label.label for label in schema.labels if is_person([label.label])}
    for noun, labels in found.items():
        if is_generic_person_noun(noun):
            labels |= persons
    return {noun: frozenset(labels) for noun, labels in found.items()}


def _list_numbers(noun: str) -> tuple[str, str]:
    """A noun, and its plural where it is none."""
    return noun, noun if is_plural(noun) else make_plural(noun)


def _is_in_name(noun: str, name: str) -> bool:
    """Whether all words of a noun are in a name, in any form, or as one: `post code`."""
    return is_word_of(noun.replace(" ", ""), name) or all(
        is_word_of(word, name) for word in noun.split()
    )


def read_schema_vocabulary(schema: Schema) -> SchemaVocabulary:
    """The vocabulary of a schema, built once for all that differ in counts alone; a service has
    that done in a thread before questions get the schema (`prepare_schema`)."""
    return schema.uncounted.derive(SchemaVocabulary)
