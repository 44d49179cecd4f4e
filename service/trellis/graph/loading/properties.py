"""Typed property values of Neo4j's import format. Empty is absent; nothing is ever guessed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from neo4j.spatial import CartesianPoint, Point, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time

_MOST = 2**63
_TRUE, _FALSE = {"true", "1"}, {"false", "0"}


def parse_value(text: str, kind: str) -> Any:
    """`text` as a value of type `kind`; None where it is empty; ValueError where it is not one."""
    if text == "" or (text.isspace() and kind != "string"):
        return None
    if kind.endswith("[]"):
        read = _READERS[kind[:-2]]
        return [read(part.strip() if kind != "string[]" else part) for part in text.split(";")]
    return _READERS[kind](text if kind == "string" else text.strip())


def is_known_type(kind: str) -> bool:
    return kind.removesuffix("[]") in _READERS


def _parse_integer(text: str) -> int:
    number = int(text)
    if not -_MOST <= number < _MOST:
        raise ValueError("out of range")
    return number


def _parse_boolean(text: str) -> bool:
    if (word := text.lower()) not in _TRUE | _FALSE:
        raise ValueError("neither true nor false")
    return word in _TRUE


def _parse_point(text: str) -> Point:
    """`{x: 1, y: 2}`, or `{latitude: 53.5, longitude: -2.6}`, with a third coordinate at will."""
    pairs = re.findall(r"(\w+)\s*:\s*(-?[\d.]+(?:[eE][-+]?\d+)?)", text)
    at = {key.lower(): float(number) for key, number in pairs}
    third = [at[key] for key in ("z", "height") if key in at]
    if {"latitude", "longitude"} <= at.keys():
        return WGS84Point((at["longitude"], at["latitude"], *third))
    if not {"x", "y"} <= at.keys():
        raise ValueError("no coordinates")
    make = WGS84Point if "wgs" in text.lower() else CartesianPoint
    return make((at["x"], at["y"], *third))


_READERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("string", "char"), str),
    **dict.fromkeys(("int", "integer", "long", "short", "byte"), _parse_integer),
    **dict.fromkeys(("float", "double"), float),
    **dict.fromkeys(("boolean", "bool"), _parse_boolean),
    **dict.fromkeys(("datetime", "localdatetime"), DateTime.from_iso_format),
    **dict.fromkeys(("time", "localtime"), Time.from_iso_format),
    "date": Date.from_iso_format,
    "duration": Duration.from_iso_format,
    "point": _parse_point,
}
