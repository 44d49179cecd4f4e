"""The moments of which a question wants something to be so: now, in a year, on a day.

`Who works for Umbra now`, `who ran the harbour in 2015`, `where did she live on 1 May 2020`. A
question that speaks of a beginning or an end, as `who joined in 2015` does, asks for that, and not
for what held at the time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from trellis.linking.names.spans import Span
from trellis.linking.values.dates import find_days

_NOW = re.compile(
    r"\b(?:(?:right )?now|nowadays|currently|at present|presently|today|at the moment"
    r"|these days)\b",
    re.IGNORECASE,
)
SAID_YEAR = r"(?:the year )?(?P<year>1\d{3}|20\d{2})\b(?![-/.]?\d)"
"""A year behind a word of time, which is no part of a day."""

_YEAR = re.compile(rf"\b(?:in|during|as of|throughout) {SAID_YEAR}", re.IGNORECASE)
_BEFORE_DAY = re.compile(r"\b(?:on|at|as of) (?:the )?$", re.IGNORECASE)
_TURN = re.compile(
    r"\b(?:since|until|till|beg[aiu]n\w*|start\w*|join\w*|becam?e\w*|becoming|enter\w*|appoint\w*"
    r"|elect\w*|hired?|found\w*|end(?:s|ed|ing)?|stop\w*|quit\w*|left|leav\w+|retir\w+|resign\w*"
    r"|expir\w*|first|last|when)\b",
    re.IGNORECASE,
)
"""Words by which a beginning or an end is meant, or asked for."""


@dataclass(frozen=True, slots=True)
class SaidMoment:
    """The days from `first` to `last` on one of which something is to be so, and where a text says
    them."""

    span: Span
    first: date
    last: date


def find_moment(text: str, today: date) -> SaidMoment | None:
    """The one moment that a text says; None where it says none or several, or a beginning or an
    end."""
    if _TURN.search(text):
        return None
    found = [SaidMoment(Span(*match.span()), today, today) for match in _NOW.finditer(text)]
    for match in _YEAR.finditer(text):
        year = int(match["year"])
        span = Span(*match.span())
        found.append(SaidMoment(span, date(year, 1, 1), date(year, 12, 31)))
    for said in find_days(text):
        if _BEFORE_DAY.search(text[: said.span.start]):
            found.append(SaidMoment(said.span, said.days[0], said.days[0]))
    return found[0] if len(found) == 1 else None
