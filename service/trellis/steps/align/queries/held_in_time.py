"""Held in time: a question that says a moment asks for what held at that moment.

`Who works for Umbra now`, `who ran the harbour in 2015`: relationships that say from when to when
they hold are restricted to those that held then. One without an end still holds, and one without
a beginning always did.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import OPEN_OPERATORS, QueryEdge, QueryFilter
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import PropertyKind
from trellis.domain.models.decoding import Sentence
from trellis.lexicon.validity import Validity, find_validities
from trellis.linking.questions.moments import SaidMoment, find_moment
from trellis.steps.align.queries.rewriting import (
    list_values,
    read_sentence,
    rewrite_sentence,
)
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.link.question_form import QuestionForm


def hold_in_time(
    form: QuestionForm, sentences: Sequence[Sentence], language: CypherLanguage, today: date
) -> list[Sentence]:
    """The sentences, their queries restricted to what held at the moment that the question says.

    What the query compared the ends of a relationship with goes: `in 2015` is no year of an end.
    A query that uses the moment for anything else is left as it is.
    """
    validities = find_validities(form.schema)
    moment = find_moment(form.text, today) if validities else None
    if moment is None:
        return list(sentences)
    return [_hold_sentence(each, moment, validities, language) for each in sentences]


def explain_not_held_in_time(form: QuestionForm, types: Collection[str]) -> str:
    """Why answers that stand on relationships of some `types` are held back, for a note; empty
    where they are not: the question says a moment, and nothing tells which of these held then."""
    validities = find_validities(form.schema)
    moment = None if validities.keys().isdisjoint(types) else find_moment(form.text, date.today())
    if moment is None:
        return ""
    said = form.text[moment.span.start : moment.span.end]
    return f"the question says “{said}”, and what was found may have held at another time"


def explain_query_not_held(form: QuestionForm, meaning: QueryMeaning | None) -> str:
    """As `explain_not_held_in_time`, of a query: empty where it says when its relationships hold,
    or compares another value with a time of its own."""
    if meaning is None:
        return ""
    graph = meaning.graph
    held = [each for each in graph.iterate_filters() if each.operator in OPEN_OPERATORS]
    of_nodes = any("year" in each.part for node in graph.nodes for each in node.filters)
    types = {edge.type for edge in graph.edges}
    return "" if held or of_nodes else explain_not_held_in_time(form, types)


def _hold_sentence(
    sentence: Sentence,
    moment: SaidMoment,
    validities: Mapping[str, Validity],
    language: CypherLanguage,
) -> Sentence:
    graph = read_sentence(sentence, language)
    if graph is None:
        return sentence
    values = _MomentValues(list_values(language), moment)
    edges = tuple(
        _hold_edge(edge, validities[edge.type], values) if edge.type in validities else edge
        for edge in graph.edges
    )
    if edges == graph.edges:
        return sentence
    return rewrite_sentence(sentence, replace(graph, edges=edges), values.values)


def _hold_edge(edge: QueryEdge, validity: Validity, values: _MomentValues) -> QueryEdge:
    """A relationship that held at a moment, in place of one whose ends are compared with it."""
    ends = validity.begins.name, validity.ends.name
    kept = [each for each in edge.filters if each.property not in ends]
    began = QueryFilter(ends[0], "<= OR NULL", values.add(validity.begins, values.moment.last))
    ended = QueryFilter(ends[1], ">= OR NULL", values.add(validity.ends, values.moment.first))
    return replace(edge, filters=(*kept, began, ended))


class _MomentValues:
    """The linked values of a language, and behind them the days of a moment."""

    def __init__(self, linked: Sequence[StoredValue], moment: SaidMoment) -> None:
        self.values = list(linked)
        self.moment = moment

    def add(self, kind: PropertyKind, day: date) -> tuple[int, ...]:
        """The index of a day, or of its year where the property holds years."""
        stored = StoredValue("", "", _write_day(kind, day), kind.type)
        if stored not in self.values:
            self.values.append(stored)
        return (self.values.index(stored),)


def _write_day(kind: PropertyKind, day: date) -> Scalar:
    return day.year if kind.type == "INTEGER" else day.isoformat()
