"""What a knowledge base knows of a node, as properties of one value each."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

Value = str | int | float | bool

_UNKNOWN = (-1, "-1")  # what the academic one has in place of what it does not know
_LARGEST = 2**63


def list_properties(info: Mapping[str, Any]) -> dict[str, Value]:
    """The properties of a node. Those of a dictionary within become its own; ids in there, which
    are of other databases, are left out, as STaRK's own documents leave them out."""
    properties: dict[str, Value] = {}
    for key, value in info.items():
        if isinstance(value, Mapping):
            inner = {k: v for k, v in value.items() if not k.startswith("_") and "_id" not in k}
            properties |= _name_values(inner, key, info)
        elif value not in _UNKNOWN:
            properties |= _name_values({key: value}, key, ())
    return properties


def choose_type(values: Iterable[Value]) -> str:
    """The type of a column that holds these: of numbers and flags their own, else `string`."""
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "int"
    return "float" if kinds and kinds <= {int, float} else "string"


def clean_name(text: str) -> str:
    """A name of letters, digits and `_`: `off-label use` is `off_label_use`."""
    return re.sub(r"\W+", "_", text).strip("_")


def _name_values(
    values: Mapping[str, Any], key: str, taken: Collection[str]
) -> Mapping[str, Value]:
    """Values by their cleaned names, each with `key` before it where its name is taken."""
    named = {}
    for name, value in values.items():
        plain = _as_plain(value)
        own = clean_name(f"{key}_{name}" if name in taken else name)
        if own and plain is not None:
            named[own] = plain
    return named


def _as_plain(value: Any) -> Value | None:
    """A value as one text, number or flag; None where it says nothing."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) < _LARGEST):
        return value
    return _as_text(value) or None


def _as_text(value: Any) -> str:
    """A value as a text: of lists an item a line, of dictionaries `key: value; key: value`."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, Mapping):
        pairs = ((key, _as_text(each)) for key, each in value.items())
        return "; ".join(f"{key}: {text}" for key, text in pairs if text)
    if isinstance(value, list | tuple | set | frozenset):
        return "\n".join(filter(None, map(_as_text, value)))
    return str(value).strip()
