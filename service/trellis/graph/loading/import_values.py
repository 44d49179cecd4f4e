"""Property values as the text and the type that Neo4j's importer reads them back from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from neo4j.spatial import CartesianPoint, Point, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time

from trellis.domain.errors import InputError

ITEM_SEPARATOR = "\x1f"
"""Between the items of an array, and between labels; no text for people holds it."""


def find_import_type(value: Any) -> str:
    """The type of a header's column that holds such values; an array by its first item."""
    if isinstance(value, list):
        return f"{find_import_type(value[0])}[]"
    if isinstance(value, DateTime | Time) and value.tzinfo is None:
        return "localdatetime" if isinstance(value, DateTime) else "localtime"
    return _TYPES[type(value)]


def format_import_value(value: Any) -> str:
    """The value as text; raises InputError for a text that the format cannot hold."""
    if isinstance(value, list):
        return join_items([format_import_value(item) for item in value])
    return _FORMATS[type(value)](value)


def join_items(items: list[str] | tuple[str, ...]) -> str:
    """Items of an array, or labels, as one text."""
    if any(ITEM_SEPARATOR in item for item in items):
        raise InputError(
            "an item of an array, or a label, holds the control character U+001F",
            "take it out, or load the graph into a running Neo4j",
        )
    return ITEM_SEPARATOR.join(items)


def _format_float(number: float) -> str:
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return "NaN" if math.isnan(number) else repr(number)


def _format_point(point: Point) -> str:
    names = ("longitude", "latitude", "height") if isinstance(point, WGS84Point) else "xyz"
    pairs = zip(names, point, strict=False)
    return "{" + ", ".join(f"{name}: {_format_float(number)}" for name, number in pairs) + "}"


def _format_temporal(value: Date | DateTime | Time | Duration) -> str:
    return value.iso_format()


_TYPES: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "long",
    float: "double",
    Date: "date",
    DateTime: "datetime",
    Time: "time",
    Duration: "duration",
    CartesianPoint: "point",
    WGS84Point: "point",
}
_FORMATS: dict[type, Callable[[Any], str]] = {
    str: str,
    bool: lambda truth: "true" if truth else "false",
    int: str,
    float: _format_float,
    CartesianPoint: _format_point,
    WGS84Point: _format_point,
    **dict.fromkeys((Date, DateTime, Time, Duration), _format_temporal),
}
