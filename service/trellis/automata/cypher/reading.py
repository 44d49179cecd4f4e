"""A gold query in anybody's style, as a query graph over what a language can say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from trellis.automata.cypher.canonical import spell_query
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.lexicon import FilterKind
from trellis.automata.cypher.query import (
    RETURN_FORMS,
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryNode,
    ReturnForm,
    ReturnItem,
    ReturnOrder,
)
from trellis.automata.cypher.syntax import (
    QuerySyntax,
    SyntaxCondition,
    SyntaxExpression,
    parse_query,
)
from trellis.domain.errors import CypherReadError
from trellis.domain.graph import Scalar
from trellis.domain.links import StoredValue
from trellis.domain.schema import Schema

Linked = Callable[[str, SyntaxCondition], tuple[int, ...]]
"""The linked values that a condition on a node of some label (or none) means."""


def find_canonical_moves(
    language: CypherLanguage, cypher: str, params: Mapping[str, Scalar] | None = None
) -> tuple[str, ...]:
    """The moves of the one sentence that means what a query means.

    Raises CypherReadError where it is not of the subset, a literal is no linked value, or
    something in it is not in the schema.
    """
    return spell_query(language, read_query(language, cypher, params))


def find_named_moves(language: CypherLanguage, cypher: str) -> tuple[str, ...]:
    """The moves of a query whose parameters are the names that values are said by (`$v0`).

    Raises CypherReadError as `find_canonical_moves` does.
    """
    names = {value.name: value.name for value in language.linked_values}

    def find_values(label: str, condition: SyntaxCondition) -> tuple[int, ...]:
        for kind in _find_filter_kinds(language, label, condition):
            for name, values in kind.values:
                if name == condition.value:
                    return values
        return _find_linked_values(language, label, condition)

    return spell_query(language, _build_graph(parse_query(cypher, names), find_values))


def read_query(
    language: CypherLanguage, cypher: str, params: Mapping[str, Scalar] | None = None
) -> QueryGraph:
    """A query as a graph, its literals as the language's linked values."""

    def find_values(label: str, condition: SyntaxCondition) -> tuple[int, ...]:
        return _find_linked_values(language, label, condition)

    return _build_graph(parse_query(cypher, params or {}), find_values)


def find_linked_literals(
    schema: Schema, cypher: str, params: Mapping[str, Scalar] | None = None
) -> tuple[StoredValue, ...]:
    """The literals of a query as the values that a perfect linker gives, in their order."""
    syntax = parse_query(cypher, params or {})
    found: dict[StoredValue, None] = {}
    for condition in syntax.conditions:
        label = syntax.labels.get(condition.variable, "")
        for kind in schema.labels:
            known = kind.property(condition.property)
            if known and (kind.label == label or not label):
                found[StoredValue(kind.label, known.name, condition.value, known.type)] = None
    return tuple(found)


def _find_linked_values(
    language: CypherLanguage, label: str, condition: SyntaxCondition
) -> tuple[int, ...]:
    """The values that are said as the first one that equals the literal."""
    known = language.lexicon.values
    for kind in _find_filter_kinds(language, label, condition):
        for _, values in kind.values:
            if any(_is_same_value(known[value].stored.value, condition.value) for value in values):
                return values
    raise CypherReadError(
        f"{condition.value!r} is no linked value of {label or 'any label'}'s {condition.property}",
        f"link it, or leave out the comparison {condition.operator}",
    )


def _find_filter_kinds(
    language: CypherLanguage, label: str, condition: SyntaxCondition
) -> Iterator[FilterKind]:
    """The filters that a condition on a node of some label (or of any) can be."""
    for each in (label,) if label else language.known.ways.labels:
        for kind in language.lexicon.filters((each,)):
            if (kind.property, kind.operator) == (condition.property, condition.operator):
                yield kind


def _is_same_value(value: Scalar, other: Scalar) -> bool:
    """Whether two values are equal in Cypher too: 1 = 1.0, but not TRUE = 1."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _build_graph(syntax: QuerySyntax, find_values: Linked) -> QueryGraph:
    """Nodes in the order of their coming; edges as they are written, not yet a tree."""
    number = {variable: index for index, variable in enumerate(syntax.labels)}
    filters: list[list[QueryFilter]] = [[] for _ in number]
    for each in syntax.conditions:
        node = _find_node(number, each.variable)
        values = find_values(syntax.labels[each.variable], each)
        filters[node].append(QueryFilter(each.property, each.operator, values))
    nodes = tuple(
        QueryNode(label, tuple(of))
        for label, of in zip(syntax.labels.values(), filters, strict=True)
    )
    edges = tuple(
        QueryEdge(number[r.source], number[r.target], r.type, r.direction, r.clause)
        for r in syntax.relations
    )
    items = _build_items(syntax, number)
    return QueryGraph(nodes, edges, items, _build_sort(syntax, items, number), syntax.limit)


def _build_items(syntax: QuerySyntax, number: Mapping[str, int]) -> tuple[ReturnItem, ...]:
    """Items with their forms; DISTINCT is said with the first, and idle beside an aggregate."""
    distinct = syntax.distinct and not any(each.function for each in syntax.items)
    plain = [_build_item(each, number) for each in syntax.items]
    if distinct:
        first = plain[0]
        plain[0] = replace(first, form=_find_form("", first.form.is_whole_node, distinct=True))
    return tuple(plain)


def _build_item(expression: SyntaxExpression, number: Mapping[str, int]) -> ReturnItem:
    node = _find_node(number, expression.variable) if expression.variable else 0
    return ReturnItem(
        _find_form(expression.function, not expression.property, expression.distinct),
        node,
        expression.property,
    )


def _find_form(function: str, is_whole_node: bool, distinct: bool) -> ReturnForm:
    idle = function in ("min", "max")  # the same with DISTINCT as without
    for form in RETURN_FORMS:
        same = form.distinct == (distinct and not idle)
        if (form.function, form.is_whole_node) == (function, is_whole_node) and same:
            return form
    of = "a node" if is_whole_node else "a property"
    raise CypherReadError(f"{function}({'DISTINCT ' if distinct else ''}…) of {of} cannot be said")


def _build_sort(
    syntax: QuerySyntax, items: tuple[ReturnItem, ...], number: Mapping[str, int]
) -> ReturnOrder | None:
    if syntax.sort is None:
        return None
    by, descending = syntax.sort
    item = _build_item(by, number)
    if not item.key and not item.is_aggregate:
        raise CypherReadError(f"an order by the whole of {by.variable!r} cannot be said")
    if not item.is_aggregate:
        return ReturnOrder(item.node, item.key, descending)
    index = next((i for i, each in enumerate(items) if each.column == item.column), None)
    if index is None:
        raise CypherReadError(f"an order by {by.function} needs it among what is returned")
    return ReturnOrder(0, "", descending, index)


def _find_node(number: Mapping[str, int], variable: str) -> int:
    if variable not in number:
        raise CypherReadError(f"{variable!r} is no node of the pattern")
    return number[variable]
