"""The facts of the graph that claims are judged by: what each step leads to from each node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trellis.domain.graphs.graph import Node, Step, Triple
from trellis.domain.graphs.schema import LabelKind

PROPERTY = "."
"""What stands before the name of a property where relations are named."""

FactKey = tuple[str, Step]
"""A node's id, and a step from it."""


@dataclass(frozen=True, slots=True)
class FactTable:
    """The triples that each step from each node goes along, all of them.

    `cut`: where there are more than were read. `existing`: steps from nodes that lead somewhere,
    whether they were read or not.
    """

    triples: Mapping[FactKey, Sequence[Triple]] = field(default_factory=dict)
    cut: frozenset[FactKey] = frozenset()
    existing: frozenset[FactKey] = frozenset()

    def list_triples(self, node: Node, step: Step) -> Sequence[Triple]:
        return self.triples.get((node.id, step), ())

    def list_ends(self, node: Node, step: Step) -> list[tuple[Node, Triple]]:
        """The nodes that a step leads to, each with the triple that shows it."""
        found = self.list_triples(node, step)
        return [(t.head if step.reversed else t.tail, t) for t in found]

    def has_any(self, node: Node, step: Step) -> bool:
        """Whether a step leads anywhere from a node, as far as is known."""
        key = node.id, step
        return bool(self.triples.get(key)) or key in self.existing

    def is_cut(self, node: Node, step: Step) -> bool:
        return (node.id, step) in self.cut


def list_told_properties(kind: LabelKind) -> list[str]:
    """The properties of a label that say something of a node, rather than which one it is."""
    return [p.name for p in kind.properties if p.name not in (kind.naming, "id") and not p.unique]


def is_property(step: Step) -> bool:
    return step.relation.startswith(PROPERTY)
