"""What a request's arguments have to be, before the engine sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trellis.automata.codec import decode_language
from trellis.domain.errors import TrellisError
from trellis.worker.slots import checked


def admit(arguments: Mapping[str, Any] | None) -> None:
    """Refuse (ValueError, which the server answers with 400) what leads no request."""
    try:
        led = checked(arguments)
        if led is not None and isinstance(led.what, bytes):
            decode_language(led.what)
    except TrellisError as error:
        raise ValueError(str(error)) from error
