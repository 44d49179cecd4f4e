"""Pages of other origins that may ask the service, where a setting names them (CORS)."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from trellis.domain.errors import ServiceError
from trellis.settings import Settings

_ANY = "*"
_SENT = ("Authorization", "Content-Type", "X-Request-ID", "Trellis-Timeout")
_SHOWN = (
    *("X-Request-ID", "Retry-After", "RateLimit", "RateLimit-Policy", "WWW-Authenticate"),
    *("Trellis-Answer", "Trellis-Abstained", "Trellis-Total", "Content-Disposition"),
)


def allow_other_origins(app: FastAPI, settings: Settings) -> None:
    """Let pages of the origins that the settings name ask, without cookies.

    ServiceError where any origin may ask and nobody is asked for a key: each site that somebody
    visits could ask in that person's place.
    """
    origins = settings.cors_origin_list
    if not origins:
        return
    if _ANY in origins and not settings.require_keys:
        raise ServiceError(
            "pages of any origin may not ask where nobody is asked for a key",
            "name the origins in TRELLIS_CORS_ORIGINS, or set TRELLIS_REQUIRE_KEYS",
        )
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["GET", "HEAD", "POST", "DELETE"],
        allow_headers=_SENT,
        expose_headers=_SHOWN,
    )
