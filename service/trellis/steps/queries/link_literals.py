"""Link literals: the numbers and quoted texts of a question that need not be stored anywhere.

They are compared with whatever has their type: the number of matches with `3`, a name with a part
of it in quotation marks.
"""

from __future__ import annotations

from trellis.domain.links import Link, Mention, StoredValue
from trellis.linking.name_like_spans import find_quoted_spans
from trellis.linking.numbers import SaidNumber, find_numbers
from trellis.linking.spans import Span

_SCORE = 0.3  # of a literal: less than of any value that is stored


def link_literals(question: str) -> tuple[Mention, ...]:
    """The literals of a question, each a mention of one value without label and property."""
    numbers = [_link_number(question, number) for number in find_numbers(question)]
    quoted = [_link_text(question, span) for span in find_quoted_spans(question)]
    return (*numbers, *quoted)


def _link_number(question: str, number: SaidNumber) -> Mention:
    span, type_ = number.span, "INTEGER" if isinstance(number.value, int) else "FLOAT"
    link = Link(StoredValue("", "", number.value, type_), _SCORE, "number")
    return Mention(span.start, span.end, question[span.start : span.end], (link,))


def _link_text(question: str, span: Span) -> Mention:
    text = question[span.start : span.end]
    link = Link(StoredValue("", "", text), _SCORE, "exact")
    return Mention(span.start, span.end, text, (link,))
