"""Lengths of time as English writes them: `two hours`, `90 minutes`, `a day and a half` not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trellis.linking.names.spans import Span
from trellis.linking.values.numbers import find_numbers

_UNITS = {
    "second": ("T", "S", 1),
    "minute": ("T", "M", 1),
    "hour": ("T", "H", 1),
    "day": ("", "D", 1),
    "week": ("", "D", 7),
    "month": ("", "M", 1),
    "year": ("", "Y", 1),
}
_SHORT = {"sec": "second", "min": "minute", "hr": "hour", "h": "hour"}
_UNIT = re.compile(
    rf"[ -]?(?P<unit>{'|'.join((*_UNITS, *_SHORT))})s?\b\.?(?! old\b)", re.IGNORECASE
)
_ONE = re.compile(rf"\b(?P<one>an?|one) (?=(?:{'|'.join(_UNITS)})\b)", re.IGNORECASE)
_ISO = re.compile(
    r"P(?:(?P<year>[\d.]+)Y)?(?:(?P<month>[\d.]+)M)?(?:(?P<week>[\d.]+)W)?(?:(?P<day>[\d.]+)D)?"
    r"(?:T(?:(?P<hour>[\d.]+)H)?(?:(?P<minute>[\d.]+)M)?(?:(?P<second>[\d.]+)S)?)?"
)


@dataclass(frozen=True, slots=True)
class SaidDuration:
    """A length of time, as ISO 8601 writes it (`PT2H`), and where a text says it."""

    span: Span
    duration: str


def find_durations(text: str) -> tuple[SaidDuration, ...]:
    """The lengths of time that a text says, in its order."""
    counted = [(number.span.start, number.span.end, number.value) for number in find_numbers(text)]
    counted += [(match.start(), match.end("one"), 1) for match in _ONE.finditer(text)]
    found = (
        (start, unit, value)
        for start, end, value in sorted(dict.fromkeys(counted))
        if (unit := _UNIT.match(text, end))
    )
    return tuple(
        SaidDuration(Span(start, unit.end("unit") + len(_find_plural(text, unit))), duration)
        for start, unit, value in found
        if (duration := _write_duration(value, unit["unit"].lower()))
    )


def _find_plural(text: str, unit: re.Match[str]) -> str:
    return "s" if text[unit.end("unit") : unit.end("unit") + 1].lower() == "s" else ""


def _write_duration(value: float, unit: str) -> str:
    """A length of time; empty where it is no whole number of months or years."""
    before, letter, times = _UNITS[_SHORT.get(unit, unit)]
    if unit in ("month", "year") and not float(value).is_integer():
        return ""
    return f"P{before}{value * times:g}{letter}" if value > 0 else ""


def describe_duration(duration: str) -> str:
    """A length of time in words, largest unit first: `1 day 2 hours` for `P1DT2H`; as it is where
    it is none."""
    found = _ISO.fullmatch(duration)
    parts = [(found[unit], unit) for unit in found.groupdict() if found[unit]] if found else []
    return " ".join(f"{n} {unit}{'' if n == '1' else 's'}" for n, unit in parts) or duration
