"""What all bodies of requests have in common: a field that they do not have is refused."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

UNKNOWN_FIELD = "unknown_field"
"""The type of the error of a field that a body does not have."""

_LONGEST_NAME = 60
_MOST_TOLD = 20  # unknown fields of one body; each is compared with all that there are


class RequestBody(BaseModel):
    """A body, or a part of one, that refuses unknown fields and says which was probably meant."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _name_unknown_fields(cls, given: Any, read: ModelWrapValidatorHandler[Any]) -> Any:
        if isinstance(given, dict) and (unknown := given.keys() - cls.model_fields.keys()):
            known = list(cls.model_fields)
            told = [name for name in given if name in unknown][:_MOST_TOLD]
            errors = [_build_error(name, known) for name in told]
            raise ValidationError.from_exception_data(cls.__name__, errors)
        return read(given)


def _build_error(name: str, known: list[str]) -> InitErrorDetails:
    name = name.encode("utf-8", "replace").decode()  # it may hold lone surrogates
    shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    nearest = get_close_matches(shown.lower(), known, 1)
    hint = f"did you mean '{nearest[0]}'?" if nearest else f"the fields are {', '.join(known)}"
    error = PydanticCustomError(
        UNKNOWN_FIELD, "unknown field '{name}'; {hint}", {"name": shown, "hint": hint}
    )
    return InitErrorDetails(type=error, loc=(shown,), input=None)
