"""Link literals: the numbers, days and quoted texts of a question that need not be stored anywhere.

They are compared with whatever has their type: the number of matches with `3`, a name with a part
of it in quotation marks, every property of dates with a day.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.cypher.words.property_types import DATES
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.linking.names.name_like_spans import find_quoted_spans
from trellis.linking.names.spans import Span
from trellis.linking.values.clock_times import find_clock_times
from trellis.linking.values.dates import find_days
from trellis.linking.values.durations import find_durations
from trellis.linking.values.numbers import SaidNumber, find_numbers

_CLOCKS = frozenset({"LOCAL TIME", "ZONED TIME"})
_LENGTHS = frozenset({"DURATION"})
_SCORE = 0.3  # of a literal: less than of any value that is stored


def link_literals(question: str) -> tuple[Mention, ...]:
    """The literals of a question, each a mention of one value without label and property."""
    numbers = [_link_number(question, number) for number in find_numbers(question)]
    quoted = [_link_text(question, span) for span in find_quoted_spans(question)]
    return (*numbers, *quoted)


def link_days(question: str, schema: Schema, stored: Sequence[Mention]) -> tuple[Mention, ...]:
    """The days of a question that none of the `stored` values is, each a value of every property of
    dates: `after 1 May 2025`."""
    known = {(m.start, m.end) for m in stored if m.best.how == "date"}
    linked = (
        (day.span, make_day_links(schema, [each.isoformat() for each in day.days]))
        for day in find_days(question)
        if (day.span.start, day.span.end) not in known
    )
    return tuple(_build_mention(question, span, links) for span, links in linked if links)


def link_times(question: str, schema: Schema) -> tuple[Mention, ...]:
    """The times of day and lengths of time of a question, `before 10:30`, `longer than two hours`,
    as literals of each such type that the graph has."""
    types = sorted({kind.type for _, kind in schema.iterate_properties()})
    said = [(each.span, each.time, _CLOCKS) for each in find_clock_times(question)]
    said += [(each.span, each.duration, _LENGTHS) for each in find_durations(question)]
    linked = (
        (span, [StoredValue("", "", value, type_) for type_ in types if type_ in those])
        for span, value, those in said
    )
    return tuple(
        _build_mention(question, span, [Link(value, _SCORE, "time") for value in values])
        for span, values in linked
        if values
    )


def make_day_links(schema: Schema, days: Sequence[str]) -> tuple[Link, ...]:
    """The links of what may be one of some days, which need not be stored: to every property of
    dates of nodes, and one without label and property for all of relationships of a type."""
    places = [(k.label, each) for k in schema.labels for each in k.properties]
    values = [(label, kind.name, kind.type) for label, kind in places if kind.type in DATES]
    of_edges = {kind.type for kinds in schema.relationship_properties.values() for kind in kinds}
    values += [("", "", type_) for type_ in DATES if type_ in of_edges]
    return tuple(
        Link(StoredValue(label, name, day, type_), _SCORE, "date")
        for label, name, type_ in values
        for day in days
    )


def _build_mention(question: str, span: Span, links: Sequence[Link]) -> Mention:
    return Mention(span.start, span.end, question[span.start : span.end], tuple(links))


def _link_number(question: str, number: SaidNumber) -> Mention:
    span, type_ = number.span, "INTEGER" if isinstance(number.value, int) else "FLOAT"
    link = Link(StoredValue("", "", number.value, type_), _SCORE, "number")
    return _build_mention(question, span, (link,))


def _link_text(question: str, span: Span) -> Mention:
    text = question[span.start : span.end]
    return _build_mention(question, span, (Link(StoredValue("", "", text), _SCORE, "exact"),))
