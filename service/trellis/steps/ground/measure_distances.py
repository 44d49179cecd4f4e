"""Measure distances: between two places, or from one place to all nodes of some kinds.

A place is a property that holds a point, or a latitude and a longitude. Neo4j measures between
points of one coordinate system: metres over the earth for longitudes and latitudes, else the unit
of the coordinates, whatever that is. Between two systems there is no distance.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.facts import Fact, PropertyFact
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.places import PlaceProperty
from trellis.domain.identifiers import quote_name
from trellis.domain.structures.cypher import CypherQuery, QueryLimits, TypedText
from trellis.steps.ground.connect_nodes import LONGEST_SEARCH, ConnectionSearch

_ON_EARTH = (
    4326,
    4979,
)  # the coordinate systems of longitudes and latitudes, without and with height

_BETWEEN = """\
MATCH (a), (b) WHERE elementId(a) = $first AND elementId(b) = $second
RETURN point.distance({first}, {second}) AS distance"""

_OF_NUMBERS = """\
CASE WHEN abs({latitude}) <= 90 AND abs({longitude}) <= 180
  THEN point({{latitude: toFloat({latitude}), longitude: toFloat({longitude})}}) END"""

_NEARBY = """\
MATCH (a) WHERE elementId(a) = $place
MATCH (n:{labels}) WHERE {conditions}
WITH n, {point} AS place, {origin} AS origin
WITH n, place, point.distance(place, origin) AS distance ORDER BY distance{direction}, elementId(n)
WITH count(*) AS nodes, count(place) AS placed, count(distance) AS measured,
  collect(CASE WHEN {comparison} THEN {{node: n, distance: distance}} END) AS found
RETURN nodes, placed, measured, size(found) AS total, found[..$most] AS first"""


@dataclass(frozen=True, slots=True)
class NodePlace:
    """Where a node is, and by which of its properties."""

    node: Node
    told_by: PlaceProperty
    point: TypedText

    @property
    def is_on_earth(self) -> bool:
        """Whether distances from it are metres."""
        return self.point.parts.get("srid") in _ON_EARTH

    @property
    def facts(self) -> tuple[PropertyFact, ...]:
        """The facts that the node is there: one, or those of latitude and longitude."""
        values = self.node.properties or {}
        return tuple(PropertyFact.of(self.node, key, values[key]) for key in self.told_by.keys)


@dataclass(frozen=True, slots=True)
class NearbyPlace:
    """A place and its distance, in metres or in the unit of its coordinates."""

    place: NodePlace
    distance: float

    def tell_fact(self, origin: NodePlace) -> Fact:
        """The fact of both places."""
        return Fact.of_statements((), (*self.place.facts, *origin.facts))


@dataclass(frozen=True, slots=True)
class NearbyPlaces:
    """The places at a distance from another, in their order, and the `total`.

    `nodes`: how many nodes of the kinds there are besides the one that is asked from; `placed`: how
    many of them have a place; `measured`: how many have one of the same coordinate system.
    """

    found: tuple[NearbyPlace, ...]
    total: int
    nodes: int
    placed: int
    measured: int
    query: CypherQuery


@dataclass(frozen=True, slots=True)
class NearbySearch:
    """What is sought around a place. `places`: by label what tells where its nodes are.
    `comparison`: as Cypher writes it; empty where all are sought. `amount`: what distances compare
    with, in metres or in the unit of the coordinates. `most`: how many nodes are given."""

    origin: NodePlace
    places: Mapping[str, PlaceProperty]
    most: int
    comparison: str = ""
    amount: float = 0.0
    farthest_first: bool = False


async def read_places(
    search: ConnectionSearch, nodes: Sequence[Node], told_by: Sequence[Collection[PlaceProperty]]
) -> list[dict[PlaceProperty, NodePlace]]:
    """Of each node its places. `told_by`: for each node what may tell them."""
    query = CypherQuery(
        "MATCH (n) WHERE elementId(n) IN $nodes RETURN n", {"nodes": [node.id for node in nodes]}
    )
    rows = await search.queries.run(query, QueryLimits(seconds=LONGEST_SEARCH))
    found = {node.id: node for [node] in rows.rows}
    return [
        _list_places(found.get(node.id, node), its)
        for node, its in zip(nodes, told_by, strict=True)
    ]


async def measure_between(
    search: ConnectionSearch, first: NodePlace, second: NodePlace
) -> tuple[float | None, CypherQuery]:
    """The distance between two places, and the query that measured it."""
    text = _BETWEEN.format(
        first=_write_point("a", first.told_by), second=_write_point("b", second.told_by)
    )
    query = CypherQuery(text, {"first": first.node.id, "second": second.node.id})
    rows = await search.queries.run(query, QueryLimits(seconds=LONGEST_SEARCH))
    return rows.rows[0][0] if rows.rows else None, query


async def find_nearby(search: ConnectionSearch, sought: NearbySearch) -> NearbyPlaces:
    """The nodes of the kinds sought, none of a hidden label and not the one that is asked from."""
    query = _build_query(search, sought)
    rows = await search.queries.run(query, QueryLimits(seconds=LONGEST_SEARCH))
    [[nodes, placed, measured, total, first]] = rows.rows
    told_by = [*dict.fromkeys(sought.places.values())]
    found = [
        NearbyPlace(next(iter(_list_places(each["node"], told_by).values())), each["distance"])
        for each in first
    ]
    return NearbyPlaces(tuple(found), total, nodes, placed, measured, query)


def _build_query(search: ConnectionSearch, sought: NearbySearch) -> CypherQuery:
    hidden = [f"NOT n:{quote_name(label)}" for label in search.hidden_labels]
    points = [_write_point("n", each) for each in dict.fromkeys(sought.places.values())]
    compared = f"distance {sought.comparison} $amount" if sought.comparison else ""
    text = _NEARBY.format(
        labels="|".join(map(quote_name, sought.places)),
        conditions=" AND ".join(["n <> a", *hidden]),
        point=points[0] if len(points) == 1 else f"coalesce({', '.join(points)})",
        origin=_write_point("a", sought.origin.told_by),
        direction=" DESC" if sought.farthest_first else "",
        comparison=compared or "distance IS NOT NULL",
    )
    params: dict[str, object] = {"place": sought.origin.node.id, "most": sought.most}
    return CypherQuery(text, params | ({"amount": sought.amount} if compared else {}))


def _write_point(variable: str, told_by: PlaceProperty) -> str:
    """The point of a node as Cypher; null where its numbers are no latitude and longitude."""
    first, *second = (f"{variable}.{quote_name(key)}" for key in told_by.keys)
    return _OF_NUMBERS.format(latitude=first, longitude=second[0]) if second else first


def _list_places(node: Node, told_by: Collection[PlaceProperty]) -> dict[PlaceProperty, NodePlace]:
    points = {its: its.read_point(node) for its in told_by}
    return {its: NodePlace(node, its, point) for its, point in points.items() if point is not None}
