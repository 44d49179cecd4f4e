"""What of the general lexicon fits a schema, and what would say something else there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.full_names import find_full_name
from trellis.lexicon.names import PREPOSITIONS, read_name, strip_endings, tells_kind
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.relations.derived_phrases import find_verb
from trellis.lexicon.relations.relation_words import split_phrase

if TYPE_CHECKING:
    from trellis.lexicon.phrasebook import Phrasebook

_LEAST_SAID = 4  # letters of a word of a name or value by which it is known in a phrase
_SUBJECTS = (
    "airport",
    "album",
    "band",
    "book",
    "club",
    "company",
    "crime",
    "doctor",
    "film",
    "gene",
    "movie",
    "officer",
    "paper",
    "player",
    "protein",
    "school",
    "song",
    "team",
    "university",
)
"""Kinds of things of which the lexicon speaks where it fits no other kind."""


def find_own_nouns(
    book: Phrasebook, schema: Schema, *, shared: bool
) -> Mapping[str, tuple[str, ...]]:
    """The nouns of a schema's labels, by their names in words, without those of the lexicon that
    name a property or a relationship of it, and, unless `shared`, those that several labels may be
    called by: who has doctors and practitioners calls each by its name."""
    texts = [" ".join(read_name(k.label).words) for k in schema.labels if tells_kind(k.label)]
    nouns = {text: book.type_nouns(text) for text in texts}
    meant = Counter(
        noun for its in nouns.values() for noun in {strip_endings(each) for each in its}
    )
    properties = {kind.name for _, kind in schema.iterate_properties()}
    names = properties.union(kind.type for kind in schema.relationships)
    said = {strip_endings(read_name(name).core) for name in names}
    if not shared:
        said.update(map(strip_endings, texts))
    return {
        text: tuple(
            noun
            for noun in its
            if text in book.own_types
            or noun in (text, make_plural(text))
            or (strip_endings(noun) not in said and (shared or meant[strip_endings(noun)] == 1))
        )
        for text, its in nouns.items()
    }


def find_foreign_nouns(book: Phrasebook, schema: Schema) -> frozenset[str]:
    """The nouns of subjects that no name of a schema says; none where some label does not say what
    its nodes are."""
    labels = [kind.label for kind in schema.labels if kind.label]
    if not labels or not all(map(tells_kind, labels)):
        return frozenset()
    names = [*labels, *(kind.type for kind in schema.relationships)]
    words = {strip_endings(word) for name in names for word in read_name(name).words}
    own = {noun for label in labels for noun in book.type_nouns(label)}
    nouns = {"music", *(noun for subject in _SUBJECTS for noun in book.types[subject])}
    return frozenset(noun for noun in nouns - own if strip_endings(noun) not in words)


def find_shared_concepts(book: Phrasebook, schema: Schema) -> frozenset[str]:
    """The concepts that several relationship types between the same labels stand for, each by a
    verb of its own: who rated and reviewed toys did two things, while rivers flow and mountains run
    through a country."""
    verbs = defaultdict[tuple[str, str, str], set[str]](set)
    for kind in schema.relationships:
        concept, verb = book.concepts.find_id(kind.type), find_verb(read_name(kind.type))
        if concept and verb:
            verbs[concept, kind.start_label, kind.end_label].add(verb)
    return frozenset(concept for (concept, *_), said in verbs.items() if len(said) > 1)


def find_unclear_idioms(book: Phrasebook, schema: Schema) -> frozenset[str]:
    """The noun phrases for nodes that have or lack a relation which say something else in a schema,
    too: another relation of the same nodes, a value or a property: what is `idle` may have nothing
    to work on, nothing to look into, or that status."""
    said = defaultdict[tuple[str, str], set[str]](set)
    for kind in schema.relationships:
        for step, start in (
            (Step(kind.type), kind.start_label),
            (Step(kind.type, True), kind.end_label),
        ):
            phrases = book.find_known_phrases(step)
            for idiom in (*phrases.some, *phrases.none):
                said[start, idiom].add(kind.type)
    words = _list_said_words(schema)
    return frozenset(
        idiom
        for (_, idiom), types in said.items()
        if len(types) > 1 or not words.isdisjoint(map(strip_endings, split_phrase(idiom)))
    )


def _list_said_words(schema: Schema) -> set[str]:
    """The longer words of a schema's values and of its properties' names, without endings."""
    kinds = [kind for _, kind in schema.iterate_properties()]
    values = [str(value) for kind in kinds for value in kind.values]
    texts = [*values, *(read_name(kind.name).text for kind in kinds)]
    words = {strip_endings(word) for text in texts for word in split_phrase(text)}
    return {word for word in words.difference(PREPOSITIONS) if len(word) >= _LEAST_SAID}


def find_first_names(schema: Schema) -> Iterator[tuple[str, str]]:
    """The properties `name` of labels that have a surname as well, which hold first names."""
    for label in schema.labels:
        full = find_full_name(label)
        if full and full.first.lower() == "name":
            yield label.label, full.first
