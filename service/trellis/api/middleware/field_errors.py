"""What is wrong with the fields of a request, in words of ours for each kind of error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trellis.wire.problems import FieldProblem
from trellis.wire.request_bodies import UNKNOWN_FIELD

MOST_TOLD = 20
"""The most errors of one request that are told."""

_WORDS = {
    "missing": "is missing",
    "string_type": "must be a text",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "is too large a number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object",
    "model_attributes_type": "must be an object",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match {pattern}",
    "literal_error": "must be {expected}",
    "value_error": "{error}",
}
_OTHERWISE = "cannot be used"


def describe_field_errors(details: Sequence[Mapping[str, Any]]) -> list[FieldProblem]:
    """pydantic's errors of a request as problems of its fields, the first `MOST_TOLD`."""
    return list(_describe_errors(details[:MOST_TOLD]))


def _describe_errors(details: Sequence[Mapping[str, Any]]) -> Iterator[FieldProblem]:
    for detail in details:
        place, *path = detail["loc"]
        text = _write_text(detail)
        if place == "body":
            pointer = "".join(f"/{_escape_pointer(str(step))}" for step in path)
            yield FieldProblem(detail=text, pointer=_replace_surrogates(f"#{pointer}"))
        else:
            yield FieldProblem(detail=text, parameter=_replace_surrogates(".".join(map(str, path))))


def _write_text(detail: Mapping[str, Any]) -> str:
    """What is wrong, beginning with the field's name."""
    if detail["type"] == UNKNOWN_FIELD:
        return _replace_surrogates(str(detail["msg"]))
    limits = {name: _write_limit(value) for name, value in (detail.get("ctx") or {}).items()}
    words = _WORDS.get(detail["type"], _OTHERWISE).format_map(limits)
    if limits.get("min_length") == "1":
        words = "must not be empty"
    if detail["type"] in ("list_type", "tuple_type") and detail["loc"][-1] == "body":
        words = "must be an object"
    name = ".".join(map(str, detail["loc"][1:])) or "the body"
    return _replace_surrogates(f"{name} {words}")


def _write_limit(value: object) -> str:
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def _escape_pointer(step: str) -> str:
    """A step of a JSON pointer (RFC 6901, section 3)."""
    return step.replace("~", "~0").replace("/", "~1")


def _replace_surrogates(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be encoded as UTF-8."""
    return text.encode("utf-8", "replace").decode()
