"""Relation words: by which words people speak of the relationships of the live schema."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.label_kinds import is_person
from trellis.lexicon.names import read_name, strip_endings, tells_kind
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.relations.event_verbs import EventKind
from trellis.lexicon.relations.relation_words import split_phrase
from trellis.lexicon.relations.verbs import Verb, make_verb, read_participle, read_third
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem

_ALIKE = 2  # nouns that steps share which end in the same kind of thing
VAGUE = frozenset(
    """bodies body group groups land piece pieces place places spot spots thing things unit units
    work works""".split()  # noqa: SIM905
)
"""Nouns for anything, by which nobody names a kind."""
_BELONGING = frozenset(("member", "members", "membership", "part", "parts"))
"""Nouns for whatever belongs to something, by any relation."""


class RelationVocabulary:
    """The words by which people speak of the relationships of a schema.

    `steps`: those that lead to what a noun names. `events`: the schema's labels of events, which
    verbs speak of. `is_taken`: whether a noun in small letters calls a label or a property.
    `all_labels_are_meaningful`: whether each label says what sort of thing its nodes are.
    """

    def __init__(
        self,
        schema: Schema,
        phrasebook: Phrasebook,
        events: Sequence[EventKind],
        label_nouns: Iterable[str],
        is_taken: Callable[[str], bool],
    ) -> None:
        self._schema, self._phrasebook, self._events = schema, phrasebook, events
        self._is_taken = is_taken
        self.all_labels_are_meaningful = all(tells_kind(kind.label) for kind in schema.labels)
        self._step_words: dict[Step, frozenset[str]] = {}
        self._relations: dict[str, frozenset[str]] = {}
        self.steps = self._group_steps()
        self._relation_nouns = self._list_relation_nouns()
        self._type_words = {
            name: self.list_step_words(Step(name)) for name in schema.relation_types
        }
        self._name_stems = self._group_name_stems(label_nouns)

    def find_steps(self, noun: str) -> frozenset[Step]:
        """The steps that end in what a noun in small letters names, as far as the lexicon knows
        their relations: those that it is a noun of, and those that share other nouns with them."""
        return frozenset() if noun in VAGUE else self.steps.get(noun, frozenset())

    def _group_steps(self) -> Mapping[str, frozenset[Step]]:
        nouns = {step: self._list_step_nouns(step) for step in self._list_known_steps()}
        steps = defaultdict[str, set[Step]](set)
        for step, said in nouns.items():
            alike = [other for other, its in nouns.items() if len(said & its) >= _ALIKE]
            for noun in said:
                steps[noun].update((step, *alike))
                steps[make_plural(noun)].update((step, *alike))
        return {noun: frozenset(those) for noun, those in steps.items()}

    def _list_known_steps(self) -> Iterator[Step]:
        for kind in self._schema.relationships:
            both = Step(kind.type), Step(kind.type, reversed=True)
            yield from filter(self._phrasebook.knows_step, both)

    def _list_step_nouns(self, step: Step) -> frozenset[str]:
        phrases = self._phrasebook.phrases_of(step)
        return frozenset(map(str.lower, (*phrases.nouns, *phrases.types)))

    def find_question_word(self, step: Step) -> str:
        """By which word people ask for the end of a step (who, what, when, where); empty where the
        lexicon does not know its relation."""
        known = self._phrasebook.knows_step(step)
        return self._phrasebook.phrases_of(step).wh if known else ""

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

    def _group_name_stems(self, label_nouns: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """The relationship types by the stems of the words in their names."""
        types = defaultdict[str, set[str]](set)
        for relation in self._schema.relation_types:
            for word in read_name(relation).words:
                if word not in FUNCTION_WORDS and word not in _BELONGING:
                    types[strip_endings(word)].add(relation)
        labels = {strip_endings(word) for noun in label_nouns for word in noun.split()}
        return {stem: frozenset(its) for stem, its in types.items() if stem not in labels}

    def says_relation(self, relation: str, stems: Collection[str]) -> bool:
        """Whether words of these stems speak of a relationship type."""
        return not self._type_words[relation].isdisjoint(stems)

    def match_relation_nouns(self, text: str) -> Mapping[str, str]:
        """The nouns in a text in small letters that say a single relationship type, and nothing
        else: `capital` says HAS_CAPITAL. Verbs say none: a country borders a sea. None where some
        label does not say what a node is, and relations are all that nouns can say."""
        if not self.all_labels_are_meaningful:
            return {}
        return {
            noun: relation
            for noun, relation in self._relation_nouns.items()
            if noun in text and re.search(rf"\b{re.escape(noun)}\b", text)
        }

    def _list_relation_nouns(self) -> Mapping[str, str]:
        """The nouns of relations that are words of their names, and of no other name."""
        found = {}
        for noun, steps in self.steps.items():
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
        called so: conductors conducted, singers sing in a band."""
        types = defaultdict[str, set[str]](set)
        for relation in self._schema.relation_types:
            for agent in (verb.agent for verb in self._list_verbs(relation)):
                for noun in (agent, make_plural(agent)):
                    types[noun].add(relation)
        return {
            noun: next(iter(its))
            for noun, its in types.items()
            if len(its) == 1 and not self._is_taken(noun)
        }

    def _list_verbs(self, relation: str) -> Iterator[Verb]:
        """The verbs in a relationship type's name; of those in the present tense the first alone,
        where persons do it: `SINGS_IN`."""
        words = read_name(relation).words
        yield from filter(None, map(read_participle, words))
        kinds = self._schema.relationships
        if words[0].endswith("s") and is_person(k.start_label for k in kinds if k.type == relation):
            yield make_verb(read_third(words[0]))

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
            texts += self.list_event_words(step.relation)
            found = [word for text in texts for word in split_phrase(text)]
            found += (word for name in read_name(step.relation).words for word in bare_words(name))
            self._step_words[step] = frozenset(
                strip_endings(word) for word in found if word not in FUNCTION_WORDS
            )
        return self._step_words[step]

    def list_event_words(self, relation: str | None = None) -> Iterator[str]:
        """The forms of the verbs for events, of one that goes by a relation where one is given."""
        for event in self._events:
            if relation in (None, event.agent.step.relation, event.patient.step.relation):
                for verb in event.verbs:
                    yield from (verb.base, verb.past, verb.participle)

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
            is_other = any(is_word_of(word, name) for name in names)
            types = {kind.type for kind in self._schema.relationships}
            found = () if is_other else (kind for kind in types if is_word_of(word, kind))
            self._relations[word] = frozenset(found)
        return self._relations[word]


def is_word_of(word: str, name: str) -> bool:
    """Whether a word in any form is one of a name."""
    return any(has_same_stem(word, other) for other in read_name(name).words)
