"""Naming form: queries that give nodes, or what names them, and otherwise ask for the same.

`Which numbers called Ann` may give phones or their numbers: whoever asks is answered by either, so
that what speaks for one form speaks for the other as well.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from trellis.automata.cypher.meaning.items import LIST, ReturnItem
from trellis.automata.cypher.meaning.query import QueryGraph, QueryNode
from trellis.domain.graphs.schema import Schema
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.describe.queries.read_meaning import read_meaning


def find_naming(node: QueryNode, schema: Schema) -> str:
    """The property that names a node; empty where it has none, or no label."""
    label = schema.label(node.label)
    return (label.naming or "") if label else ""


def read_without_form(query: CypherQuery, schema: Schema) -> Hashable:
    """What a query asks for, whether it gives nodes or what names them, each once or not; its text
    where it is not of the subset that the language says."""
    meaning = read_meaning(query)
    if meaning is None or meaning.graph.is_grouped:
        return query.text, tuple(map(repr, query.params.items()))
    graph = meaning.graph
    items = tuple(_read_item(item, graph, schema) for item in graph.items)
    return replace(graph, items=items), meaning.values


def _read_item(item: ReturnItem, graph: QueryGraph, schema: Schema) -> ReturnItem:
    is_name = item.edge is None and not item.part and item.term is None
    is_name = is_name and item.key in ("", find_naming(graph.nodes[item.node], schema))
    return replace(item, form=LIST, key="") if is_name else item
