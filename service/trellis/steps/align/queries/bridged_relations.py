"""Bridged relations: what a question asks of one thing, and a query of what lies in between.

`The tallest mountain in Asia` is one of them, and not the highest point of each country there; `the
capital of the Danube` is none of those of the countries that it flows through.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.cypher.meaning.query import QueryEdge, QueryGraph
from trellis.automata.cypher.words.wording import split_name
from trellis.domain.graphs.graph import Step
from trellis.lexicon.names import read_name, strip_endings
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.linking.questions.operators import has_superlative
from trellis.steps.align.answer_types.asked_one import FoundAnswers, find_asked_ones, find_nouns_of
from trellis.steps.align.queries.naming_form import find_naming
from trellis.steps.align.queries.possible_labels import find_possible_labels
from trellis.steps.link.question_form import QuestionForm

_SEVERAL = 2


def says_superlative(edge: QueryEdge) -> bool:
    """Whether a relationship's name has a superlative, as in HAS_HIGHEST_POINT."""
    return has_superlative(split_name(edge.type))


def find_bridged_superlatives(form: QuestionForm, graph: QueryGraph) -> list[QueryEdge]:
    """The relationships of a query that say a superlative of nodes which the question does not
    speak of: with no value on either end, no noun of the owner's label, and no word of another
    relationship that the owner has; nor are they called in the plural, as by `highest points`."""
    text, words = form.masked, form.vocabulary
    edges = [edge for edge in graph.edges if says_superlative(edge) and not _is_plural(edge, text)]
    if not edges:
        return []
    names = frozenset[str]().union(*form.label_nouns.values())
    spoken = form.word_stems.difference(map(strip_endings, words.list_noun_words()))
    labels = find_possible_labels(graph, form.schema)
    named = {number for number, its in enumerate(labels) if not names.isdisjoint(its)}
    return [
        edge
        for edge in edges
        if not _has_value(graph, edge)
        and named.isdisjoint(owners := _find_owners(edge))
        and all(
            spoken.isdisjoint(words.relations.list_step_words(Step(other.type)))
            for other in graph.edges
            if other != edge and not owners.isdisjoint((other.source, other.target))
        )
    ]


def explain_bridged_one(form: QuestionForm, graph: QueryGraph, found: FoundAnswers) -> str:
    """Why an answer is held back, for a note; empty where it is not: the question asks for one of
    something, as for the capital of the Danube, and the query has that relation with no value on
    either end."""
    words = form.vocabulary
    valued = [edge for edge in graph.edges if edge.type and _has_value(graph, edge)]
    steps = (Step(edge.type) for edge in valued)
    first = next(filter(words.concepts.is_part_of_step, steps), None)
    for asked in find_asked_ones(form):
        edges = [edge for edge in graph.edges if edge.type in asked.relations]
        if not edges or any(_has_value(graph, edge) for edge in edges):
            continue
        last = _find_last_step(graph, edges) if asked.by == "place" else Step(edges[0].type)
        if last and (reason := asked.explain(last, first, found, words)):
            return reason
    return ""


def explain_bridged_property(form: QuestionForm, graph: QueryGraph, found: FoundAnswers) -> str:
    """Why an answer of several values is held back, for a note; empty where it is not: the question
    asks for one property of what it names, as for the population of the Nile, and the query gives
    it of nodes in between. What a node is called by stands for that: a phone number is a phone."""
    if found.count < _SEVERAL or len(graph.items) != 1 or graph.items[0].is_aggregate:
        return ""
    [item] = graph.items
    label = graph.nodes[item.node].label
    if (
        item.edge is not None
        or graph.nodes[item.node].filters
        or item.key == find_naming(graph.nodes[item.node], form.schema)
    ):
        return ""
    for noun in find_nouns_of(form.masked):
        if not is_plural(noun) and (label, item.key) in form.vocabulary.find_properties(noun):
            return found.describe_several(noun)
    return ""


def _find_last_step(graph: QueryGraph, edges: Sequence[QueryEdge]) -> Step | None:
    """The step of one of some relationships that leads to what is given; None where none does."""
    given = {item.node for item in graph.items}
    for edge in edges:
        for end, is_backward in (
            (edge.target, edge.direction == "in"),
            (edge.source, edge.direction == "out"),
        ):
            if end in given:
                return Step(edge.type, is_backward)
    return None


def _has_value(graph: QueryGraph, edge: QueryEdge) -> bool:
    """Whether a value is wanted of a node at either end."""
    return any(graph.nodes[end].filters for end in (edge.source, edge.target))


def _is_plural(edge: QueryEdge, text: str) -> bool:
    """Whether a text in small letters says the name of a relationship in the plural."""
    return make_plural(read_name(edge.type).core) in text


def _find_owners(edge: QueryEdge) -> frozenset[int]:
    """The nodes that a relationship may start at: both of one in either direction."""
    either = frozenset((edge.source, edge.target))
    return {"out": frozenset((edge.source,)), "in": frozenset((edge.target,))}.get(
        edge.direction, either
    )
