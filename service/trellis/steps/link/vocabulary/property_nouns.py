"""Property nouns: what people call properties of nodes, and call nothing else in the graph."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping

from trellis.automata.cypher.words.property_types import NUMBERS
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.names import read_name, spell_out, strip_endings
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.linking.text import bare_words

PropertyPlace = tuple[str, str]
"""A property of a label: the label and the property's name."""

_LEAST_HEAD = 4  # letters of a name's last word that stands for it: no `no` of `badge no`
_BEFORE_COUNTED = re.compile(r"^(?:(?:number|count|total|no|nr|num) of|num|nr|n) ")
_BEHIND_COUNTED = re.compile(r" (?:count|total|tally)$")
_NAMES = frozenset(("id", "name", "title"))
"""What anything may be called by: no word for a property of something."""


def find_measured_places(
    schema: Schema, book: Phrasebook
) -> Mapping[str, frozenset[PropertyPlace]]:
    """The properties that hold numbers by their names, which are no label's or relation's: `area`,
    although people call a city so too."""
    places = defaultdict[str, set[PropertyPlace]](set)
    for label in schema.labels:
        for kind in label.properties:
            if kind.type in NUMBERS:
                for noun in book.property_phrases(label.label, kind).nouns:
                    if f"{read_name(kind.name).text} ".startswith(f"{noun.lower()} "):
                        places[noun.lower()].add((label.label, kind.name))
    named = {word for label in schema.labels for word in read_name(label.label).words}
    for relation in schema.relationships:
        named.update(read_name(relation.type).words)
    return {noun: frozenset(its) for noun, its in places.items() if noun not in named}


def find_counting_places(
    schema: Schema, label_nouns: Collection[str]
) -> Mapping[str, frozenset[PropertyPlace]]:
    """The properties that hold how many there are of something that is no label or relation,
    by its noun in the plural: `files` of `file_count`, `num_files` and `files`."""
    places = defaultdict[str, set[PropertyPlace]](set)
    for label in schema.labels:
        for kind in label.properties:
            if kind.type in NUMBERS and (noun := _find_counted_noun(read_name(kind.name).text)):
                places[noun].add((label.label, kind.name))
    others = {word for kind in schema.relationships for word in read_name(kind.type).words}
    others.update(label_nouns)
    named = others.union(map(make_plural, others))
    return {noun: frozenset(its) for noun, its in places.items() if noun not in named}


def _find_counted_noun(name: str) -> str:
    """What a property counts, by its name in small letters; empty where it counts nothing."""
    counted = _BEFORE_COUNTED.sub("", name)
    counted = _BEHIND_COUNTED.sub("", counted) if counted == name else counted
    if counted == name:
        return name if is_plural(name) else ""
    return counted if is_plural(counted) else make_plural(counted)


def group_properties(
    schema: Schema, book: Phrasebook, label_nouns: Collection[str]
) -> Mapping[str, frozenset[PropertyPlace]]:
    """The properties by what they, and no relation, label or name, are called, or by the last
    word of that. What names nodes is called so although a relation to them is, too: `address`;
    a property called as a label has no noun of its own: `post codes`."""
    places, others = defaultdict[str, set[PropertyPlace]](set), {*label_nouns, *_NAMES}
    own_names = set[str]()
    as_one_word = {noun.replace(" ", "") for noun in label_nouns}
    owned = [(label, kind) for label in schema.labels for kind in label.properties]
    for owner, kind in owned:
        name = spell_out(read_name(kind.name).text)
        nouns = {
            read_name(kind.name).text,
            name,
            *book.property_phrases(owner.label, kind).nouns,
        }
        if len(head := name.rpartition(" ")[2]) >= _LEAST_HEAD:
            nouns.add(head)
        if name.replace(" ", "").lower() in as_one_word:
            others.update(map(str.lower, nouns))
        if kind.name == owner.naming:
            own_names.update((name, head))
        for noun in nouns:
            places[noun.lower()].add((owner.label, kind.name))
    for relation in {kind.type for kind in schema.relationships}:
        others.update({*read_name(relation).words} - own_names)
        for step in (Step(relation), Step(relation, True)):
            nouns = {noun.lower() for noun in book.phrases_of(step).nouns}
            others.update(nouns - own_names)
    return {noun: frozenset(its) for noun, its in places.items() if noun not in others}


def group_edge_properties(
    schema: Schema, others: Collection[str]
) -> Mapping[str, frozenset[PropertyPlace]]:
    """The properties of relationships by their names in small letters, and the plurals of these;
    without `others`, what labels and their properties are called, and words of relations."""
    places = defaultdict[str, set[PropertyPlace]](set)
    for type_, kinds in schema.relationship_properties.items():
        for kind in kinds:
            name = read_name(kind.name).text
            for noun in (name, make_plural(name)):
                places[noun].add((type_, kind.name))
    named = _NAMES.union(others)
    named |= {word for kind in schema.relationships for word in read_name(kind.type).words}
    return {noun: frozenset(its) for noun, its in places.items() if noun not in named}


def group_text_words(schema: Schema) -> Mapping[str, frozenset[PropertyPlace]]:
    """The properties with few texts, none of which names a node, by the stems of the last words of
    these: `baritone` of `bass-baritone`."""
    places = defaultdict[str, set[PropertyPlace]](set)
    for label in schema.labels:
        for kind in label.properties:
            texts = () if kind.name == label.naming else kind.values
            for words in (bare_words(text) for text in texts if isinstance(text, str)):
                if words and len(words[-1]) >= _LEAST_HEAD:
                    places[strip_endings(words[-1])].add((label.label, kind.name))
    return {stem: frozenset(its) for stem, its in places.items()}
