"""Measure distances: between two places, or from one place to all nodes of some kinds.

A place is a property that holds a point. Neo4j measures between points of one coordinate system:
metres over the earth for longitudes and latitudes, else the unit of the coordinates, whatever that
is. Between two systems there is no distance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.cypher import CypherQuery, QueryLimits, TypedText
from trellis.domain.facts import Fact, PropertyFact
from trellis.domain.graph import Node
from trellis.domain.identifiers import quote_name
from trellis.steps.ground.connect_nodes import LONGEST_SEARCH, ConnectionSearch

_ON_EARTH = (
    4326,
    4979,
)  # the coordinate systems of longitudes and latitudes, without and with height

_BETWEEN = """\
MATCH (a), (b) WHERE elementId(a) = $first AND elementId(b) = $second
RETURN point.distance(a.{first}, b.{second}) AS distance"""

_NEARBY = """\
MATCH (a) WHERE elementId(a) = $place
MATCH (n:{labels}) WHERE {conditions}
WITH n, {point} AS place, a.{key} AS origin
WITH n, place, point.distance(place, origin) AS distance ORDER BY distance{direction}, elementId(n)
WITH count(*) AS nodes, count(place) AS placed, count(distance) AS measured,
  collect(CASE WHEN {comparison} THEN {{node: n, distance: distance}} END) AS found
RETURN nodes, placed, measured, size(found) AS total, found[..$most] AS first"""


@dataclass(frozen=True, slots=True)
class NodePlace:
    """Where a node is: the property `key`, whose value is a point."""

    node: Node
    key: str
    point: TypedText

    @property
    def is_on_earth(self) -> bool:
        """Whether distances from it are metres."""
        return self.point.parts.get("srid") in _ON_EARTH

    @property
    def fact(self) -> PropertyFact:
        """The fact that the node is there."""
        return PropertyFact.of(self.node, self.key, self.point)


@dataclass(frozen=True, slots=True)
class NearbyPlace:
    """A place and its distance, in metres or in the unit of its coordinates."""

    place: NodePlace
    distance: float

    def tell_fact(self, origin: NodePlace) -> Fact:
        """The fact of both points."""
        return Fact.of_statements((), (self.place.fact, origin.fact))


@dataclass(frozen=True, slots=True)
class NearbyPlaces:
    """The places at a distance from another, in their order, and the `total`.

    `nodes`: how many nodes of the kinds there are besides the one that is asked from; `placed`: how
    many of them have a point; `measured`: how many have one of the same coordinate system.
    """

    found: tuple[NearbyPlace, ...]
    total: int
    nodes: int
    placed: int
    measured: int
    query: CypherQuery


@dataclass(frozen=True, slots=True)
class NearbySearch:
    """What is sought around a place. `keys`: by label the property with its nodes' points.
    `comparison`: as Cypher writes it; empty where all are sought. `amount`: what distances compare
    with, in metres or in the unit of the coordinates. `most`: how many nodes are given."""

    origin: NodePlace
    keys: Mapping[str, str]
    most: int
    comparison: str = ""
    amount: float = 0.0
    farthest_first: bool = False


async def read_places(
    search: ConnectionSearch, nodes: Sequence[Node]
) -> list[dict[str, NodePlace]]:
    """Of each node the places that its properties hold, by key."""
    query = CypherQuery(
        "MATCH (n) WHERE elementId(n) IN $nodes RETURN n", {"nodes": [node.id for node in nodes]}
    )
    rows = await search.queries.run(query, QueryLimits(seconds=LONGEST_SEARCH))
    found = {node.id: node for [node] in rows.rows}
    return [_list_places(found.get(node.id, node)) for node in nodes]


async def measure_between(
    search: ConnectionSearch, first: NodePlace, second: NodePlace
) -> tuple[float | None, CypherQuery]:
    """The distance between two places, and the query that measured it."""
    keys = {"first": quote_name(first.key), "second": quote_name(second.key)}
    params = {"first": first.node.id, "second": second.node.id}
    query = CypherQuery(_BETWEEN.format(**keys), params)
    rows = await search.queries.run(query, QueryLimits(seconds=LONGEST_SEARCH))
    return rows.rows[0][0] if rows.rows else None, query


async def find_nearby(search: ConnectionSearch, sought: NearbySearch) -> NearbyPlaces:
    """The nodes of the kinds sought, none of a hidden label and not the one that is asked from."""
    query = _build_query(search, sought)
    rows = await search.queries.run(query, QueryLimits(seconds=LONGEST_SEARCH))
    [[nodes, placed, measured, total, first]] = rows.rows
    keys = dict.fromkeys(sought.keys.values())
    found = [
        NearbyPlace(next(places[key] for key in keys if key in places), each["distance"])
        for each in first
        for places in [_list_places(each["node"])]
    ]
    return NearbyPlaces(tuple(found), total, nodes, placed, measured, query)


def _build_query(search: ConnectionSearch, sought: NearbySearch) -> CypherQuery:
    hidden = [f"NOT n:{quote_name(label)}" for label in search.hidden_labels]
    points = [f"n.{quote_name(key)}" for key in dict.fromkeys(sought.keys.values())]
    compared = f"distance {sought.comparison} $amount" if sought.comparison else ""
    text = _NEARBY.format(
        labels="|".join(map(quote_name, sought.keys)),
        conditions=" AND ".join(["n <> a", *hidden]),
        point=points[0] if len(points) == 1 else f"coalesce({', '.join(points)})",
        key=quote_name(sought.origin.key),
        direction=" DESC" if sought.farthest_first else "",
        comparison=compared or "distance IS NOT NULL",
    )
    params: dict[str, object] = {"place": sought.origin.node.id, "most": sought.most}
    return CypherQuery(text, params | ({"amount": sought.amount} if compared else {}))


def _list_places(node: Node) -> dict[str, NodePlace]:
    properties = (node.properties or {}).items()
    return {
        key: NodePlace(node, key, value)
        for key, value in properties
        if isinstance(value, TypedText) and value.type == "point"
    }
