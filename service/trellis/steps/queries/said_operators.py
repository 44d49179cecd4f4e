"""Said operators: what of not, or, more than, the most and yes-or-no a query says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.query import (
    ORDERED_OPERATORS,
    QueryFilter,
    QueryGraph,
    QueryScope,
)
from trellis.automata.cypher.wording import split_name
from trellis.domain.decoding import Sentence
from trellis.domain.links import Mention
from trellis.linking.operators import OperatorKind, has_negation, has_superlative
from trellis.steps.queries.read_meaning import QueryMeaning, read_meaning
from trellis.steps.shared.unsaid_operators import find_unsaid_operators

ALL_OPERATORS: frozenset[OperatorKind] = frozenset(
    ("negation", "comparison", "choice", "superlative", "yes-no")
)


def find_said_operators(meaning: QueryMeaning | None) -> frozenset[OperatorKind]:
    """What a query says; of a query that cannot be read, everything is believed."""
    if meaning is None:
        return ALL_OPERATORS
    said = set(_iterate_operators(meaning.graph))
    if meaning.asks_whether:
        said.add("yes-no")
    if any(has_negation(str(stored.value)) for stored in meaning.values):
        said.add("negation")
    return frozenset(said)


def keep_saying(
    question: str, mentions: Sequence[Mention], sentences: Sequence[Sentence]
) -> list[Sentence]:
    """The sentences whose queries say all operators of a question, in their order."""
    if not find_unsaid_operators(question, mentions, ()):
        return list(sentences)
    return [
        sentence
        for sentence in sentences
        if not find_unsaid_operators(
            question, mentions, find_said_operators(read_meaning(sentence.values[0]))
        )
    ]


def _iterate_operators(graph: QueryGraph) -> Iterator[OperatorKind]:
    for each in graph.iterate_filters():
        yield from _iterate_filter_operators(each)
    for scope in graph.scopes:
        yield from _iterate_scope_operators(scope)
    if any(has_superlative(split_name(edge.type)) for edge in graph.edges):
        yield "superlative"
    if graph.conditions:
        yield from ("comparison", "negation")
    if graph.orders or any(item.form.function in ("min", "max") for item in graph.items):
        yield from ("superlative", "comparison")


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
        yield "superlative"
