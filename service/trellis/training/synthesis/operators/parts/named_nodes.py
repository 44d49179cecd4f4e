"""Says which node is meant: by its name, by another value, or by two: `the officer t0 t1`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.domain.graphs.schema import LabelKind, PropertyKind
from trellis.domain.identifiers import quote_name
from trellis.lexicon.full_names import find_full_name
from trellis.lexicon.names import read_name
from trellis.lexicon.phrasebook import Phrasebook
from trellis.training.synthesis.operators.parts.topics import Topics

_NAME, _SURNAME, _CATEGORY, _TEXT, _CODE = 1.0, 0.6, 0.4, 0.25, 0.1
"""Weights of what a node is said by: its name, a surname, a property with few values, another
text, a code."""

_CODES = frozenset(("id", "uuid", "guid", "key", "url", "uri", "hash"))
_LONGEST = 60  # characters of values that a question says
_FULL = 0.5  # probability that a first name is said with a surname, where there are surnames
_TWO = 0.15  # probability that a node is said by two values
_ADJACENT = 0.5  # probability that two values stand side by side
_BARE_NAME, _BARE_VALUE = 0.8, 0.35  # probability that a value stands for its node by itself
_NOUN_LAST = 0.35  # probability of `t0 crimes`, not `crimes of type t0`
_ARTICLES = ("the ", "the ", "a ", "", "some ")


@dataclass(frozen=True, slots=True)
class NamedNode:
    """A node in words, and the values that tell which one: a topic for each property."""

    label: str
    text: str
    values: tuple[tuple[str, str], ...]

    @property
    def is_single(self) -> bool:
        """Whether one value tells which node is meant."""
        return len(self.values) == 1

    def exchange_topic(self, topic: str) -> NamedNode:
        """The node with another topic for its only value."""
        [(name, before)] = self.values
        return replace(self, text=self.text.replace(before, topic), values=((name, topic),))

    def write(self, variable: str = "") -> str:
        """The node as Cypher: `(n:Officer {name: 't0', surname: 't1'})`."""
        values = ", ".join(f"{quote_name(name)}: '{topic}'" for name, topic in self.values)
        label = f":{quote_name(self.label)}" if self.label else ""
        return f"({variable}{label} {{{values}}})"


class NodeNames:
    """Draws what nodes are said by. `choice`: where equal seeds give equal ones."""

    def __init__(self, book: Phrasebook, choice: random.Random) -> None:
        self._book, self._choice = book, choice

    def draw_node(
        self, kind: LabelKind, noun: str, topics: Topics, without: str = ""
    ) -> NamedNode | None:
        """A node of a label, in words with a noun of the label; None where it has no text.

        `without`: a property that does not tell which node it is.
        """
        told = {each.name: weigh_text(kind, each) for each in kind.properties}
        told = {name: weight for name, weight in told.items() if weight and name != without}
        if not told:
            return None
        first = self._choice.choices(list(told), list(told.values()))[0]
        full = find_full_name(kind)
        if full and first == full.first and self._choice.random() < _FULL:
            values = self._add_values(kind, (full.first, full.surname), topics)
            return NamedNode(kind.label, self._say_pair(noun, values), values)
        others = {name: weight for name, weight in told.items() if name != first}
        if not others or self._choice.random() >= _TWO:
            topic = topics.add_value(kind.label, first)
            return NamedNode(kind.label, self._say_one(kind, noun, first, topic), ((first, topic),))
        second = self._choice.choices(list(others), list(others.values()))[0]
        values = self._add_values(kind, (first, second), topics)
        return NamedNode(kind.label, self._say_two(kind, noun, values), values)

    def _add_values(
        self, kind: LabelKind, names: Sequence[str], topics: Topics
    ) -> tuple[tuple[str, str], ...]:
        return tuple((name, topics.add_value(kind.label, name)) for name in names)

    def say_value(self, kind: LabelKind, name: str, topic: str) -> str:
        """A phrase behind a noun for the value of a property: `with the surname t0`."""
        own = kind.property(name)
        assert own is not None
        phrases = self._book.property_phrases(kind.label, own)
        noun = self._choice.choice(phrases.nouns or (name,))
        general = (f"with {noun} {{}}", f"whose {noun} is {{}}", f"with the {noun} {{}}")
        options = phrases.equal if phrases.equal and self._choice.random() < 0.6 else general
        return self._choice.choice(options).replace("{}", topic)

    def _say_one(self, kind: LabelKind, noun: str, name: str, topic: str) -> str:
        bare = _BARE_NAME if name == kind.naming else _BARE_VALUE
        if self._choice.random() < bare:
            return topic
        article = self._choice.choice(_ARTICLES)
        if self._choice.random() < _NOUN_LAST:
            pair = (noun, topic) if name == kind.naming else (topic, noun)
            return f"{article}{' '.join(pair)}"
        return f"{article}{noun} {self.say_value(kind, name, topic)}"

    def _say_pair(self, noun: str, values: Sequence[tuple[str, str]]) -> str:
        """Values side by side, mostly without the noun."""
        pair = " ".join(topic for _, topic in values)
        is_bare = self._choice.random() < _BARE_NAME
        return pair if is_bare else f"{self._choice.choice(_ARTICLES)}{noun} {pair}"

    def _say_two(self, kind: LabelKind, noun: str, values: Sequence[tuple[str, str]]) -> str:
        """Two values side by side, or one of them in a phrase of its own."""
        (first, topic), (second, other) = values
        if self._choice.random() < _ADJACENT:
            return self._say_pair(noun, values)
        said = self._say_one(kind, noun, first, topic)
        joint = " and " if " " in said and self._choice.random() < 0.4 else " "
        return f"{said}{joint}{self.say_value(kind, second, other)}"


def is_whole_name(kind: LabelKind, name: str) -> bool:
    """Whether a property is a label's whole name, and no first name beside a surname."""
    full = find_full_name(kind)
    return name == kind.naming and not (full and full.first == name)


def weigh_text(kind: LabelKind, property_kind: PropertyKind) -> float:
    """How often people say a node of a label by a property; 0 where it is no short text."""
    shown = [value for value in property_kind.examples if isinstance(value, str)]
    if property_kind.type != "STRING" or any(len(value) > _LONGEST for value in shown):
        return 0.0
    if not _CODES.isdisjoint(read_name(property_kind.name).words):
        return _CODE
    full = find_full_name(kind)
    if full and property_kind.name == full.surname:
        return _SURNAME
    if property_kind.name == kind.naming:
        return _NAME
    return _CATEGORY if property_kind.values else _TEXT
