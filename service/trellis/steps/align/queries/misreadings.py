"""Misreadings: queries whose order, comparison or count is not what the question says.

`The last order` is the latest one, `more than` what is greater, `in 2024` a year, `the 1980s` ten
of them, `over two hours` no number of minutes, and `rated 5` counts nothing.
A query that reads such words otherwise was hardly meant. Neither was one with a part that nothing
else has to do with, or one that takes the first name and the surname of `Jack Powell` for two
people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trellis.automata.cypher.indexed_schema import IndexedSchema
from trellis.automata.cypher.items import ReturnItem, ReturnOrder
from trellis.automata.cypher.property_types import DATES, has_numeric_texts
from trellis.automata.cypher.query import ORDERED_OPERATORS, QueryEdge, QueryFilter, QueryGraph
from trellis.domain.schema import PropertyKind
from trellis.lexicon.property_phrases import is_year
from trellis.steps.describe.queries.read_meaning import QueryMeaning

_LATEST = re.compile(
    r"\b(?:last|latest|newest|youngest|(?:most|more) recent(?:ly)?)\b", re.IGNORECASE
)
_MORE = re.compile(
    r"\b(?:(?:more|later|larger|bigger|longer|higher|taller|deeper|heavier|faster|wider|pricier"
    r"|greater|more expensive) than|over|above|at least|exceed\w*|after)\b|\d or more\b",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:(?:fewer|less|earlier|cheaper|smaller|shorter|lower|shallower|lighter|slower|narrower)"
    r" than|under(?! (?:arrest|construction|investigation|suspicion|way)\b)|below|at most|before)\b"
    r"|\d or (?:fewer|less)\b",
    re.IGNORECASE,
)
_NEGATES = re.compile(r"\b(?:no|not|never|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_OF_TIME = re.compile(
    r"\b(?:last|latest|newest|(?:most|more) recent(?:ly)?|earliest)\b", re.IGNORECASE
)
_YEAR = re.compile(
    r"\b(?:in|during|since|before|after|until|from) (?:the year )?((?:1\d|20)\d\d)\b"
)
_DECADE = re.compile(r"\b(?:1\d|20)\d0['’]?s\b|\bdecade\b", re.IGNORECASE)
_BY_LETTERS = re.compile(
    r"\b(?:alphabet\w*|letters?|spell\w*|names?|sorts?|sorted)\b", re.IGNORECASE
)
_COUNTS = re.compile(
    r"\b(?:number|count|total|times|how many|once|twice)\b"
    r"|\b\d+\b(?! *%)[ -]+(?!(?:and|or|in|on|by|to)\b)\w",
    re.IGNORECASE,
)
"""Words that count: a number before what is counted, and not at a clause's end (`rated 5`)."""
_FAR_OFF = 20
"""How many times smaller or greater than all that is known of a property a number is, at least,
that is not meant to be compared with it."""
_BOTH = 2  # times that a value is said which two nodes have
_EARLIEST = re.compile(r"\b(?:first|earliest|oldest|longest ago)\b", re.IGNORECASE)


def contradicts_question(question: str, meaning: QueryMeaning, known: IndexedSchema) -> bool:
    """Whether a query says another order, comparison, year or count than the question."""
    graph = meaning.graph
    return (
        _orders_against(question, graph, known)
        or _compares_against(question, graph)
        or _misreads_year(question, meaning, known)
        or _compares_far_off(meaning, known)
        or _compares_names(question, graph, known)
        or _misreads_decade(question, graph)
        or _counts_unasked(question, meaning)
    )


def is_incoherent_query(question: str, meaning: QueryMeaning) -> bool:
    """Whether a query's pattern has a part that nothing else has to do with, splits a name, or
    contradicts what is asked of it."""
    graph = meaning.graph
    return (
        _has_loose_part(graph)
        or _gives_what_is_missing(graph)
        or _gives_what_is_given(graph)
        or _denies_what_it_needs(graph)
        or _aggregates_each(graph)
        or _splits_name(question, meaning)
    )


def explain_loose_part(meaning: QueryMeaning | None, reading: str) -> str:
    """Why what a query found is held back, for a note; empty where it is not: it names something
    to which nothing relates what it gives. `Flights, and ZK 77` are no flights before ZK 77."""
    if meaning is None or not _has_loose_part(meaning.graph):
        return ""
    return f"what was found says nothing of how its parts belong together: {reading}"


def find_item_property(
    item: ReturnItem, graph: QueryGraph, known: IndexedSchema
) -> PropertyKind | None:
    """The property that an item returns, as the schema knows it."""
    return _find_kind(graph.nodes[item.node].label, item.key, known)


def _find_kind(label: str, name: str, known: IndexedSchema) -> PropertyKind | None:
    kinds = known.list_properties((label,)) if label else ()
    return next((kind for kind in kinds if kind.name == name), None)


def _has_loose_part(graph: QueryGraph) -> bool:
    """Whether a part of the pattern is matched beside the rest, to which nothing relates it."""
    part_of = list(range(len(graph.nodes)))

    def join(one: int, other: int) -> None:
        kept, lost = part_of[one], part_of[other]
        part_of[:] = [kept if part == lost else part for part in part_of]

    for edge in graph.edges:
        if edge.type:
            join(edge.source, edge.target)
        for each in edge.filters:
            if each.reference:
                join(edge.source, each.reference.node)
    for number, node in enumerate(graph.nodes):
        if node.same is not None:
            join(number, node.same)
        for each in node.filters:
            if each.reference:
                join(number, each.reference.node)
    given = [*graph.groups]
    for item in graph.list_operands():
        given += [item.node, *([item.term.node] if item.term else [])]
    for node_given in given:  # what is given together was asked for together
        join(given[0], node_given)
    return len(set(part_of)) > 1


def _gives_what_is_missing(graph: QueryGraph) -> bool:
    """Whether nodes that lack a property are put in an order by it, or it is given or compared: the
    highest waterfall is none whose height is not known."""
    missing = {
        (number, each.property)
        for number, node in enumerate(graph.nodes)
        for each in node.filters
        if each.operator == "IS NULL" and not each.is_negated
    }
    compared = {
        (number, each.property)
        for number, node in enumerate(graph.nodes)
        for each in node.filters
        if each.operator != "IS NULL"
    }
    return bool(missing & compared) or any(
        item.edge is None and (item.node, item.key) in missing for item in graph.list_operands()
    )


def _gives_what_is_given(graph: QueryGraph) -> bool:
    """Whether a query gives but a property that has one value by its own filter: the date of calls
    of some day is known. Names are given whole where a part of one is asked by."""
    if len(graph.items) != 1 or graph.items[0].is_aggregate or graph.items[0].edge is not None:
        return False
    [item] = graph.items
    return "name" not in item.key.lower() and any(
        each.property == item.key
        and each.operator == "="
        and len(each.list_choices()) == 1
        and not (each.is_negated or each.part or item.part or each.reference)
        for each in graph.nodes[item.node].filters
    )


def _denies_what_it_needs(graph: QueryGraph) -> bool:
    """Whether nodes must have a relationship that they must have none of: those who directed some
    film, and never directed a film."""
    needed = {
        (edge.type, side, node, graph.nodes[other].label)
        for edge in graph.edges
        if edge.scope == 0 and edge.type
        for side, node, other in _list_ends(graph, edge)
    }
    for number, scope in enumerate(graph.scopes, 1):
        inside = [edge for edge in graph.edges if edge.scope == number]
        if scope.kind == "none" and len(inside) == 1 and not inside[0].filters:
            for side, node, other in _list_ends(graph, inside[0]):
                label, denied = graph.nodes[other].label, (inside[0].type, side, node)
                is_any = graph.nodes[other].scope == number and not graph.nodes[other].filters
                if is_any and any(each[:3] == denied and label in ("", each[3]) for each in needed):
                    return True
    return False


def _list_ends(graph: QueryGraph, edge: QueryEdge) -> Iterator[tuple[str, int, int]]:
    """For each end of a relationship, which one it is (of one in either direction any), the first
    node that stands there, and the one at the other end."""
    source, target = (_find_first(graph, node) for node in (edge.source, edge.target))
    if edge.direction == "in":
        source, target = target, source
    sides = ("any", "any") if edge.direction == "any" else ("start", "end")
    yield sides[0], source, target
    yield sides[1], target, source


def _find_first(graph: QueryGraph, node: int) -> int:
    """The first node that a node stands for."""
    same = graph.nodes[node].same
    return node if same is None else same


def _aggregates_each(graph: QueryGraph) -> bool:
    """Whether a query returns a property beside an aggregate of it, which then is of one value."""
    values = {
        is_aggregate: {
            (item.node, item.key, item.part, item.edge)
            for item in graph.items
            if item.key and item.is_aggregate == is_aggregate
        }
        for is_aggregate in (False, True)
    }
    return not values[False].isdisjoint(values[True])


def _splits_name(question: str, meaning: QueryMeaning) -> bool:
    """Whether two values that stand side by side, as a first name and a surname do, are those of
    two nodes of one label, or one that is said once at most is the same property of two."""
    told = [
        (number, node.label, each.property, str(meaning.values[each.values[0]].value).lower())
        for number, node in enumerate(meaning.graph.nodes)
        for each in node.filters
        if each.operator == "=" and len(each.list_choices()) == 1
    ]
    text = question.lower()
    return any(
        one[:1] != other[:1]
        and one[1] == other[1] != ""
        and (
            re.search(rf"\b{re.escape(one[3])} {re.escape(other[3])}\b", text)
            if one[2] != other[2]
            else one[3] == other[3] and text.count(one[3]) < _BOTH
        )
        for one in told
        for other in told
    )


def _orders_against(question: str, graph: QueryGraph, known: IndexedSchema) -> bool:
    """Whether the question asks for the latest and a query takes the earliest, or the reverse."""
    latest, earliest = _LATEST.search(question), _EARLIEST.search(question)
    if bool(latest) == bool(earliest):
        return False
    return any(
        order.descending != bool(latest)
        if _is_dated(order, graph, known)
        else bool(_OF_TIME.search(question)) and _has_dates(order, graph, known)
        for order in _iterate_orders(graph)
    )


def _iterate_orders(graph: QueryGraph) -> Iterator[ReturnOrder]:
    """The orders of the rows, and of nodes of which only the first are kept."""
    yield from graph.orders
    yield from (scope.order for scope in graph.scopes if scope.order)


def _compares_against(question: str, graph: QueryGraph) -> bool:
    """Whether the question says `more than` and all comparisons are the other way, or the reverse.

    A question that denies something, or says both, may mean either.
    """
    more, less = _MORE.search(question), _LESS.search(question)
    if bool(more) == bool(less) or _NEGATES.search(question):
        return False
    compared = [
        (each.operator in (">", ">=")) != each.is_negated
        for each in graph.iterate_filters()
        if each.operator in ORDERED_OPERATORS
        and not each.reference  # either side may be said first
    ]
    compared += [
        scope.operator in (">", ">=")
        for scope in graph.scopes
        if scope.kind == "number" and scope.operator in ORDERED_OPERATORS
    ]
    return bool(compared) and bool(more) not in compared


def _misreads_year(question: str, meaning: QueryMeaning, known: IndexedSchema) -> bool:
    """Whether `in 2024` is compared with a property that holds no years."""
    years = {int(match[1]) for match in _YEAR.finditer(question)}
    return bool(years) and any(
        number in years and kind.type in ("INTEGER", "FLOAT") and not _holds_years(kind)
        for _, number, kind in _iterate_compared(meaning, known)
    )


def _compares_far_off(meaning: QueryMeaning, known: IndexedSchema) -> bool:
    """Whether a number is compared with a property that is of another size: hours with minutes."""
    return any(
        each.operator in ORDERED_OPERATORS and _is_far_off(number, kind)
        for each, number, kind in _iterate_compared(meaning, known)
    )


def _iterate_compared(
    meaning: QueryMeaning, known: IndexedSchema
) -> Iterator[tuple[QueryFilter, object, PropertyKind]]:
    """What properties of nodes, and no parts of them, are compared with."""
    for node in meaning.graph.nodes:
        for each in node.filters:
            kind = None if each.part else _find_kind(node.label, each.property, known)
            if kind is not None:
                for choice in each.list_choices():
                    yield each, meaning.values[choice[0]].value, kind


def _is_far_off(number: object, kind: PropertyKind) -> bool:
    held = [abs(each) for each in (*kind.values, *kind.examples) if isinstance(each, int | float)]
    if not isinstance(number, int | float) or not held or min(held) == 0:
        return False
    return abs(number) * _FAR_OFF < min(held) or abs(number) > _FAR_OFF * max(held)


def _compares_names(question: str, graph: QueryGraph, known: IndexedSchema) -> bool:
    """Whether a query asks what comes first by the letters of a text, and the question does not:
    what leaves before ZK 77 is no matter of its name."""
    return not _BY_LETTERS.search(question) and any(
        each.reference
        and each.operator in ORDERED_OPERATORS
        and (kind := _find_kind(node.label, each.property, known)) is not None
        and kind.type == "STRING"
        and not has_numeric_texts(kind)
        for node in graph.nodes
        for each in node.filters
    )


def _misreads_decade(question: str, graph: QueryGraph) -> bool:
    """Whether ten years are compared with on one side alone."""
    compared = [each for each in graph.iterate_filters() if each.operator in ORDERED_OPERATORS]
    return bool(_DECADE.search(question)) and len(compared) < 2


def _counts_unasked(question: str, meaning: QueryMeaning) -> bool:
    """Whether matches are counted to be as many as a number that the question says of no things."""
    counted = (
        meaning.values[choice].value
        for scope in meaning.graph.scopes
        if scope.kind == "number" and scope.operator == "="
        for choice in scope.values
    )
    said = set(re.findall(r"\d+", question))
    return not _COUNTS.search(question) and any(str(number) in said for number in counted)


def _holds_years(kind: PropertyKind) -> bool:
    numbers = [each for each in (*kind.values, *kind.examples) if isinstance(each, int)]
    return is_year(kind) or (bool(numbers) and all(1_000 <= each < 2_100 for each in numbers))


def _has_dates(order: ReturnOrder, graph: QueryGraph, known: IndexedSchema) -> bool:
    """Whether the nodes that are put in an order by something else have a date."""
    if order.item.form.function or order.item.edge is not None:
        return False
    label = graph.nodes[order.item.node].label
    return any(kind.type in DATES for kind in (known.list_properties((label,)) if label else ()))


def _is_dated(order: ReturnOrder, graph: QueryGraph, known: IndexedSchema) -> bool:
    if order.item.edge is not None or order.item.form.function:
        return False
    kind = find_item_property(order.item, graph, known)
    return kind is not None and is_year(kind)
