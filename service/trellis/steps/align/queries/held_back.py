"""Held back: what a query says that the question does not, or the reverse, so that it is no answer.

Each reason is a text for a note, which says what was asked and what was found.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.steps.align.answer_types.asked_one import FoundAnswers
from trellis.steps.align.queries.bridged_relations import (
    explain_bridged_one,
    explain_bridged_property,
)
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.link.question_form import QuestionForm


def explain_named_again(
    mentions: Sequence[Mention],
    meaning: QueryMeaning | None,
    answers: Sequence[Node],
    reading: str,
) -> str:
    """Why answers are held back, for a note; empty where they are not: they are nothing but what
    the question names, by way of something else. Who is looked up by name alone is an answer, and
    so is one of several that are named, and what has the name of something of another kind: the
    island that the town Corfu lies on."""
    if meaning is None or len(meaning.graph.nodes) == 1 or not answers:
        return ""
    stored = {link.stored for each in mentions for link in each.links}
    by_value = {node.label for node in meaning.graph.nodes if node.filters}
    is_named = all(
        bool(node.id)
        and not by_value.isdisjoint(node.labels)
        and {it.value for it in stored if it.label in node.labels} == {node.name}
        for node in answers
    )
    return f"what was found is what the question names: {reading}" if is_named else ""


def _explain_loose_part(graph: QueryGraph, reading: str) -> str:
    """Why what a query found is held back, for a note; empty where it is not: it names something
    to which nothing relates what it gives. `Flights, and ZK 77` are no flights before ZK 77."""
    if not _has_loose_part(graph):
        return ""
    return f"what was found says nothing of how its parts belong together: {reading}"


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


def _explain_order_by_place(graph: QueryGraph, schema: Schema, reading: str) -> str:
    """Why an order by points is no answer: no place comes before another, and how far one is from
    another is no part of what queries say."""
    orders = (*graph.orders, *(scope.order for scope in graph.scopes if scope.order))
    for item in (order.item for order in orders):
        kind = schema.find_property(graph.nodes[item.node].label, item.key)
        if kind is not None and kind.type == "POINT":
            return f"what was found is in an order of places, which tells no distance: {reading}"
    return ""


def explain_held_back(form: QuestionForm, meaning: QueryMeaning | None, found: FoundAnswers) -> str:
    """Why what a query found is held back; empty where it is not, or its meaning is not known."""
    if meaning is None:
        return ""
    graph = meaning.graph
    return (
        _explain_order_by_place(graph, form.schema, found.reading)
        or explain_bridged_one(form, graph, found)
        or explain_bridged_property(form, graph, found)
        or _explain_loose_part(graph, found.reading)
    )
