"""The JSON schema of query trees over a language: its names are those of the graph alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from trellis.automata.cypher.language import CypherLanguage
from trellis.engines.chats.json_queries.tree import TreeDirection, TreeFunction, TreeOperator

INSTRUCTIONS = """\
Write the query as one JSON object with these parts, in this order:
"nodes": each with a "name" (n0, n1, …) and its "label", "" for any node.
"match": the relationships, each "from" a node, of a "type", in a "direction" ("out" along the \
relationship, "in" against it), "to" a node.
"where": conditions that must all hold: the "property" of a "node", an "operator", a "value" (v0).
"distinct": whether equal rows are returned once.
"return": each a "function" ("" for none) of a "node" and its "property" ("" for the node itself).
"order": the same, and whether it is "descending". "limit": a number of rows, 0 for all.
"cypher": "" where the parts above say all that is asked; else the whole query as Cypher."""

_MOST_NAMES = 900  # that a schema lists, as servers bound them


def build_query_schema(language: CypherLanguage) -> Mapping[str, Any]:
    """The schema of the queries over a language, which `QueryTree` reads.

    Where the graph has more names than servers take, those of the longest list are any text.
    """
    schema = language.known.schema
    labels = sorted(kind.label for kind in schema.labels)
    types = sorted({kind.type for kind in schema.relationships})
    keys = sorted({each.name for kind in schema.labels for each in kind.properties})
    left, name_types = _MOST_NAMES, {}
    for part, names in sorted({"l": labels, "t": types, "k": keys}.items(), key=_count_names):
        left -= len(names)
        name_types[part] = _choose_of(names) if left >= 0 else _TEXT
    nodes = _choose_of(f"n{at}" for at in range(language.options.nodes))
    item = {
        "function": _choose_of(get_args(TreeFunction)),
        "node": nodes,
        "property": _add_empty(name_types["k"]),
    }
    edge = {
        "from": nodes,
        "type": name_types["t"],
        "direction": _choose_of(get_args(TreeDirection)),
        "to": nodes,
    }
    parts = {
        "nodes": _list_of({"name": nodes, "label": _add_empty(name_types["l"])}),
        **({"match": _list_of(edge)} if types else {}),
        **_build_conditions(language, nodes, name_types["k"]),
        "distinct": {"type": "boolean"},
        "return": _list_of(item),
        "order": _list_of({**item, "descending": {"type": "boolean"}}),
        "limit": {"type": "integer"},
        "cypher": _TEXT,
    }
    return _build_object(parts)


_TEXT: Mapping[str, Any] = {"type": "string"}


def _build_conditions(
    language: CypherLanguage, nodes: Mapping[str, Any], keys: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Conditions, where the question has values."""
    values = dict.fromkeys(value.name for value in language.linked_values)
    if not values:
        return {}
    condition = {
        "node": nodes,
        "property": keys,
        "operator": _choose_of(get_args(TreeOperator)),
        "value": _choose_of(values),
    }
    return {"where": _list_of(condition)}


def _count_names(part: tuple[str, list[str]]) -> int:
    return len(part[1])


def _choose_of(names: Iterable[str]) -> Mapping[str, Any]:
    listed = list(names)
    return {"type": "string", "enum": listed} if listed else _TEXT


def _add_empty(names: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same names, or none."""
    return {**names, "enum": ["", *names["enum"]]} if "enum" in names else names


def _list_of(parts: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "array", "items": _build_object(parts)}


def _build_object(parts: Mapping[str, Any]) -> Mapping[str, Any]:
    """An object that has all of these parts, as strict servers want it."""
    return {
        "type": "object",
        "properties": dict(parts),
        "required": list(parts),
        "additionalProperties": False,
    }
