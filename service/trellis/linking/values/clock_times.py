"""Times of day as English writes them: `10:30`, `9 am`, `7.15 p.m.`, `noon`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trellis.linking.names.spans import Span

_TIME = re.compile(
    r"(?<![\w:.])(?:(?P<hour>\d{1,2})[:.](?P<minute>[0-5]\d)(?: ?(?P<half>[ap])\.?m\b\.?)?"
    r"|(?P<hour2>\d{1,2}) ?(?P<half2>[ap])\.?m\b\.?"
    r"|(?P<word>noon|midday|midnight)\b)(?![\d:]|\.\d)",
    re.IGNORECASE,
)
_MIDNIGHT, _NOON, _HOURS = 0, 12, 24


@dataclass(frozen=True, slots=True)
class SaidTime:
    """A time of day, `HH:MM`, and where a text says it."""

    span: Span
    time: str


def find_clock_times(text: str) -> tuple[SaidTime, ...]:
    """The times of day that a text says, in its order. A number with a point is one only with a
    half of the day: `7.15 pm`."""
    return tuple(
        SaidTime(Span(*match.span()), time)
        for match in _TIME.finditer(text)
        if (time := _read_time(match))
    )


def _read_time(match: re.Match[str]) -> str:
    if match["word"]:
        return f"{_MIDNIGHT if match['word'].lower() == 'midnight' else _NOON:02}:00"
    hour, half = int(match["hour"] or match["hour2"]), match["half"] or match["half2"]
    if not half and "." in match[0]:
        return ""
    if half:
        hour = hour % _NOON + (_NOON if half.lower() == "p" else 0) if hour <= _NOON else _HOURS
    return f"{hour:02}:{match['minute'] or '00'}" if hour < _HOURS else ""
