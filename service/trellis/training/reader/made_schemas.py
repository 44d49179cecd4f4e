"""Makes schemas of graphs that nobody has: of many domains, sizes and habits of naming.

The schema is all that lessons need: kinds of nodes with their properties and sample values, and
relationship types between them. Its phrasebook says how people speak of its parts, also of those
whose names are shortened or codes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.ports import Embedder
from trellis.lexicon.names import read_name
from trellis.lexicon.phrasebook import Phrasebook
from trellis.training.reader.naming import NamingHabit, draw_habit
from trellis.training.reader.vocabulary import (
    FLAGS,
    TEXT_VALUES,
    MadeVocabulary,
    draw_some,
    list_kinds_for,
)

_MOST_PROPERTIES = 9
_EDGE_PROPERTIES = 0.3  # share of relationship types with properties
_OTHER_PAIR = 0.15  # probability that a type runs between one more pair of labels
_PLAIN = 0.25  # share of relationship types that are named after what they lead to, or by a verb
_RELATED = 0.6  # share of kinds that are near the domain's first one
_NAMES = {"name": 0.62, "title": 0.14, "full name": 0.05, "label": 0.04, "code": 0.05, "id": 0.1}
_VERBS = """uses needs supports covers includes serves replaces follows matches contains supplies
    processes tracks requires links references attends grows treats protects paints repairs cleans
    rents borrows steers trains feeds guards sponsors funds audits tests ships stores schedules
    measures monitors opens closes blocks prevents causes affects precedes mentions explains
    teaches studies visits enters leaves collects exhibits restores breeds hunts pollinates
    irrigates charters navigates escorts inspects licenses insures""".split()  # noqa: SIM905


@dataclass(frozen=True)
class MadeSchema:
    """The schema of a made graph, with its phrases."""

    schema: Schema
    book: Phrasebook


class SchemaMaker:
    """Makes schemas; equal seeds give equal ones. `vectors` [kinds, d]: of the vocabulary's kinds,
    by which those of a domain are found."""

    def __init__(self, vocabulary: MadeVocabulary, vectors: NDArray[np.float32]) -> None:
        self._vocabulary = vocabulary
        self._vectors = vectors

    @classmethod
    def of_vocabulary(cls, vocabulary: MadeVocabulary, embedder: Embedder) -> SchemaMaker:
        """A maker of schemas of a vocabulary."""
        return cls(vocabulary, embedder.embed(vocabulary.kinds))

    def make_graph(self, seed: int) -> MadeSchema:
        """One graph."""
        return _Drawing(self._vocabulary, self._vectors, random.Random(seed)).make_graph()


class _Drawing:
    """The drawing of one schema."""

    def __init__(
        self, vocabulary: MadeVocabulary, vectors: NDArray[np.float32], choice: random.Random
    ) -> None:
        self._vocabulary = vocabulary
        self._vectors = vectors
        self._choice = choice
        self._habit: NamingHabit = draw_habit(choice)
        self._own: dict[str, Mapping[str, Any]] = {}
        self._own_properties: dict[str, Mapping[str, Any]] = {}

    def make_graph(self) -> MadeSchema:
        first_of_words: dict[str, tuple[str, str]] = {}  # a kind and its label
        for kind in self._draw_kinds():
            label = self._habit.name_label(kind, self._choice)
            first_of_words.setdefault(read_name(label).text, (kind, label))
        labels = dict(first_of_words.values())
        relations = self._draw_relations(labels)
        of_nodes = tuple(self._draw_label(label) for label in labels.values())
        of_edges = self._draw_edge_properties(relations)
        text = repr((of_nodes, relations, of_edges))
        schema = Schema(
            of_nodes,
            tuple(relations),
            sum(kind.count for kind in of_nodes),
            sum(kind.count for kind in relations),
            sha256(text.encode()).hexdigest()[:16],
            of_edges,
        )
        book = Phrasebook.of_schema(schema)
        return MadeSchema(schema, replace(book, own=self._own, own_properties=self._own_properties))

    def _draw_kinds(self) -> list[str]:
        """The kinds of a domain: those near one, and some others."""
        kinds = self._vocabulary.kinds
        count = min(len(kinds), max(2, int(2 ** self._choice.uniform(1.3, 4.7))))
        if self._choice.random() < 0.03:
            count = self._choice.randint(40, 90)
        first = self._choice.randrange(len(kinds))
        near = np.argsort(-(self._vectors @ self._vectors[first]))[: 4 * count]
        related = max(1, round(_RELATED * count))
        drawn = {first, *draw_some(list(map(int, near)), related, self._choice)}
        drawn |= set(draw_some(range(len(kinds)), max(0, count - len(drawn)), self._choice))
        return [kinds[index] for index in sorted(drawn)]

    def _draw_relations(self, labels: Mapping[str, str]) -> list[RelationshipKind]:
        count = max(1, round(len(labels) * self._choice.uniform(0.8, 1.9)))
        names, kinds = set[str](), list[RelationshipKind]()
        for _ in range(3 * count):
            if len(names) >= count:
                break
            plain = self._choice.random() < _PLAIN
            drawn = self._draw_plain(labels) if plain else self._draw_known(labels)
            if drawn is None or drawn.type in names or not drawn.type.strip("_ "):
                continue
            names.add(drawn.type)
            kinds.append(drawn)
            if self._choice.random() < _OTHER_PAIR:
                others = list(labels.values())
                other = replace(drawn, start_label=self._choice.choice(others))
                kinds += [other] if other.start_label != drawn.start_label else []
        return kinds

    def _draw_known(self, labels: Mapping[str, str]) -> RelationshipKind | None:
        """A relation of the lexicon between kinds that it can relate."""
        entry = self._choice.choice(self._vocabulary.relations)
        ends, starts = (
            list_kinds_for(each.get("wh", "what"), each.get("nouns", ()), list(labels))
            for each in (entry, entry.get("back", {}))
        )
        if not ends or not starts:
            return None
        name = self._habit.name_type(self._choice.choice(entry["names"]), self._choice)
        self._own[name] = entry
        start, end = self._choice.choice(starts), self._choice.choice(ends)
        return RelationshipKind(name, labels[start], labels[end], self._draw_count())

    def _draw_plain(self, labels: Mapping[str, str]) -> RelationshipKind:
        """A relation that is named after what it leads to, or by a verb."""
        start, end = self._choice.choice(list(labels)), self._choice.choice(list(labels))
        words = self._choice.choice(
            (f"has {end}", end, f"{start} {end}", f"of {end}", f"in {end}")
            if self._choice.random() < 0.5
            else (self._choice.choice(_VERBS),)
        )
        habit = replace(self._habit, abbreviates=0.0)  # nothing tells what it is short for
        name = habit.name_type(words, self._choice)
        return RelationshipKind(name, labels[start], labels[end], self._draw_count())

    def _draw_label(self, label: str) -> LabelKind:
        count = self._draw_count()
        words = self._choice.choices(list(_NAMES), list(_NAMES.values()))[0]
        naming = self._habit.name_property(words, self._choice)
        own = PropertyKind(naming, "STRING", unique=True, indexed=True, examples=())
        kinds = {naming: own}
        for _ in range(self._choice.randint(0, _MOST_PROPERTIES)):
            kind = self._draw_property(label)
            kinds.setdefault(kind.name, kind)
        return LabelKind(label, count, naming, tuple(sorted(kinds.values(), key=lambda k: k.name)))

    def _draw_edge_properties(
        self, relations: Sequence[RelationshipKind]
    ) -> dict[str, tuple[PropertyKind, ...]]:
        types = sorted({kind.type for kind in relations})
        chosen = [name for name in types if self._choice.random() < _EDGE_PROPERTIES]
        found = {}
        for name in chosen:
            kinds = (self._draw_property(name) for _ in range(self._choice.randint(1, 3)))
            found[name] = tuple({kind.name: kind for kind in kinds}.values())
        return found

    def _draw_property(self, owner: str) -> PropertyKind:
        """A property: a number, a time, a flag, a text of few, or another text."""
        draw = self._choice.random()
        if draw < 0.36:
            return self._draw_number(owner)
        if draw < 0.54:
            return self._draw_time(owner)
        if draw < 0.66:
            name = self._habit.name_property(self._choice.choice(FLAGS).strip(), self._choice)
            return PropertyKind(name, "BOOLEAN", values=(True, False))
        if draw < 0.85:
            return self._draw_text_of_few()
        entry = self._choice.choice(self._vocabulary.texts)
        name = self._name_property(owner, entry)
        if self._choice.random() < 0.08:
            return PropertyKind(name, "LIST<STRING>", self._draw_share())
        return PropertyKind(name, "STRING", self._draw_share())

    def _draw_number(self, owner: str) -> PropertyKind:
        entry = self._choice.choice(self._vocabulary.numbers)
        size = 10 ** self._choice.uniform(0.5, 5)
        drawn = [size * self._choice.uniform(0.2, 2) for _ in range(4)]
        if self._choice.random() < 0.65:
            examples = tuple(max(1, round(each)) for each in drawn)
            return PropertyKind(
                self._name_property(owner, entry), "INTEGER", self._draw_share(), examples=examples
            )
        name = self._name_property(owner, entry)
        rounded = tuple(round(each, 1) for each in drawn)
        return PropertyKind(name, "FLOAT", self._draw_share(), examples=rounded)

    def _draw_time(self, owner: str) -> PropertyKind:
        entry = self._choice.choice(self._vocabulary.times)
        name = self._name_property(owner, entry)
        years = [self._choice.randint(1950, 2025) for _ in range(4)]
        if "year" in read_name(name).words:
            return PropertyKind(name, "INTEGER", self._draw_share(), examples=tuple(years))
        days = tuple(
            f"{year}-{self._choice.randint(1, 12):02}-{self._choice.randint(1, 28):02}"
            for year in years
        )
        if self._choice.random() < 0.2:
            days = tuple(f"{day}T10:00:00" for day in days)
            return PropertyKind(name, "LOCAL DATETIME", self._draw_share(), examples=days)
        return PropertyKind(name, "DATE", self._draw_share(), examples=days)

    def _draw_text_of_few(self) -> PropertyKind:
        words = self._choice.choice(list(TEXT_VALUES))
        values = tuple(draw_some(TEXT_VALUES[words], self._choice.randint(2, 6), self._choice))
        name = self._habit.name_property(words, self._choice)
        return PropertyKind(name, "STRING", self._draw_share(), values=values, examples=values)

    def _name_property(self, owner: str, entry: Mapping[str, Any]) -> str:
        name = self._habit.name_property(self._choice.choice(entry["names"][:8]), self._choice)
        self._own_properties[f"{owner}.{name}"] = entry
        return name

    def _draw_share(self) -> float:
        return 1.0 if self._choice.random() < 0.75 else self._choice.uniform(0.3, 0.95)

    def _draw_count(self) -> int:
        return int(10 ** self._choice.uniform(0.7, 5))
