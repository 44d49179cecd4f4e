"""The service as one ASGI app."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline

from trellis import __version__
from trellis.access.guard import Guard
from trellis.api import (
    answers,
    claims,
    cypher,
    health,
    links,
    methods,
    metrics,
    patterns,
    questions,
    retrieve,
    schema,
    traces,
)
from trellis.api.access import AccessMiddleware
from trellis.api.deps import Desk
from trellis.api.limits import BodyLimit
from trellis.api.openapi import describe_app
from trellis.api.page import install_page
from trellis.api.problems import install_error_handlers
from trellis.api.readiness import prepare_house
from trellis.api.requests import RequestMiddleware
from trellis.api.telemetry import instrument_app
from trellis.domain.errors import BusyError, StoreError
from trellis.house.house import House
from trellis.http.turns import Turns
from trellis.logs import log
from trellis.settings import Settings
from trellis.wiring import assemble_house, open_guard

ROUTERS = (
    *(questions, claims, links, retrieve, patterns, traces, cypher, schema),
    *(answers, methods, health, metrics),
)

ABOUT = (
    "Questions in plain language over a Neo4j graph; every answer carries the facts it stands on. "
    "Errors are `application/problem+json` and say what to do."
)

OpenHouse = Callable[[Settings], AbstractAsyncContextManager[House]]


def create_app(settings: Settings | None = None, open_house: OpenHouse = assemble_house) -> FastAPI:
    """The service; the house is opened when it starts and closed when it ends."""
    settings = settings or Settings()
    desk = _create_desk(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_house(settings) as opened, open_guard(settings) as guard:
            app.state.house, app.state.guard = opened, guard
            desk.metrics.show_models(opened.models.memory)
            desk.metrics.show_sites(opened.site_figures)
            desk.metrics.show_workers(opened.worker_figures)
            if opened.trie_figures:
                desk.metrics.show_tries(opened.trie_figures)
            async with prepare_house(opened) as readiness:
                app.state.readiness = readiness
                await _warn_without_keys(guard)
                yield
            flush()

    app: FastAPI = FastAPIOffline(
        title="Trellis", version=__version__, description=ABOUT, lifespan=lifespan
    )
    app.state.desk = desk
    app.add_middleware(BodyLimit, limit=settings.body_limit)
    app.add_middleware(AccessMiddleware)
    app.add_middleware(RequestMiddleware, metrics=desk.metrics)
    install_error_handlers(app)
    for module in ROUTERS:
        app.include_router(module.router)
    install_page(app)
    describe_app(app, settings)
    flush = _install_tracing(app, desk, settings)
    return app


async def _warn_without_keys(guard: Guard) -> None:
    """Say that nobody can ask yet, where a key is asked for and there is none."""
    with suppress(StoreError):  # readiness reports it
        if not await guard.can_anybody_ask():
            log.warning(
                "a key is asked for, and there is none: `trellis keys create NAME` makes one"
            )


def _create_desk(settings: Settings) -> Desk:
    turns = Turns(settings.concurrency, settings.waiting, _build_refusal)
    desk = Desk(turns, metrics.Metrics())
    desk.metrics.show_turns(desk.turns)
    return desk


def _build_refusal(running: int, waiting: int) -> BusyError:
    return BusyError(
        f"{running} questions are being answered and {waiting} wait",
        "try again in a moment, or raise TRELLIS_CONCURRENCY or TRELLIS_WAITING",
    )


def _install_tracing(app: FastAPI, desk: Desk, settings: Settings) -> Callable[[], None]:
    """Trace the app if the settings give an address for traces; returns what sends the last."""
    if not settings.otlp_url:
        return lambda: None
    desk.trace_reply, flush = instrument_app(app, settings.otlp_url)
    return flush
