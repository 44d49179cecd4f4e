"""A gold query in anybody's style, as a query graph over what a language can say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from trellis.automata.cypher.canonical import spelled
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.lexicon import FilterKind
from trellis.automata.cypher.query import FORMS, Edge, Filter, Form, Item, Node, QueryGraph, Sort
from trellis.automata.cypher.syntax import Condition, Expression, Syntax, parsed
from trellis.domain.errors import CypherReadError
from trellis.domain.graph import Scalar
from trellis.domain.links import StoredValue
from trellis.domain.schema import Schema

Linked = Callable[[str, Condition], tuple[int, ...]]
"""The linked values that a condition on a node of some label (or none) means."""


def canonical_moves(
    language: CypherLanguage, cypher: str, params: Mapping[str, Scalar] | None = None
) -> tuple[str, ...]:
    """The moves of the one sentence that means what a query means.

    Raises CypherReadError where it is not of the subset, a literal is no linked value, or
    something in it is not in the schema.
    """
    return spelled(language, read_query(language, cypher, params))


def named_moves(language: CypherLanguage, cypher: str) -> tuple[str, ...]:
    """The moves of a query whose parameters are the names that values are said by (`$v0`).

    Raises CypherReadError as `canonical_moves` does.
    """
    names = {value.name: value.name for value in language.values_linked}

    def linked(label: str, condition: Condition) -> tuple[int, ...]:
        for kind in _kinds(language, label, condition):
            for name, values in kind.values:
                if name == condition.value:
                    return values
        return _named(language, label, condition)

    return spelled(language, _graph(parsed(cypher, names), linked))


def read_query(
    language: CypherLanguage, cypher: str, params: Mapping[str, Scalar] | None = None
) -> QueryGraph:
    """A query as a graph, its literals as the language's linked values."""

    def linked(label: str, condition: Condition) -> tuple[int, ...]:
        return _named(language, label, condition)

    return _graph(parsed(cypher, params or {}), linked)


def linked_literals(
    schema: Schema, cypher: str, params: Mapping[str, Scalar] | None = None
) -> tuple[StoredValue, ...]:
    """The literals of a query as the values that a perfect linker gives, in their order."""
    syntax = parsed(cypher, params or {})
    found: dict[StoredValue, None] = {}
    for condition in syntax.conditions:
        label = syntax.labels.get(condition.variable, "")
        for kind in schema.labels:
            known = kind.property(condition.property)
            if known and (kind.label == label or not label):
                found[StoredValue(kind.label, known.name, condition.value, known.type)] = None
    return tuple(found)


def _named(language: CypherLanguage, label: str, condition: Condition) -> tuple[int, ...]:
    """The values that are said as the first one that equals the literal."""
    known = language.lexicon.values
    for kind in _kinds(language, label, condition):
        for _, values in kind.values:
            if any(_same(known[value].stored.value, condition.value) for value in values):
                return values
    raise CypherReadError(
        f"{condition.value!r} is no linked value of {label or 'any label'}'s {condition.property}",
        f"link it, or leave out the comparison {condition.operator}",
    )


def _kinds(language: CypherLanguage, label: str, condition: Condition) -> Iterator[FilterKind]:
    """The filters that a condition on a node of some label (or of any) can be."""
    for each in (label,) if label else language.known.ways.labels:
        for kind in language.lexicon.filters((each,)):
            if (kind.property, kind.operator) == (condition.property, condition.operator):
                yield kind


def _same(one: Scalar, other: Scalar) -> bool:
    """Whether two values are equal in Cypher too: 1 = 1.0, but not TRUE = 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _graph(syntax: Syntax, linked: Linked) -> QueryGraph:
    """Nodes in the order of their coming; edges as they are written, not yet a tree."""
    number = {variable: index for index, variable in enumerate(syntax.labels)}
    filters: list[list[Filter]] = [[] for _ in number]
    for each in syntax.conditions:
        node = _number(number, each.variable)
        values = linked(syntax.labels[each.variable], each)
        filters[node].append(Filter(each.property, each.operator, values))
    nodes = tuple(
        Node(label, tuple(of)) for label, of in zip(syntax.labels.values(), filters, strict=True)
    )
    edges = tuple(
        Edge(number[r.source], number[r.target], r.type, r.direction, r.clause)
        for r in syntax.relations
    )
    items = _items(syntax, number)
    return QueryGraph(nodes, edges, items, _sort(syntax, items, number), syntax.limit)


def _items(syntax: Syntax, number: Mapping[str, int]) -> tuple[Item, ...]:
    """Items with their forms; DISTINCT is said with the first, and idle beside an aggregate."""
    distinct = syntax.distinct and not any(each.function for each in syntax.items)
    plain = [_item(each, number) for each in syntax.items]
    if distinct:
        first = plain[0]
        plain[0] = replace(first, form=_form("", first.form.whole, distinct=True))
    return tuple(plain)


def _item(each: Expression, number: Mapping[str, int]) -> Item:
    node = _number(number, each.variable) if each.variable else 0
    return Item(_form(each.function, not each.property, each.distinct), node, each.property)


def _form(function: str, whole: bool, distinct: bool) -> Form:
    idle = function in ("min", "max")  # the same with DISTINCT as without
    for form in FORMS:
        same = form.distinct == (distinct and not idle)
        if (form.function, form.whole) == (function, whole) and same:
            return form
    of = "a node" if whole else "a property"
    raise CypherReadError(f"{function}({'DISTINCT ' if distinct else ''}…) of {of} cannot be said")


def _sort(syntax: Syntax, items: tuple[Item, ...], number: Mapping[str, int]) -> Sort | None:
    if syntax.sort is None:
        return None
    by, descending = syntax.sort
    item = _item(by, number)
    if not item.key and not item.aggregate:
        raise CypherReadError(f"an order by the whole of {by.variable!r} cannot be said")
    if not item.aggregate:
        return Sort(item.node, item.key, descending)
    index = next((i for i, each in enumerate(items) if each.column == item.column), None)
    if index is None:
        raise CypherReadError(f"an order by {by.function} needs it among what is returned")
    return Sort(0, "", descending, index)


def _number(number: Mapping[str, int], variable: str) -> int:
    if variable not in number:
        raise CypherReadError(f"{variable!r} is no node of the pattern")
    return number[variable]
