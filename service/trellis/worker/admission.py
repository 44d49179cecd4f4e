"""Checks a request's arguments before the engine sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trellis.automata.codec import decode_language
from trellis.domain.errors import TrellisError
from trellis.worker.slots import checked


def admit(arguments: Mapping[str, Any] | None) -> None:
    """Raise ValueError, which the server answers with 400, for arguments that cannot be used."""
    try:
        led = checked(arguments)
        if led is not None and isinstance(led.what, bytes):
            decode_language(led.what)
    except TrellisError as error:
        raise ValueError(str(error)) from error
