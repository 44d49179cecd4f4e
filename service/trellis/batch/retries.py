"""Which questions that ended in an error are asked again by the next run."""

from __future__ import annotations

from typing import Literal

from trellis.domain import errors
from trellis.domain.errors import TrellisError

Retry = Literal["passing", "all", "none"]
"""Errors of an earlier run that are asked again: those that may pass, all, or none."""

_LASTING = (403, 404, 413, 422)  # statuses of errors that the same question ends in again


def is_asked_again(kind: str | None, retry: Retry) -> bool:
    """Whether a row whose error is of this class is asked again; None: it has no error."""
    if kind is None or retry == "none":
        return False
    return retry == "all" or may_pass(kind)


def may_pass(kind: str) -> bool:
    """Whether an error of this class may be gone when the same question is asked again."""
    error_class: type[TrellisError] = getattr(errors, kind, TrellisError)
    return error_class.status not in _LASTING
