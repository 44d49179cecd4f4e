"""Which nodes hold which values: asked once for all questions, a property at a time."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.automata.cypher.meaning.query import Operator
from trellis.automata.cypher.meaning.value_rendering import TEMPORAL_FUNCTIONS
from trellis.automata.cypher.words.property_types import NUMBERS
from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.graphs.graph import NodeId, Scalar
from trellis.domain.identifiers import quote_name
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import CypherQuery

log = logging.getLogger(__name__)

_AT_ONCE = 500
_PROPERTIES = "MATCH (n) WHERE elementId(n) IN $ids RETURN elementId(n), labels(n), properties(n)"


@dataclass(frozen=True, slots=True)
class Kind:
    """A property of a label, and how its values are compared. `type`: as in PropertyKind."""

    label: str
    property: str
    type: str
    operator: Operator = "="


@dataclass(frozen=True, slots=True)
class NodeProperties:
    """A node that was looked at."""

    labels: tuple[str, ...]
    properties: Mapping[str, Any]


class Holders:
    """Remembers what was asked; a kind that costs too much to ask about has no holders."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries
        self._held: dict[tuple[Kind, Scalar], frozenset[NodeId]] = {}
        self._looked: dict[NodeId, NodeProperties] = {}

    def of(self, kind: Kind, value: Scalar) -> frozenset[NodeId]:
        return self._held.get((kind, _value_key(value)), frozenset())

    def known_nodes(self, node: NodeId) -> NodeProperties | None:
        return self._looked.get(node)

    async def find_holders(self, wanted: Iterable[tuple[Kind, Scalar]]) -> None:
        """Find the holders of values that were not asked for yet."""
        by_kind: dict[Kind, dict[Scalar, Scalar]] = defaultdict(dict)
        for kind, value in wanted:
            if (kind, _value_key(value)) not in self._held:
                by_kind[kind][_value_key(value)] = value
        for kind, values in by_kind.items():
            for key in values:
                self._held[kind, key] = frozenset()
            for some in _cut_chunks(list(values.values()), _AT_ONCE if kind.operator == "=" else 1):
                await self._ask_in_parts(kind, some)

    async def read_nodes(self, nodes: Iterable[NodeId]) -> None:
        """Find the labels and properties of nodes that were not looked at yet."""
        new = [node for node in dict.fromkeys(nodes) if node not in self._looked]
        for some in _cut_chunks(new, _AT_ONCE):
            rows = await self._read_rows(CypherQuery(_PROPERTIES, {"ids": list(some)}))
            for node, labels, properties in rows or ():
                self._looked[node] = NodeProperties(tuple(labels), properties)

    async def _ask_in_parts(self, kind: Kind, values: Sequence[Scalar]) -> None:
        """Whole answers only: where one is cut, its values are asked for in smaller parts."""
        rows = await self._read_rows(_write_holder_query(kind, values))
        if rows is None and len(values) > 1:
            for some in _cut_chunks(values, len(values) // 2):
                await self._ask_in_parts(kind, some)
        for held, nodes in rows or ():
            self._held[kind, _value_key(held)] = frozenset(nodes)

    async def _read_rows(self, query: CypherQuery) -> Sequence[Sequence[Any]] | None:
        """All rows; None where the gate refuses or cuts them."""
        try:
            rows = await self._queries.run(query)
        except (RefusedQueryError, QueryError, GraphTimeoutError) as error:
            log.warning("%s was not asked for: %s", query.text, error.problem)
            return None
        return None if rows.cut else rows.rows


def _write_holder_query(kind: Kind, values: Sequence[Scalar]) -> CypherQuery:
    """What asks for the nodes that hold some values, or that compare with one as is said."""
    name, made = f"x0.{quote_name(kind.property)}", TEMPORAL_FUNCTIONS.get(kind.type, "")
    held = f"toString({name})" if made else name
    params: dict[str, Any] = {"values": list(values)}
    where = f"{held} IN $values"
    if kind.operator != "=":
        held, params = "$value", {"value": values[0]}
        where = f"{name} {kind.operator} {made}($value)"
    text = (
        f"MATCH (x0:{quote_name(kind.label)}) WHERE {where} RETURN {held}, collect(elementId(x0))"
    )
    return CypherQuery(text, params)


def parse_comparable(type: str, text: str) -> Scalar | None:
    """A text as a value of a property's type; None where it is none, or the type is no scalar."""
    if type == "STRING":
        return text
    if type in NUMBERS:
        try:
            number = float(text)
        except ValueError:
            return None
        return int(number) if type == "INTEGER" and number.is_integer() else number
    return None


def _value_key(value: Scalar) -> Scalar:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _cut_chunks(values: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), max(1, size)):
        yield values[start : start + max(1, size)]
