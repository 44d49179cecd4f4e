"""Which bodies are read: JSON alone."""

from __future__ import annotations

from fastapi import Request

from trellis.domain.errors import UnsupportedMediaError

_JSON = "application/json"
_LONGEST = 100


async def require_json_body(request: Request) -> None:
    """Raise UnsupportedMediaError where a request has a body of another type than JSON."""
    given = request.headers.get("content-type", "")
    kind = given.partition(";")[0].strip().lower()
    if kind == _JSON or (kind.startswith("application/") and kind.endswith("+json")):
        return
    if await request.body():
        said = f"of type {given[:_LONGEST]!r}" if given else "of no type"
        raise UnsupportedMediaError(
            f"the body is {said}, and only JSON is read", f"send it as Content-Type: {_JSON}"
        )
