"""Quantities: numbers, years and dates as they stand in a graph, and how they compare."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt

from trellis.domain.replies.claims import Sign

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?")
_DAY_FIRST = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_FIRST_YEAR, _LAST_YEAR = 1000, 2999

_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "=": eq,
    "<": lt,
    ">": gt,
    "<=": le,
    ">=": ge,
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number; `is_time`: whether it is a date or may be a year."""

    number: float
    is_time: bool


def parse_quantity(text: str) -> Quantity | None:
    """The number, year or date that a text is; None of others. Dates are written as whole
    numbers (20170828), which compare as they do."""
    text = text.strip().replace(",", "")
    if _NUMBER.fullmatch(text):
        number = float(text)
        return Quantity(number, number.is_integer() and _FIRST_YEAR <= number <= _LAST_YEAR)
    if found := _DATE.fullmatch(text):
        year, month, day = map(int, found.groups())
    elif found := _DAY_FIRST.fullmatch(text):
        day, month, year = map(int, found.groups())
    else:
        return None
    return Quantity(float(year * 10_000 + month * 100 + day), True)


def compare_quantities(left: Quantity, sign: Sign, right: Quantity) -> bool:
    """Whether `left` stands to `right` as the sign says."""
    return _COMPARISONS[choose_sign(sign, left)](left.number, right.number)


def choose_sign(sign: Sign, of: Quantity) -> str:
    """The sign of arithmetic: what is older has the smaller year, or the larger age."""
    if sign == "older":
        return "<" if of.is_time else ">"
    if sign == "younger":
        return ">" if of.is_time else "<"
    return sign


def compare_range(least: int, most: int, sign: Sign, number: float) -> tuple[bool, bool]:
    """Whether some, and whether every whole number from `least` to `most` stands so to `number`."""
    held = [_COMPARISONS[sign](float(n), number) for n in {least, most}]
    inside = sign == "=" and least <= number <= most and float(number).is_integer()
    return any(held) or inside, all(held)
