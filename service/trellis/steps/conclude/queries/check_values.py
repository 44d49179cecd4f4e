"""Check values: what a query's rows do not say of the values that they depend on.

A comparison with a thing whose value is unknown matches nothing, and the first of two things is no
answer where only one has a value: both are told. Where rows are the first few of an order, those
that share the last one's value are as good, and are told too. And a number in miles is not compared
with a property in kilometres.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from trellis.automata.cypher.meaning.query import ORDERED_OPERATORS, QueryGraph, QueryNode
from trellis.automata.cypher.words.wording import split_name
from trellis.domain.errors import TrellisError
from trellis.domain.graphs.graph import Node
from trellis.domain.identifiers import quote_name
from trellis.domain.ports import Queries
from trellis.domain.replies.reply import Judgement
from trellis.domain.structures.cypher import CypherQuery, QueryLimits, Rows
from trellis.linking.values.units import find_unit_behind, split_unit
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.ground.queries.run_queries import QueryRun
from trellis.steps.link.question_form import QuestionForm

_LIMIT = re.compile(r"(?<=\nLIMIT )\d+\Z")


@dataclass(frozen=True, slots=True)
class _UsedValue:
    """A property of a named node that a query depends on; `names`: those of the node."""

    label: str
    naming: str
    names: tuple[object, ...]
    property: str


def find_foreign_units(form: QuestionForm, meaning: QueryMeaning | None) -> str:
    """Where a number of the question has another unit than the property that a query compares it
    with; empty where none has."""
    said = {
        link.stored.value: find_unit_behind(form.text, mention.end)
        for mention in form.mentions
        for link in mention.links
        if link.stored.is_literal()
    }
    if meaning is None:
        return ""
    for each in meaning.graph.iterate_filters():
        words, unit = split_unit(split_name(each.property).split())
        for choice in each.list_choices():
            other, written = said.get(meaning.values[choice[0]].value, ("", ""))
            if unit and other and other != unit:
                return f"the question says {written}, and the {' '.join(words)} is stored in {unit}"
    return ""


def drop_excluded_answers(judgement: Judgement, meaning: QueryMeaning | None) -> Judgement:
    """The answers without those that the query denies a relationship to: Brazil is no country that
    does not border Brazil, though it has no border with itself."""
    denied = set(_iterate_denied_names(meaning)) if meaning else set()
    kept = tuple(each for each in judgement.answers if each.node.name not in denied)
    gone = [each.node.name for each in judgement.answers if each.node.name in denied]
    if not gone:
        return judgement
    note = f"{' and '.join(gone)}, which the question excludes, is among the rows but no answer"
    return replace(judgement, answers=kept, notes=(*judgement.notes, note), claims_none=not kept)


def _iterate_denied_names(meaning: QueryMeaning) -> Iterator[object]:
    """The names of nodes of the first node's label to which it must have no relationship."""
    graph = meaning.graph
    for edge in graph.edges:
        target = graph.nodes[edge.target]
        is_denied = edge.scope and graph.scopes[edge.scope - 1].kind == "none"
        if is_denied and edge.source == 0 and target.label == graph.nodes[0].label:
            named = _find_naming(meaning, target)
            yield from named.names if named else ()


async def find_unknown_values(queries: Queries, meaning: QueryMeaning | None) -> str:
    """Which values that a query compares, or asks for, are not known; empty where all are."""
    used = dict.fromkeys(_iterate_used_values(meaning)) if meaning else {}
    unknown = [
        f"no {split_name(value.property)} is known for {name}"
        for value in used
        for name in await _list_without(queries, value)
    ]
    return " and ".join(unknown)


async def find_ties(queries: Queries, run: QueryRun, meaning: QueryMeaning | None) -> str:
    """A note where rows beyond the last one asked for share its value; else empty."""
    graph = meaning.graph if meaning else QueryGraph()
    rows = run.rows.rows if run.rows else ()
    if not graph.limit or len(rows) < graph.limit or len(graph.orders) != 1:
        return ""
    order = graph.orders[0].item
    column = next((i for i, it in enumerate(graph.items) if it.node == order.node), None)
    if column is None or not order.key or order.is_aggregate or order.term or order.part:
        return ""
    longer = _LIMIT.sub(str(graph.limit + 1), run.query.text)
    following = await _read_rows(queries, replace(run.query, text=longer), graph.limit + 1)
    if following is None or len(following.rows) <= graph.limit:
        return ""
    values = [_read_value(row[column], order.key) for row in following.rows[-2:]]
    if values[0] is None or values[0] != values[1]:
        return ""
    return (
        f"more than {graph.limit} share the place: the next one has the same "
        f"{split_name(order.key)}, {values[0]}"
    )


def _iterate_used_values(meaning: QueryMeaning) -> Iterator[_UsedValue]:
    """The properties of named nodes that are compared, ordered by or returned."""
    graph = meaning.graph
    for node, name in _iterate_used_properties(graph):
        named = _find_naming(meaning, graph.nodes[node])
        if named:
            yield replace(named, property=name)


def _iterate_used_properties(graph: QueryGraph) -> Iterator[tuple[int, str]]:
    for index, node in enumerate(graph.nodes):
        for each in node.filters:
            if each.reference or each.operator in ORDERED_OPERATORS:
                yield index, each.property
            if each.reference:
                yield each.reference.node, each.reference.property
    operands = (*graph.items, *(order.item for order in graph.orders))
    for item in operands:
        if item.key and item.edge is None and not item.is_aggregate:
            yield item.node, item.key


def _find_naming(meaning: QueryMeaning, node: QueryNode) -> _UsedValue | None:
    """The names that a node is found by; None where it is found in another way."""
    for each in node.filters:
        if each.operator == "=" and not each.is_negated and each.values and not each.part:
            names = [meaning.values[i].value for choice in each.list_choices() for i in choice]
            return _UsedValue(node.label, each.property, tuple(names), "")
    return None


async def _list_without(queries: Queries, value: _UsedValue) -> list[str]:
    """The names of which no node has the value."""
    if not value.label or value.naming == value.property:
        return []
    naming, name = quote_name(value.naming), quote_name(value.property)
    text = (
        f"MATCH (n:{quote_name(value.label)}) WHERE n.{naming} IN $names "
        f"RETURN n.{naming} AS name, count(n.{name}) AS known"
    )
    query = CypherQuery(text, {"names": list(value.names)})
    rows = await _read_rows(queries, query, len(value.names))
    return [str(name) for name, known in rows.rows if not known] if rows else []


async def _read_rows(queries: Queries, query: CypherQuery, count: int) -> Rows | None:
    """The rows of a query; None where it cannot be run: a check must not take an answer away."""
    try:
        return await queries.run(query, QueryLimits(rows=count))
    except TrellisError:
        return None


def _read_value(cell: object, name: str) -> object:
    return (cell.properties or {}).get(name) if isinstance(cell, Node) else None
