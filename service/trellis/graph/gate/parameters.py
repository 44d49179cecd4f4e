"""Rules on parameters: plain values, not too many, not nested too deep."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from trellis.domain.errors import QueryError, RefusedQueryError

DEEPEST = 8
MOST_BYTES = 200_000
LONGEST_TEXT = 10_000
MOST_VALUES = 20_000
_INTEGERS = range(-(2**63), 2**63)
_SCALAR = 8  # bytes of a number or boolean, about


def check_parameters(params: Mapping[str, Any]) -> None:
    """Raise RefusedQueryError unless all are null, booleans, 64-bit integers, floats, texts, or
    lists and maps of these, within limits."""
    values, size = _measure_value(params, 0, "")
    if values > MOST_VALUES or size > MOST_BYTES:
        raise RefusedQueryError(
            f"the parameters hold {values:,} values in {size:,} bytes",
            f"send at most {MOST_VALUES:,} values and {MOST_BYTES:,} bytes",
        )


def check_encodable(text: str) -> str:
    """The text itself; raises QueryError if it cannot be encoded as UTF-8."""
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        raise QueryError(
            "a text holds lone surrogates, which are no characters", "send plain text in UTF-8"
        )
    return text


def shape_of(value: Any) -> Any:
    """The shape on which a plan may depend: types, and the rough lengths of lists and texts."""
    if isinstance(value, Mapping):
        return tuple((name, shape_of(part)) for name, part in value.items())
    if isinstance(value, list | tuple | str):
        return type(value).__name__, len(value).bit_length()
    return type(value).__name__


def _measure_value(value: Any, depth: int, parameter: str) -> tuple[int, int]:
    """How many values a value holds, and its approximate size in bytes.

    `parameter`: the name of the parameter that holds it, for errors.
    """
    if depth > DEEPEST:
        raise RefusedQueryError(
            f"the parameter {parameter} is nested too deep", f"nest {DEEPEST} levels at most"
        )
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise RefusedQueryError(
                f"the parameter {parameter} has {len(value):,} characters",
                f"send at most {LONGEST_TEXT:,}",
            )
        return 1, len(check_encodable(value).encode())
    if isinstance(value, Mapping):
        names = [_measure_value(_check_name(name), depth, parameter) for name in value]
        parts = [
            _measure_value(part, depth + 1, parameter or str(name)) for name, part in value.items()
        ]
        return 1 + sum(n for n, _ in parts), sum(size for _, size in names + parts)
    if isinstance(value, list | tuple):
        parts = [_measure_value(part, depth + 1, parameter) for part in value]
        return 1 + sum(n for n, _ in parts), sum(size for _, size in parts)
    if value is None or isinstance(value, bool | float) or _is_integer(value):
        return 1, _SCALAR
    raise RefusedQueryError(
        f"the parameter {parameter} is no value that Cypher takes ({type(value).__name__})",
        "send null, booleans, 64-bit integers, numbers, texts, lists and maps",
    )


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and value in _INTEGERS


def _check_name(name: Any) -> str:
    if not isinstance(name, str):
        raise RefusedQueryError("a parameter's name is no text", "name parameters by texts")
    return name
