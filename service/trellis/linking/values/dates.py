"""Days as English writes them: `1 May 2025`, `May 1st, 2025`, `2025-05-01`, `1/5/2025`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from trellis.domain.grammar_words import SHORT_MONTHS
from trellis.linking.names.spans import Span

_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
_MONTH += r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_WRITTEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_DAY}[ -](?:of )?{_MONTH}(?:, ?| |-){_YEAR}",
        rf"{_MONTH} {_DAY}(?:, ?| ){_YEAR}",
    )
)
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/.])(?P<one>\d{1,2})\2(?P<two>\d{1,2})")
_YEAR_LAST = re.compile(r"(?P<one>\d{1,2})([-/.])(?P<two>\d{1,2})\2(?P<year>\d{4})")
_PATTERNS = (*_WRITTEN, _YEAR_FIRST, _YEAR_LAST)


@dataclass(frozen=True, slots=True)
class SaidDay:
    """Where a text says a day, and which it may be: two where day and month may be exchanged."""

    span: Span
    days: tuple[date, ...]


def find_days(text: str) -> tuple[SaidDay, ...]:
    """The days that a text says, in its order, none overlapping."""
    found = [
        SaidDay(Span(*match.span()), days)
        for pattern in _PATTERNS
        for match in re.finditer(rf"(?<![\w/.-]){pattern.pattern}(?![\w/-])", text, re.IGNORECASE)
        if (days := tuple(_list_days(match)))
    ]
    kept: list[SaidDay] = []
    for day in sorted(found, key=lambda each: (each.span.start, -each.span.end)):
        if not kept or kept[-1].span.end <= day.span.start:
            kept.append(day)
    return tuple(kept)


def read_days(text: str) -> tuple[date, ...]:
    """The days that a whole text may be; none where it is no day."""
    matches = (pattern.fullmatch(text) for pattern in _PATTERNS)
    return tuple(day for match in matches if match for day in _list_days(match))


def _list_days(match: re.Match[str]) -> Iterator[date]:
    parts = match.groupdict()
    year = int(parts["year"])
    if "month" in parts:
        pairs = [(1 + SHORT_MONTHS.index(parts["month"][:3].lower()), int(parts["day"]))]
    elif match.re.groupindex["year"] == 1:
        pairs = [(int(parts["one"]), int(parts["two"]))]
    else:
        pairs = [(int(parts["two"]), int(parts["one"])), (int(parts["one"]), int(parts["two"]))]
    for month, day in dict.fromkeys(pairs):
        try:
            yield date(year, month, day)
        except ValueError:
            continue
