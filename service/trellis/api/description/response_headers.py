"""The headers of responses, as the description has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_EVERYWHERE = ("X-Request-ID",)
_BY_STATUS = {
    "401": ("WWW-Authenticate",),
    "415": ("Accept",),
    "429": ("Retry-After",),
    "503": ("Retry-After",),
}
_LIMITED = ("RateLimit", "RateLimit-Policy")
_OF_ROWS = ("Trellis-Answer", "Trellis-Abstained", "Trellis-Total", "Content-Disposition")

_HEADERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "X-Request-ID": (
        "The request's id: the one that it was sent with, or a new one. It is in the log, too.",
        {"type": "string", "example": "0f1e7c1a52d14f0f9d0c6f1f7a3b9f52"},
    ),
    "Retry-After": ("In how many seconds to ask again.", {"type": "integer", "example": 5}),
    "WWW-Authenticate": (
        "How to show a key (RFC 6750).",
        {"type": "string", "example": 'Bearer realm="trellis"'},
    ),
    "Accept": ("What may be sent.", {"type": "string", "example": "application/json"}),
    "RateLimit": (
        "Where there is a limit: what is left of it (`r`), and for how many seconds (`t`).",
        {"type": "string", "example": '"60 per 1 minute";r=59;t=42'},
    ),
    "RateLimit-Policy": (
        "Where there is a limit: how many requests (`q`) in how many seconds (`w`).",
        {"type": "string", "example": '"60 per 1 minute";q=60;w=60'},
    ),
    "Trellis-Answer": ("Of CSV: the answer's id.", {"type": "string", "format": "uuid"}),
    "Trellis-Abstained": (
        "Of CSV: whether nothing is claimed.",
        {"type": "string", "enum": ["true", "false"]},
    ),
    "Trellis-Total": ("Of CSV that was cut: how many answers there are.", {"type": "integer"}),
    "Content-Disposition": (
        "Of CSV: a name for the file.",
        {"type": "string", "example": 'inline; filename="answer.csv"'},
    ),
}


def describe_headers(described: dict[str, Any], *, is_limited: bool) -> None:
    """Add the headers to all responses of a description.

    `is_limited`: whether requests are limited in number.
    """
    used: set[str] = set()
    for operations in described["paths"].values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                names = [*_EVERYWHERE, *_BY_STATUS.get(status, ())]
                names += _LIMITED if is_limited else ()
                names += _OF_ROWS if "text/csv" in response.get("content", {}) else ()
                used.update(names)
                response["headers"] = {
                    name: {"$ref": f"#/components/headers/{name}"} for name in names
                }
    described["components"]["headers"] = {
        name: {"description": text, "schema": schema, "required": name in _EVERYWHERE}
        for name, (text, schema) in _HEADERS.items()
        if name in used
    }
