"""Units of measurement: of a property by its name (`length_km`), and behind a number of a text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

UNITS: Mapping[str, tuple[str, ...]] = {
    "km": ("km", "kilometres", "kilometers", "kilometre", "kilometer", "kms"),
    "km2": ("km²", "square kilometres", "sq km", "square kilometers", "km2", "sq. km", "sqkm"),
    "m": ("m", "metres", "meters", "metre", "meter"),
    "cm": ("cm", "centimetres", "centimeters"),
    "mm": ("mm", "millimetres", "millimeters"),
    "ft": ("ft", "feet", "foot"),
    "mi": ("mi", "miles", "mile"),
    "mi2": ("sq mi", "square miles", "square mile", "sq miles"),
    "ha": ("ha", "hectares", "hectare"),
    "acres": ("acres", "acre"),
    "kg": ("kg", "kilograms", "kilos", "kilo"),
    "g": ("g", "grams", "gram"),
    "lb": ("lb", "lbs", "pounds"),
    "usd": ("dollars", "usd", "us dollars"),
    "eur": ("euros", "eur", "euro"),
    "ms": ("ms", "milliseconds"),
    "sec": ("seconds", "sec", "secs", "second"),
    "min": ("minutes", "min", "mins", "minute"),
    "hours": ("hours", "hour", "hrs", "h"),
    "days": ("days", "day"),
}
"""Units as they end the names of properties, and how people write them, most usual first."""

_SAME = {"mins": "min", "secs": "sec", "seconds": "sec", "minutes": "min", "metres": "m"}
_WRITTEN = {text: unit for unit, texts in UNITS.items() for text in texts}
_BEHIND = re.compile(
    rf"[\s-]?({'|'.join(map(re.escape, sorted(_WRITTEN, key=len, reverse=True)))})(?![\w²])",
    re.IGNORECASE,
)


def split_unit(words: Sequence[str]) -> tuple[Sequence[str], str]:
    """The words of a property's name without the unit at its end, and the unit; empty where its
    last words are none."""
    for count in (2, 1):
        last = "".join(words[-count:]).lower()
        unit = _SAME.get(last, last)
        if len(words) > count and unit in UNITS:
            return words[:-count], unit
    return words, ""


def find_unit_behind(text: str, end: int) -> tuple[str, str]:
    """The unit that stands in a text behind a number which ends at `end`, and how it is written;
    both empty where there is none."""
    found = _BEHIND.match(text, end)
    return (_WRITTEN[found[1].lower()], found[1]) if found else ("", "")
