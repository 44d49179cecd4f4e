"""Sets of nodes that questions speak of: `rivers in v0`, and the pattern that finds them.

A set is drawn from the schema: a label, and chains of relationships from it to named nodes. Its
words come from the phrases of these relationships. In words and in pattern, `t0`, `t1`, … stand for
the names and numbers that a question is about (`Topics`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from trellis.domain.graph import Scalar, Step
from trellis.domain.identifiers import quote_name
from trellis.domain.schema import LabelKind, RelationshipKind, Schema
from trellis.steps.shared.phrases import make_plural
from trellis.training.synthesis.asking import Asker
from trellis.training.synthesis.phrasebook import Phrasebook, Phrases
from trellis.training.synthesis.predicates import list_predicates
from trellis.training.synthesis.verb_phrases import find_behind_be

_FLAT = 0.3  # exponent of a count in its weight
_BACK, _RETURN = 0.6, 0.15  # weights of steps against a relation's direction, and of turning back
_CHAINS = (0.62, 0.28, 0.10)  # shares of chains of one step, two and three
_SEVERAL = 1.15  # relationships of a type for each node, from which on a node may have several


@dataclass(frozen=True, slots=True)
class Topic:
    """A name of a node, or a value: of a label's property, or a number of no label."""

    label: str
    property: str
    number: Scalar = None
    is_adjective: bool = False


@dataclass
class Topics:
    """The topics of one question: `t0`, `t1`, … in its words and its query."""

    listed: list[Topic] = field(default_factory=list)

    def add_name(self, kind: LabelKind) -> str:
        """A new topic that names a node; its text."""
        assert kind.naming
        return self._add(Topic(kind.label, kind.naming))

    def add_value(self, label: str, name: str) -> str:
        return self._add(Topic(label, name))

    def add_number(self, number: float) -> str:
        return self._add(Topic("", "", number))

    def _add(self, topic: Topic) -> str:
        self.listed.append(topic)
        return f"t{len(self.listed) - 1}"


@dataclass(frozen=True, slots=True)
class Hop:
    """A relationship from a node of the pattern, `is_back` where it runs to it, and the label that
    it leads to; empty where it may be of several."""

    type: str
    is_back: bool
    label: str

    def write(self, inside: str, name: str = "") -> str:
        """The hop as Cypher, `inside` the node that it leads to."""
        edge = f"[{name}:{quote_name(self.type)}]"
        return f"<-{edge}-{inside}" if self.is_back else f"-{edge}->{inside}"


@dataclass(frozen=True, slots=True)
class Chain:
    """Hops from a node to one that topic `topic` names, and their phrases, outermost first.

    `inner`: the words for the node of the first hop. `phrases`: those of the step from there back.
    """

    hops: tuple[Hop, ...]
    naming: str
    topic: str
    phrases: Phrases
    inner: str

    def write(self, name: str | None = None) -> str:
        """The hops as Cypher; `name`: another topic at their end."""
        text = ""
        for hop in self.hops[:-1]:
            text += hop.write(f"({_write_label(hop.label)})")
        last = self.hops[-1]
        value = f"{{{quote_name(self.naming)}: '{name or self.topic}'}}"
        return text + last.write(f"({_write_label(last.label)} {value})")


@dataclass(frozen=True, slots=True)
class AskedSet:
    """Nodes of a label (empty: of any) that meet some conditions, in words and in Cypher.

    `text`: a noun phrase. `matches`: patterns with the node `n`. `conditions`: of its `WHERE`.
    `before`: clauses that come first, of nodes that the conditions compare with.
    """

    label: str
    noun: str
    text: str
    matches: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    before: str = ""

    @property
    def is_bare(self) -> bool:
        return not self.matches and not self.conditions

    def restrict(self, text: str, condition: str = "", match: str = "") -> AskedSet:
        """The set with one more condition, and another noun phrase."""
        conditions = (*self.conditions, condition) if condition else self.conditions
        matches = (*self.matches, match) if match else self.matches
        return replace(self, text=text, matches=matches, conditions=conditions)

    def ask_existence(self) -> AskedSet:
        """The same set, each node found once: its patterns only have to exist."""
        exist = tuple(f"EXISTS {{ (n){match} }}" for match in self.matches)
        return replace(self, matches=(), conditions=(*exist, *self.conditions))

    def write(self, *conditions: str) -> str:
        """The set as Cypher up to its `RETURN`, with further conditions."""
        node = f"(n{_write_label(self.label)})"
        first, *others = self.matches or ("",)
        clauses = [f"MATCH {node}{first}", *(f"MATCH (n){other}" for other in others)]
        where = " AND ".join((*self.conditions, *conditions))
        return f"{self.before} {' '.join(clauses)}{f' WHERE {where}' if where else ''} ".lstrip()

    @property
    def distinct(self) -> str:
        """`DISTINCT ` where a node may be found in several ways."""
        return "DISTINCT " if self.matches else ""


class SetDrawer:
    """Draws sets of nodes, and what can be said of them. Equal seeds give equal ones."""

    def __init__(self, schema: Schema, book: Phrasebook, choice: random.Random) -> None:
        self.schema, self.book, self.choice = schema, book, choice
        self.asker = Asker(choice.randrange(1 << 30))
        self.labels = {kind.label: kind for kind in schema.labels if kind.label}
        self._beside: dict[str, list[tuple[RelationshipKind, bool]]] = {}
        for kind in schema.relationships:
            if kind.start_label and kind.end_label:
                self._beside.setdefault(kind.start_label, []).append((kind, False))
                self._beside.setdefault(kind.end_label, []).append((kind, True))

    def draw_label(self, weights: Mapping[str, float] | None = None) -> LabelKind:
        """A label, a frequent one more often; `weights`: of the labels that fit."""
        fitting = [k for k in self.labels.values() if weights is None or weights.get(k.label)]
        shares = [max(1, k.count) ** _FLAT * (weights or {}).get(k.label, 1.0) for k in fitting]
        return self.choice.choices(fitting, shares)[0]

    def draw_hop(self, label: str, before: Hop | None = None) -> Hop | None:
        """A relationship of nodes of a label; `before`: the one that led there."""
        ways = self._beside.get(label, [])
        if not ways:
            return None
        hops = [Hop(k.type, back, k.start_label if back else k.end_label) for k, back in ways]
        weights = [
            max(1, kind.count) ** _FLAT * self._weigh_hop(hop, before)
            for hop, (kind, _) in zip(hops, ways, strict=True)
        ]
        return self.choice.choices(hops, weights)[0]

    def _weigh_hop(self, hop: Hop, before: Hop | None) -> float:
        """How natural a hop is. Towards the answer it is walked the other way."""
        turns = before is not None and (before.type, before.is_back) == (hop.type, not hop.is_back)
        return (_RETURN if turns else 1.0) * (1.0 if hop.is_back else _BACK)

    def draw_many(self, label: str) -> Hop | None:
        """A relationship of which a node of a label may have several."""
        nodes = self.labels[label].count
        ways = self._beside.get(label, [])
        many = [(k, b) for k, b in ways if self._count_edges(label, k.type, b) > _SEVERAL * nodes]
        if not many:
            return None
        kind, back = self.choice.choices(many, [max(1, k.count) ** _FLAT for k, _ in many])[0]
        return Hop(kind.type, back, kind.start_label if back else kind.end_label)

    def _count_edges(self, label: str, name: str, is_back: bool) -> int:
        ways = self._beside.get(label, [])
        return sum(kind.count for kind, back in ways if (kind.type, back) == (name, is_back))

    def list_ends(self, label: str, hop: Hop) -> set[str]:
        """All labels that a relationship of a label leads to in the direction of a hop."""
        ways = self._beside.get(label, [])
        return {
            kind.start_label if back else kind.end_label
            for kind, back in ways
            if (kind.type, back) == (hop.type, hop.is_back)
        }

    def find_phrases(self, label: str | None, hop: Hop) -> Phrases:
        """The phrases for nodes of a label by the step that leads back along a hop."""
        return self.book.phrases_of(Step(hop.type, not hop.is_back), label or None)

    def find_noun(self, label: str, hop: Hop) -> str:
        """A noun for what nodes have by a hop."""
        several = len(self.list_ends(label, hop)) > 1
        phrases = self.book.phrases_of(
            Step(hop.type, hop.is_back), None if several else hop.label or None
        )
        return self.choice.choice(phrases.nouns or phrases.types or (hop.type.lower(),))

    def draw_chain(self, label: str, topics: Topics, length: int | None = None) -> Chain | None:
        """A chain of hops from a node of a label to a named one; None where the schema has none."""
        count = length or self.choice.choices((1, 2, 3), _CHAINS)[0]
        hops: list[Hop] = []
        here = label
        for _ in range(count):
            hop = self.draw_hop(here, hops[-1] if hops else None)
            if hop is None:
                return None
            hops.append(hop)
            here = hop.label
        end = self.labels.get(here)
        if end is None or not end.naming:
            return None
        return self.word_chain(label, tuple(hops), topics.add_name(end), end.naming)

    def word_chain(self, label: str, hops: tuple[Hop, ...], topic: str, naming: str) -> Chain:
        """A chain of given hops in words."""
        labels = [label, *(hop.label for hop in hops)]
        inner = topic
        for hop, at in reversed(list(zip(hops, labels, strict=False))[1:]):
            inner = self.asker.make_noun_phrase(self.find_phrases(at, hop), inner)
        return Chain(hops, naming, topic, self.find_phrases(label, hops[0]), inner)

    def pick_noun(self, label: str) -> str:
        """A noun for nodes of a label, mostly in the plural."""
        nouns = self.book.type_nouns(label) or ("thing", "things")
        noun = self.choice.choice(nouns[:2] if self.choice.random() < 0.6 else nouns)
        is_plural = noun.endswith("s") or self.choice.random() < 0.4
        return noun if is_plural else make_plural(noun)

    def pick_predicate(self, chain: Chain, inner: str | None = None) -> str | None:
        """A verb phrase of the nodes that a chain leads back to; `inner`: other words for its
        end."""
        predicates = list_predicates(chain.phrases)
        if not predicates:
            return None
        return self.choice.choice(predicates).replace("{}", inner or chain.inner)

    def draw_set(self, label: str, topics: Topics, chains: int | None = None) -> AskedSet | None:
        """A set of nodes of a label, with conditions in a number of chains (mostly none or one)."""
        count = self.choice.choices((0, 1, 2), (0.4, 0.53, 0.07))[0] if chains is None else chains
        noun = self.pick_noun(label)
        asked = AskedSet(label, noun, noun)
        for number in range(count):
            chain = self.draw_chain(label, topics, None if number == 0 else 1)
            text = chain and self.describe_set(asked, chain)
            if chain is None or text is None:
                return None
            asked = asked.restrict(text, match=chain.write())
        return asked

    def describe_set(self, asked: AskedSet, chain: Chain) -> str | None:
        """The noun phrase of a set with one more chain."""
        predicate = self.pick_predicate(chain)
        if not asked.is_bare:
            joint = self.choice.choice(("and", "and that", "and also", "which", "that"))
            return f"{asked.text} {joint} {predicate}" if predicate else None
        draw = self.choice.random()
        if predicate is None or draw < 0.42:
            return self.asker.make_noun_phrase(chain.phrases, chain.inner)
        if draw < 0.52 and len(chain.hops) == 1:
            return f"{chain.inner} {asked.noun}"
        if draw < 0.75 and (short := find_behind_be(predicate)):
            return f"{asked.noun} {short}"
        joint = self.choice.choice(("that", "which", "that", "which", "who"))
        return f"{asked.noun} {joint} {predicate}"


def _write_label(label: str) -> str:
    return f":{quote_name(label)}" if label else ""
