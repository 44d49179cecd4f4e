"""Said operators: what of not, or, more than, the most and yes-or-no a query says."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from trellis.automata.cypher.meaning.items import ReturnItem
from trellis.automata.cypher.meaning.query import (
    ORDERED_OPERATORS,
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryScope,
)
from trellis.automata.cypher.words.wording import split_name
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.schema import says_no
from trellis.linking.questions.operators import (
    OperatorKind,
    find_joint_denial,
    has_aggregate,
    has_comparison,
    has_negation,
    has_order,
)
from trellis.steps.align.queries.bridged_relations import (
    find_bridged_superlatives,
    says_superlative,
)
from trellis.steps.align.queries.denials import count_denials
from trellis.steps.align.unsaid_operators import (
    describe_unsaid,
    find_unsaid_operators,
)
from trellis.steps.align.unsaid_relations import list_unsaid_relations
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.link.question_form import QuestionForm

_ENDS = ("min", "max")
_FIGURES = ("avg", "sum", "count")
_EXCLUDED = r"\b(?:except(?: for)?|excluding|besides|other than|(?:apart|aside) from) (?:the )?"
"""Words before what is to be left out."""

ALL_OPERATORS: frozenset[OperatorKind] = frozenset(
    ("negation", "comparison", "choice", "superlative", "order", "aggregate", "yes-no")
)


def find_said_operators(
    meaning: QueryMeaning | None, bridged: Collection[QueryEdge] = ()
) -> frozenset[OperatorKind]:
    """What a query says; of a query that cannot be read, everything is believed. `bridged`: the
    relationships whose superlatives say nothing."""
    if meaning is None:
        return ALL_OPERATORS
    said = set(_iterate_operators(meaning.graph))
    if any(says_superlative(edge) and edge not in bridged for edge in meaning.graph.edges):
        said.add("superlative")
    if any(has_comparison(split_name(edge.type)) for edge in meaning.graph.edges):
        said.add("comparison")
    if meaning.asks_whether:
        said.add("yes-no")
    if any(_says_not(stored.value) for stored in meaning.values):
        said.add("negation")
    return frozenset(said)


def explain_unsaid_by_query(form: QuestionForm, meaning: QueryMeaning | None, reading: str) -> str:
    """Why a query's answer is held back, for a note; empty where it is not.

    `reading`: what the answer says. It leaves out an operator, or asks of what is to be left out.
    """
    if meaning is None:
        return ""
    said = find_said_operators(meaning, find_bridged_superlatives(form, meaning.graph))
    texts = [operator.text for operator in find_unsaid_operators(form, said)]
    texts += [*_list_unsaid_words(form, meaning), *_list_unsaid_denials(form, meaning)]
    if not texts:
        texts += filter(None, [_find_asked_excluded(form, meaning)])
    return describe_unsaid(texts, reading)


def _find_asked_excluded(form: QuestionForm, meaning: QueryMeaning) -> str:
    """The words that leave out a node by whose name a query looks for others; empty where it does
    not. `Except Kenya` is said of Kenya itself, and not of what Kenya has to do with."""
    named = (
        str(meaning.values[choice[0]].value)
        for each in meaning.graph.iterate_filters()
        if each.operator == "=" and not each.is_negated
        for choice in each.list_choices()
    )
    found = (
        re.search(rf"{_EXCLUDED}{re.escape(name)}\b", form.text, re.IGNORECASE) for name in named
    )
    return next((match.group() for match in found if match), "")


def _list_unsaid_denials(form: QuestionForm, meaning: QueryMeaning) -> list[str]:
    """How a question denies two things, where a query denies fewer; `no sea or ocean` may be one
    thing."""
    said = find_joint_denial(form.text, form.name_spans)
    if said in ("", "no … or"):
        return []
    return [said] if count_denials(meaning.graph, meaning.values) < 2 else []


def _list_unsaid_words(form: QuestionForm, meaning: QueryMeaning) -> list[str]:
    """The words of a question that name a relation which a query does not have."""
    graph = meaning.graph
    types = {edge.type for edge in graph.edges}
    names = {node.label for node in graph.nodes}
    names |= {each.property for each in graph.iterate_filters()}
    names |= {item.key for item in graph.list_operands()}
    values = [str(stored.value) for stored in meaning.values]
    return list_unsaid_relations(form, types, names, values)


def _says_not(value: Scalar) -> bool:
    """Whether a value says that something is not so: `not solved`, or a flag that is not set."""
    return says_no(value) or has_negation(str(value))


def _iterate_operators(graph: QueryGraph) -> Iterator[OperatorKind]:
    for each in graph.iterate_filters():
        yield from _iterate_filter_operators(each)
    for scope in graph.scopes:
        yield from _iterate_scope_operators(scope)
    if any(map(_says_aggregate, graph.items)):
        yield "aggregate"
    if graph.conditions:
        yield from ("comparison", "negation")
    if graph.orders or any(item.form.function in _ENDS for item in graph.items):
        yield from ("superlative", "order", "comparison")
    keys = (each.property for each in graph.iterate_filters())
    names = (*keys, *(item.key for item in graph.items), *(edge.type for edge in graph.edges))
    if graph.limit or any(has_order(split_name(name)) for name in names):
        yield "order"


def _says_aggregate(item: ReturnItem) -> bool:
    """Whether an item is computed from many, or is such a property: `average temperature`."""
    return item.form.function in _FIGURES or has_aggregate(split_name(item.key))


def _iterate_filter_operators(each: QueryFilter) -> Iterator[OperatorKind]:
    if each.is_negated or each.operator in ("<>", "IS NULL"):
        yield "negation"
    if each.alternatives:
        yield "choice"
    if each.operator in ORDERED_OPERATORS or each.reference:
        yield "comparison"


def _iterate_scope_operators(scope: QueryScope) -> Iterator[OperatorKind]:
    if scope.kind == "none":
        yield "negation"
    elif scope.kind == "number":
        yield from ("comparison", "negation")
    elif scope.kind == "first":
        yield from ("superlative", "order")
