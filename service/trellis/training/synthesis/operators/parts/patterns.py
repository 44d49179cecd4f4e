"""The patterns that questions with operators ask for, in Cypher: chains, and sets of nodes.

In words and in patterns, `t0`, `t1`, … stand for the names and numbers that a question is about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from trellis.domain.graphs.schema import LabelKind
from trellis.domain.identifiers import quote_name
from trellis.lexicon.relations.phrases import Phrases
from trellis.training.synthesis.operators.parts.named_nodes import NamedNode

_NODE = re.compile(r"[->]\(")  # a node behind a relationship


@dataclass(frozen=True, slots=True)
class Directions:
    """The relationship types of which the direction says little: those that are `symmetric`, as
    each of their relationships has one that runs back, and those that given queries never direct.
    """

    symmetric: frozenset[str] = frozenset()
    undirected: frozenset[str] = frozenset()


UNKNOWN_DIRECTIONS = Directions()


@dataclass(frozen=True, slots=True)
class Hop:
    """A relationship from a node of the pattern, `is_back` where it runs to it, and the label that
    it leads to; empty where it may be of several. `named`: the node there, where values tell which
    it is. `is_either`: whether it may run either way.
    """

    type: str
    is_back: bool
    label: str
    named: NamedNode | None = None
    is_either: bool = False

    def write(self, inside: str, name: str = "") -> str:
        """The hop as Cypher: `inside` the node that it leads to, `name` its variable."""
        edge = f"[{name}:{quote_name(self.type)}]"
        if self.is_either:
            return f"-{edge}-{inside}"
        return f"<-{edge}-{inside}" if self.is_back else f"-{edge}->{inside}"

    def write_whole(self) -> str:
        """The hop as Cypher, with the node that it leads to."""
        return self.write(self.named.write() if self.named else write_node("", self.label))


@dataclass(frozen=True, slots=True)
class Chain:
    """Hops from a node to a named one, and their phrases, outermost first.

    `inner`: the words for the node of the first hop. `phrases`: those of the step from there back.
    """

    hops: tuple[Hop, ...]
    end: NamedNode
    phrases: Phrases
    inner: str

    @property
    def topic(self) -> str:
        """The first topic that tells which node the end is."""
        return self.end.values[0][1]

    @property
    def naming(self) -> str:
        """The property of that topic."""
        return self.end.values[0][0]

    def exchange_topic(self, topic: str) -> Chain:
        """The same hops to another node, of which one value is told."""
        inner = self.inner.replace(self.topic, topic)
        return replace(self, end=self.end.exchange_topic(topic), inner=inner)

    def write(self, variable: str = "") -> str:
        """The hops as Cypher, to the node that is named, as a variable if one is given."""
        return self._write_hops(self.end.write(variable))

    def write_open(self, variable: str) -> str:
        """The hops as Cypher, to a variable in place of the node that is named."""
        return self._write_hops(write_node(variable, self.end.label))

    def _write_hops(self, end: str) -> str:
        *hops, last = self.hops
        return "".join(hop.write_whole() for hop in hops) + last.write(end)


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
        """Whether it is all nodes of a label."""
        return not self.matches and not self.conditions

    @property
    def distinct(self) -> str:
        """`DISTINCT ` where a node may be found in several ways."""
        return "DISTINCT " if self.matches else ""

    def count_nodes(self) -> int:
        """The nodes of its patterns, `n` too."""
        return 1 + sum(len(_NODE.findall(match)) for match in self.matches)

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
        node = write_node("n", self.label)
        first, *others = self.matches or ("",)
        clauses = [f"MATCH {node}{first}", *(f"MATCH (n){other}" for other in others)]
        where = " AND ".join((*self.conditions, *conditions))
        return f"{self.before} {' '.join(clauses)}{f' WHERE {where}' if where else ''} ".lstrip()


def write_absence(match: str) -> str:
    """The condition that a node `n` has no such pattern."""
    return f"NOT EXISTS {{ (n){match} }}"


def write_node(variable: str, label: str) -> str:
    """A node of a label (empty: of any): `(n:River)`."""
    return f"({variable}{_write_label(label)})"


def write_named_node(variable: str, kind: LabelKind, name: str) -> str:
    """The node that a topic names, of a label with a naming property: `(n:River {name: 't0'})`."""
    assert kind.naming
    return f"({variable}{_write_label(kind.label)} {{{quote_name(kind.naming)}: '{name}'}})"


def write_two_named(kind: LabelKind, names: tuple[str, str]) -> str:
    """The clause that finds two named nodes `n`, of a label with a naming property."""
    assert kind.naming
    node, column = f"(n{_write_label(kind.label)})", f"n.{quote_name(kind.naming)}"
    return f"MATCH {node} WHERE {column} IN ['{names[0]}', '{names[1]}']"


def _write_label(label: str) -> str:
    return f":{quote_name(label)}" if label else ""
