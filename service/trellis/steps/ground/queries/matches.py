"""Matches: what the pattern of a query matches, as facts.

A query's pattern is written once more with all of its nodes and relationships returned. Of each
match come the relationships, and the properties that the query uses: those that it returns,
compares or orders by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.meaning.items import ReturnItem
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.meaning.rendering import render_pattern
from trellis.automata.cypher.meaning.unfolding import unfold_scopes
from trellis.automata.cypher.sentences.trees import find_root, join_same_nodes, make_tree
from trellis.domain.errors import CypherReadError, GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.graphs.facts import Fact, PropertyFact
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import Cell, CypherQuery, QueryLimits, write_value
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.ground.queries.answer_cells import name_by_property


@dataclass(frozen=True, slots=True)
class EvidencePattern:
    """A pattern whose matches are returned.

    `nodes` and `edges`: the numbers of those that a match gives, in the order of its cells.
    `properties` and `edge_properties`: the numbers of nodes and edges with the names of the
    properties that the query uses of them.
    """

    query: CypherQuery
    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    properties: tuple[tuple[int, str], ...]
    edge_properties: tuple[tuple[int, str], ...]
    schema: Schema

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of the cells of a match."""
        return (*(f"x{node}" for node in self.nodes), *(f"r{edge}" for edge in self.edges))

    def read_fact(self, cells: Sequence[Cell], answer: Node | None = None) -> Fact | None:
        """The fact of a match; None where it states nothing. One that does not contain `answer`
        states its name too."""
        nodes = dict(zip(self.nodes, cells, strict=False))
        edges = dict(zip(self.edges, cells[len(self.nodes) :], strict=True))
        triples = [self._name_ends(edge) for edge in edges.values() if isinstance(edge, Triple)]
        used = list(self._iterate_properties(nodes))
        stated = {id for t in triples for id in (t.head.id, t.tail.id)} | {p.node.id for p in used}
        lone = answer or next((it for it in nodes.values() if isinstance(it, Node)), None)
        if lone and (lone.id not in stated if answer else not stated):
            used += self._state_name(lone)
        fact = Fact.of_statements(tuple(dict.fromkeys(triples)), tuple(dict.fromkeys(used)))
        said = [
            f"{key} {write_value(edge.properties[key])}"
            for number, key in self.edge_properties
            if isinstance(edge := edges.get(number), Triple)
            and (edge.properties or {}).get(key) is not None
            and edge.properties
        ]
        text = f"{fact.text} ({', '.join(said)})" if said else fact.text
        return replace(fact, text=text) if fact.statements else None

    def _iterate_properties(self, nodes: dict[int, Cell]) -> Iterator[PropertyFact]:
        for number, key in self.properties:
            node = nodes.get(number)
            if isinstance(node, Node):
                named = name_by_property(node, self.schema)
                value = (node.properties or {}).get(key)
                if value is not None and write_value(value) != named.name:
                    yield PropertyFact.of(named, key, value)

    def _state_name(self, node: Node) -> list[PropertyFact]:
        """The property that names a node, else its first one; empty where it has none."""
        named, has = name_by_property(node, self.schema), sorted((node.properties or {}).items())
        naming = [item for item in has if write_value(item[1]) == named.name]
        return [PropertyFact.of(named, *item) for item in (naming or has)[:1]]

    def _name_ends(self, triple: Triple) -> Triple:
        head, tail = (name_by_property(node, self.schema) for node in (triple.head, triple.tail))
        return replace(triple, head=head, tail=tail)


def arrange_meaning(meaning: QueryMeaning) -> QueryMeaning | None:
    """The meaning with its pattern as a tree, which can be written; None where it is none."""
    graph = join_same_nodes(meaning.graph)
    try:
        return replace(meaning, graph=make_tree(graph, find_root(graph)))
    except CypherReadError:
        return None


async def read_matches(
    queries: Queries, pattern: EvidencePattern, ending: str, most: int, **params: object
) -> Sequence[Sequence[Cell]]:
    """The rows of a pattern with an `ending` behind it; none where they cannot be read."""
    query = pattern.query
    asked = CypherQuery(f"{query.text}\n{ending}", {**query.params, **params})
    try:
        return (await queries.run(asked, QueryLimits(rows=most))).rows
    except (RefusedQueryError, QueryError, GraphTimeoutError):
        return ()


def match_pattern(
    meaning: QueryMeaning,
    schema: Schema,
    graph: QueryGraph | None = None,
    using: QueryGraph | None = None,
) -> EvidencePattern:
    """The pattern of a query, or of another `graph` with its values, with its matches returned.

    `using`: a query with the same nodes that uses further properties of them.
    """
    graph = unfold_scopes(graph or meaning.graph)
    rank = graph.find_rank()
    nodes = [i for i in range(len(graph.nodes)) if graph.is_returnable(i)]
    if rank and graph.scopes[rank - 1].node not in nodes:
        nodes.append(graph.scopes[rank - 1].node)
    edges = [i for i, e in enumerate(graph.edges) if e.type and graph.is_visible(e.scope)]
    used = tuple(dict.fromkeys((*_iterate_used(graph), *(_iterate_used(using) if using else ()))))
    return EvidencePattern(
        render_pattern(graph, meaning.values),
        tuple(nodes),
        tuple(edges),
        tuple((number, key) for kind, number, key in used if kind == "node"),
        tuple((number, key) for kind, number, key in used if kind == "edge"),
        schema,
    )


def _iterate_used(graph: QueryGraph) -> Iterator[tuple[str, int, str]]:
    """The properties that a query uses: `node` or `edge`, its number, and the property's name."""
    ranked = [scope.order.item for scope in graph.scopes if scope.order]
    for item in (*graph.list_operands(), *ranked):
        yield from _iterate_item(item)
    for number, node in enumerate(graph.nodes):
        for each in node.filters:
            if each.property:
                yield "node", number, each.property
            if each.reference and each.reference.property:
                yield "node", each.reference.node, each.reference.property
    for number, edge in enumerate(graph.edges):
        yield from (("edge", number, each.property) for each in edge.filters if each.property)


def _iterate_item(item: ReturnItem) -> Iterator[tuple[str, int, str]]:
    for each in (item, item.term) if item.term else (item,):
        if each.key and each.edge is None:
            yield "node", each.node, each.key
        elif each.key and each.edge is not None:
            yield "edge", each.edge, each.key
