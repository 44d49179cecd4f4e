"""Draws relationships of the nodes of a label, and says how many a node may have of each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping

from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.domain.identifiers import quote_name
from trellis.training.synthesis.operators.parts.patterns import Directions, Hop

_FLAT = 0.3  # exponent of a count in its weight
_BACK, _RETURN = 0.6, 0.15  # weights of steps against a relation's direction, and of turning back
_SEVERAL = 1.15  # relationships of a type for each node, from which on a node may have several
_FEW = 0.6  # relationships of a type for each node, up to which only some nodes have one


class HopDrawer:
    """Draws hops by their frequency. Types that are symmetric are walked one way only."""

    def __init__(self, schema: Schema, choice: random.Random, directions: Directions) -> None:
        self._choice, self._directions = choice, directions
        self.labels: Mapping[str, LabelKind] = {
            kind.label: kind for kind in schema.labels if kind.label
        }
        self._beside: dict[str, list[tuple[RelationshipKind, bool]]] = {}
        self._edges = Counter[tuple[str, str, bool]]()  # by label, type and direction
        for kind in schema.relationships:
            if kind.start_label and kind.end_label:
                if kind.type not in directions.symmetric:
                    self._add_way(kind.start_label, kind, back=False)
                self._add_way(kind.end_label, kind, back=True)

    def _add_way(self, label: str, kind: RelationshipKind, *, back: bool) -> None:
        self._beside.setdefault(label, []).append((kind, back))
        self._edges[label, kind.type, back] += kind.count

    def iterate_hops(self) -> Iterator[tuple[str, Hop]]:
        """All hops, each with a label whose nodes have it."""
        for label, ways in self._beside.items():
            for kind, back in ways:
                yield label, self._make_hop(kind, back)

    def draw_hop(self, label: str, before: Hop | None = None) -> Hop | None:
        """A relationship of nodes of a label; `before`: the one that led there. None where its
        nodes have none."""
        ways = self._beside.get(label, [])
        if not ways:
            return None
        hops = [self._make_hop(kind, back) for kind, back in ways]
        weights = [
            max(1, kind.count) ** _FLAT * self._weigh_hop(hop, before)
            for hop, (kind, _) in zip(hops, ways, strict=True)
        ]
        return self._choice.choices(hops, weights)[0]

    def _weigh_hop(self, hop: Hop, before: Hop | None) -> float:
        """How natural a hop is. Towards the answer it is walked the other way."""
        turns = before is not None and (before.type, before.is_back) == (hop.type, not hop.is_back)
        return (_RETURN if turns else 1.0) * (1.0 if hop.is_back else _BACK)

    def draw_many(self, label: str) -> Hop | None:
        """A relationship of which a node of a label may have several; None where it has none."""
        ways = self._beside.get(label, [])
        many = [(k, b) for k, b in ways if self._count_each(label, k.type, b) > _SEVERAL]
        if not many:
            return None
        kind, back = self._choice.choices(many, [max(1, k.count) ** _FLAT for k, _ in many])[0]
        return self._make_hop(kind, back)

    def may_be_several(self, label: str, hop: Hop) -> bool:
        """Whether a node of a label may have several nodes by a hop."""
        return self._count_each(label, hop.type, hop.is_back) > _SEVERAL

    def is_of_few(self, label: str, hop: Hop) -> bool:
        """Whether only some nodes of a label have a hop."""
        return self._count_each(label, hop.type, hop.is_back) <= _FEW

    def _count_each(self, label: str, type: str, back: bool) -> float:
        """Relationships of a type for each node of a label; without end where it has no nodes."""
        nodes, edges = self.labels[label].count, self._edges[label, type, back]
        return edges / nodes if nodes else float("inf") if edges else 0.0

    def _make_hop(self, kind: RelationshipKind, back: bool) -> Hop:
        label = kind.start_label if back else kind.end_label
        return Hop(kind.type, back, label, is_either=kind.type in self._directions.undirected)

    def has_several_ends(self, label: str, hop: Hop) -> bool:
        """Whether a relationship of a label leads to several labels in the direction of a hop."""
        ways = self._beside.get(label, [])
        ends = {
            kind.start_label if back else kind.end_label
            for kind, back in ways
            if (kind.type, back) == (hop.type, hop.is_back)
        }
        return len(ends) > 1

    def write_neighbours(self, label: str, hop: Hop) -> str:
        """The pattern behind a node of a label of all that it has by a hop."""
        several = self.has_several_ends(label, hop)
        return hop.write("()" if several else f"(:{quote_name(hop.label)})")

    def is_symmetric(self, hop: Hop) -> bool:
        """Whether a relationship holds both ways."""
        return hop.type in self._directions.symmetric
