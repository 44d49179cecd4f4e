"""The page at `/`, from files on the disk.

Its scripts, styles and pictures come from this service alone (`_POLICY`), no other site may show it
in a frame or read it, and what is packed travels packed.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, JSONResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trellis import page

_FOLDER = Path(page.__file__).parent
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_FOR_EVER = "public, max-age=31536000, immutable"  # of vendored files, whose names have versions


def install_page(app: FastAPI, browser_url: str = "") -> None:
    """Serve the page at `/`, and below `/page` its files and settings.

    `browser_url`: the address of Neo4j Browser, to which the page links; empty: it does not.
    """
    for suffix, media_type in ((".js", "text/javascript"), (".svg", "image/svg+xml")):
        mimetypes.add_type(media_type, suffix)  # some machines say otherwise, or nothing
    files = StaticFiles(directory=_FOLDER / "static")
    page_itself = StaticFiles(directory=_FOLDER, html=True)  # at "/" alone: `index.html`
    app.router.routes.append(Route("/", _PageHeaders(GZipMiddleware(page_itself))))
    settings = JSONResponse({"neo4j_browser": browser_url})
    app.router.routes.append(Route("/page/settings.json", _PageHeaders(settings)))
    app.router.routes.append(Mount("/page", _PageHeaders(GZipMiddleware(files))))


def respond_with_missing_page() -> FileResponse:
    """What a person's browser shows where there is nothing at an address."""
    return FileResponse(_FOLDER / "missing.html", 404, {**_HEADERS, "Cache-Control": "no-cache"})


class _PageHeaders:
    """ASGI middleware that adds the page's headers to its responses."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        keep = _FOR_EVER if "/vendor/" in scope["path"] else "no-cache"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update({**_HEADERS, "Cache-Control": keep})
            await send(message)

        await self._app(scope, receive, send_with_headers)
