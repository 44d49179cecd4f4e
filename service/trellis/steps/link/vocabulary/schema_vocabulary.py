"""Label words: the words that the live schema brings into what is said of nodes of some labels.

A currency is used by countries and not by cities, so that `its currency` speaks of a country.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from trellis.domain.grammar_words import AUXILIARIES, match_words
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.lexicon.label_kinds import is_generic_person_noun, is_person, is_place
from trellis.lexicon.names import read_name, strip_endings, tells_kind
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.lexicon.relations.event_verbs import find_events
from trellis.lexicon.relations.relation_words import split_phrase
from trellis.lexicon.relations.verbs import read_participle
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.questions.pronouns import Role
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.link.vocabulary.property_nouns import (
    PropertyPlace,
    find_counting_places,
    find_measured_places,
    group_edge_properties,
    group_properties,
    group_text_words,
)

_ROLES: tuple[Role, ...] = ("subject", "object", "owner")
_SUBJECT_GAP = re.compile(rf"(?:^|\b(?:{match_words(AUXILIARIES)}|can) )\{{\}}", re.I)
_ALIKE = 2  # nouns that steps share which end in the same kind of thing
_VAGUE = frozenset(
    """bodies body group groups land piece pieces place places spot spots thing things unit units
    work works""".split()  # noqa: SIM905
)
_BELONGING = frozenset(("member", "members", "membership", "part", "parts"))
"""Nouns for whatever belongs to something, by any relation."""


class SchemaVocabulary:
    """The nouns of the labels of a schema, and the words that are said of nodes of a label.

    `events`: its labels of events, which verbs speak of.
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
        self.wording = self._list_wording()
        self._properties = group_properties(schema, self._phrasebook, self.nouns)
        namings = {(label.label, label.naming) for label in schema.labels}
        self.property_places = {
            **find_counting_places(schema, self._labels),
            **find_measured_places(schema, self._phrasebook),
            **{noun: its for noun, its in self._properties.items() if its.isdisjoint(namings)},
        }
        self._edge_properties = group_edge_properties(schema, {*self.nouns, *self._properties})
        self._text_words = group_text_words(schema)
        self._words: dict[tuple[frozenset[str], Role], frozenset[str]] = {}
        self._step_words: dict[Step, frozenset[str]] = {}
        self._property_words: dict[str, frozenset[str]] = {}
        self._relations: dict[str, frozenset[str]] = {}
        self._noun_names: dict[str, frozenset[str]] = {}
        self._plural_properties = {make_plural(noun): its for noun, its in self._properties.items()}
        self._names = self._list_names()
        self._steps = self._group_steps()
        self._relation_nouns = self._list_relation_nouns()
        self._type_words = {
            name: self.list_step_words(Step(name)) for name in schema.relation_types
        }
        self._name_stems = self._group_name_stems()

    def _group_name_stems(self) -> Mapping[str, frozenset[str]]:
        """The relationship types by the stems of the words in their names."""
        types = defaultdict[str, set[str]](set)
        for relation in self._schema.relation_types:
            for word in read_name(relation).words:
                if word not in FUNCTION_WORDS and word not in _BELONGING:
                    types[strip_endings(word)].add(relation)
        labels = {strip_endings(word) for noun in self.nouns for word in noun.split()}
        return {stem: frozenset(its) for stem, its in types.items() if stem not in labels}

    def _list_event_words(self, relation: str | None = None) -> Iterator[str]:
        """The forms of the verbs for events, of one that goes by a relation where one is given."""
        for event in self.events:
            if relation in (None, event.agent.step.relation, event.patient.step.relation):
                for verb in event.verbs:
                    yield from (verb.base, verb.past, verb.participle)

    def find_labels(self, noun: str) -> frozenset[str]:
        """The labels that a noun, in small letters, names; none if it may name anything."""
        return frozenset() if noun in _VAGUE else self._labels.get(noun, frozenset())

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
        return frozenset(words.union(self.nouns, self._steps))

    def list_words(self, labels: Iterable[str], role: Role) -> frozenset[str]:
        """The words, without their endings, that questions say of such a node in that role."""
        key = frozenset(labels), role
        if key not in self._words:
            self._words[key] = self._collect_words(*key)
        return self._words[key]

    def _list_wording(self) -> frozenset[str]:
        """The words that questions over the graph use, rather than names."""
        labels = frozenset(label.label for label in self._schema.labels)
        texts = [*self.nouns, *self._list_property_texts(labels), *self._list_event_words()]
        for role in _ROLES:
            texts += self._list_relation_texts(labels, role)
        return frozenset(word for text in texts for word in split_phrase(text))

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

    def find_question_word(self, step: Step) -> str:
        """By which word people ask for the end of a step (who, what, when, where); empty where the
        lexicon does not know its relation."""
        known = self._phrasebook.knows_step(step)
        return self._phrasebook.phrases_of(step).wh if known else ""

    def find_steps(self, noun: str) -> frozenset[Step]:
        """The steps that end in what a noun in small letters names, as far as the lexicon knows
        their relations: those that it is a noun of, and those that share other nouns with them."""
        return frozenset() if noun in _VAGUE else self._steps.get(noun, frozenset())

    def _group_steps(self) -> Mapping[str, frozenset[Step]]:
        nouns = {step: self._list_step_nouns(step) for step in self._list_known_steps()}
        steps = defaultdict[str, set[Step]](set)
        for step, said in nouns.items():
            alike = [other for other, its in nouns.items() if len(said & its) >= _ALIKE]
            for noun in said:
                steps[noun].update((step, *alike))
                steps[make_plural(noun)].update((step, *alike))
        return {noun: frozenset(those) for noun, those in steps.items()}

    def find_types_at(self, labels: Collection[str]) -> frozenset[str]:
        """The relationship types that nodes of some labels have, in either direction."""
        return frozenset(
            kind.type
            for kind in self._schema.relationships
            if kind.start_label in labels or kind.end_label in labels
        )

    def match_relations_by_words(self, said: Iterable[str]) -> frozenset[str]:
        """The relationship types that questions speak of by one of these words in small letters;
        no words of grammar."""
        stems = {strip_endings(word) for word in said if word not in FUNCTION_WORDS}
        return frozenset(
            name for name, words in self._type_words.items() if not stems.isdisjoint(words)
        )

    def find_relations_named(self, stem: str) -> frozenset[str]:
        """The relationship types that have a word of this stem in their names, whatever else is
        called so, but for labels and words of grammar."""
        return self._name_stems.get(stem, frozenset())

    def says_relation(self, relation: str, stems: Collection[str]) -> bool:
        """Whether words of these stems speak of a relationship type."""
        return not self._type_words[relation].isdisjoint(stems)

    def match_relation_nouns(self, text: str) -> Mapping[str, str]:
        """The nouns in a text in small letters that say a single relationship type, and nothing
        else: `capital` says HAS_CAPITAL. Verbs say none: a country borders a sea. None where some
        label does not say what a node is, and relations are all that nouns can say."""
        if not self.all_labels_are_meaningful():
            return {}
        return {
            noun: relation
            for noun, relation in self._relation_nouns.items()
            if noun in text and re.search(rf"\b{re.escape(noun)}\b", text)
        }

    def _list_relation_nouns(self) -> Mapping[str, str]:
        """The nouns of relations that are words of their names, and of no other name."""
        found = {}
        for noun, steps in self._steps.items():
            words = [word for word in noun.split() if word not in FUNCTION_WORDS]
            named = {self.find_relation(word) for word in words}
            relation = next(iter(named), None)
            if len(named) != 1 or relation is None or noun.endswith("ed") or noun in _BELONGING:
                continue
            is_verb = len(read_name(relation).words) == 1 and relation.lower().endswith("s")
            if not is_verb and any(step.relation == relation for step in steps):
                found[noun] = relation
        return {**self._list_agent_nouns(), **found}

    def _list_agent_nouns(self) -> Mapping[str, str]:
        """The nouns for who does what a single relationship type says by a verb, if nothing else is
        called so: conductors conducted."""
        types = defaultdict[str, set[str]](set)
        for relation in self._schema.relation_types:
            verbs = filter(None, map(read_participle, read_name(relation).words))
            for agent in (verb.agent for verb in verbs):
                for noun in (agent, make_plural(agent)):
                    types[noun].add(relation)
        others = (self.find_meanings, self.find_texts)
        return {
            noun: next(iter(its))
            for noun, its in types.items()
            if len(its) == 1 and not any(find(noun) for find in others)
        }

    def _list_known_steps(self) -> Iterator[Step]:
        for kind in self._schema.relationships:
            both = Step(kind.type), Step(kind.type, reversed=True)
            yield from filter(self._phrasebook.knows_step, both)

    def _list_step_nouns(self, step: Step) -> frozenset[str]:
        phrases = self._phrasebook.phrases_of(step)
        return frozenset(map(str.lower, (*phrases.nouns, *phrases.types)))

    def list_step_words(self, step: Step) -> frozenset[str]:
        """The words, without their endings, by which questions speak of a step in either direction
        or of the nodes that it leads to; no function words."""
        if step not in self._step_words:
            ends = {
                kind.start_label if step.reversed else kind.end_label
                for kind in self._schema.relationships
                if kind.type == step.relation
            }
            phrases = [self._phrasebook.phrases_of(each) for each in (step, step.turn())]
            texts: list[str] = []
            for each in phrases:
                texts += (*each.nouns, *each.asks, *each.clauses, *each.some, *each.none)
            texts += (noun for end in ends for noun in self._phrasebook.type_nouns(end))
            texts += self._list_event_words(step.relation)
            found = [word for text in texts for word in split_phrase(text)]
            found += (word for name in read_name(step.relation).words for word in bare_words(name))
            self._step_words[step] = frozenset(
                strip_endings(word) for word in found if word not in FUNCTION_WORDS
            )
        return self._step_words[step]

    def knows_property(self, name: str) -> bool:
        """Whether a property, whatever has it, has phrases beside those that its name gives."""
        return any(
            self._phrasebook.knows_property(owner, kind)
            for owner, kind in self._schema.iterate_properties()
            if kind.name == name
        )

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

    def find_relation(self, word: str) -> str | None:
        """The only relationship type that a word in small letters is in the name of, in any form;
        None where there are several, or a label or a property is called so too."""
        types = self.find_relations(word)
        return next(iter(types)) if len(types) == 1 else None

    def find_relations(self, word: str) -> frozenset[str]:
        """The relationship types that a word in small letters is in the names of, in any form; none
        where a label or a property is called so too."""
        if word not in self._relations:
            names = [label.label for label in self._schema.labels]
            names += [kind.name for label in self._schema.labels for kind in label.properties]
            is_other = any(_is_word_of(word, name) for name in names)
            types = {kind.type for kind in self._schema.relationships}
            found = () if is_other else (kind for kind in types if _is_word_of(word, kind))
            self._relations[word] = frozenset(found)
        return self._relations[word]

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
        return all(tells_kind(kind.label) for kind in self._schema.labels)

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


def _is_word_of(word: str, name: str) -> bool:
    return any(has_same_stem(word, other) for other in read_name(name).words)


def _is_in_name(noun: str, name: str) -> bool:
    """Whether all words of a noun are in a name, in any form, or as one: `post code`."""
    return _is_word_of(noun.replace(" ", ""), name) or all(
        _is_word_of(word, name) for word in noun.split()
    )


def read_schema_vocabulary(schema: Schema) -> SchemaVocabulary:
    """The label words of a schema, built once for all that differ in counts alone; a service has
    that done in a thread before questions get the schema (`prepare_schema`)."""
    return schema.uncounted.derive(SchemaVocabulary)
