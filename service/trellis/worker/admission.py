"""Checks a request's arguments before the engine sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trellis.automata.codec import decode_language
from trellis.domain.errors import TrellisError
from trellis.worker.slots import parse_arguments


def admit_request(arguments: Mapping[str, Any] | None) -> None:
    """Raise ValueError, which the server answers with 400, for arguments that cannot be used."""
    try:
        led = parse_arguments(arguments)
        if led is not None and isinstance(led.source, bytes):
            decode_language(led.source)
    except TrellisError as error:
        raise ValueError(str(error)) from error
