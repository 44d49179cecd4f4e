"""Link literals: the numbers and quoted texts of a question that need not be stored anywhere.

They are compared with whatever has their type: the number of matches with `3`, a name with a part
of it in quotation marks.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.links import Link, Mention, StoredValue
from trellis.linking.literals import number_of
from trellis.linking.name_like_spans import find_quoted_spans
from trellis.linking.spans import ParsedQuestion, Span, find_spans, parse_question

_SCORE = 0.3  # of a literal: less than of any value that is stored


def link_literals(question: str) -> tuple[Mention, ...]:
    """The literals of a question, each a mention of one value without label and property."""
    asked = parse_question(question)
    linked = [_link_number(asked, span) for span in find_spans(asked)]
    numbers = [mention for mention in linked if mention]
    quoted = [_link_text(question, span) for span in find_quoted_spans(question)]
    return (*(each for each in numbers if not _is_part(each, numbers)), *quoted)


def _is_part(mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a number is a part of a longer one: the `000` of `2,000`."""
    return any(
        other.start <= mention.start and mention.end <= other.end and other != mention
        for other in others
    )


def _link_number(question: ParsedQuestion, span: Span) -> Mention | None:
    """The mention of a number; None where a span is none."""
    text = question.text_of(span)
    number = number_of(text)
    if number is None:
        return None
    is_whole = number.is_integer()
    value = int(number) if is_whole else number
    stored = StoredValue("", "", value, "INTEGER" if is_whole else "FLOAT")
    return Mention(span.start, span.end, text, (Link(stored, _SCORE, "number"),))


def _link_text(question: str, span: Span) -> Mention:
    text = question[span.start : span.end]
    link = Link(StoredValue("", "", text), _SCORE, "exact")
    return Mention(span.start, span.end, text, (link,))
