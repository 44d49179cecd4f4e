"""The service as one ASGI app."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from fastapi import Depends, FastAPI
from fastapi_offline import FastAPIOffline
from starlette.routing import Route

from trellis import __version__
from trellis.access.guard import Guard
from trellis.api.access import AccessMiddleware
from trellis.api.chats import chat
from trellis.api.deps import take_deadline
from trellis.api.description.openapi import describe_app
from trellis.api.graph_paths import GraphPaths
from trellis.api.middleware.bodies import (
    BODY_SECONDS,
    BodyLimit,
    RefuseTwoLengths,
    require_json_body,
)
from trellis.api.middleware.cross_origin import allow_other_origins
from trellis.api.middleware.problems import install_error_handlers
from trellis.api.middleware.requests import RequestMiddleware
from trellis.api.middleware.verbs import HeadAsGet
from trellis.api.operation import health, metrics, scraping
from trellis.api.operation.aging import delete_while_running
from trellis.api.operation.telemetry import ReplyTracer, instrument_app, skip_tracing
from trellis.api.page import install_page
from trellis.api.routes import (
    agents,
    answers,
    claims,
    cypher,
    graphs,
    links,
    methods,
    names,
    questions,
    retrieve,
    schema,
)
from trellis.api.served import OpenApp, open_graphs
from trellis.domain.errors import StoreError, TrellisError
from trellis.graphs_file import list_graph_settings
from trellis.logs import log
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app, open_guard

ROUTERS = (
    *(questions, claims, links, names, retrieve, cypher, schema),
    *(answers, methods, graphs, chat, health, scraping),
)
WORKING = frozenset((questions, claims, links, retrieve, cypher))
"""Those all of whose routes take a turn, and end at their client's deadline."""

ABOUT = (
    "Questions in plain language over a Neo4j graph; every answer carries the facts it stands on. "
    "Errors are `application/problem+json` and say what to do."
)


def create_app(settings: Settings | None = None, open_app: OpenApp = assemble_app) -> FastAPI:
    """The service; its graphs' apps are opened when it starts and closed when it ends."""
    settings = settings or Settings()
    chosen = list_graph_settings(settings)
    figures = metrics.Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            _keep_failure(app),
            open_graphs(chosen, open_app, figures, trace_reply) as served,
            open_guard(settings) as guard,
            delete_while_running(settings),
            endpoint.keep_running(),
        ):
            app.state.graphs, app.state.guard = served, guard
            figures.show_stores(
                lambda: [*(it.trellis_app.store.health for it in served), guard.audit.health]
            )
            await _warn_without_keys(guard)
            yield
            flush()

    app: FastAPI = FastAPIOffline(
        title="Trellis",
        version=__version__,
        description=ABOUT,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        servers=[{"url": "/", "description": "Where this description comes from"}],
        lifespan=lifespan,
        dependencies=[Depends(require_json_body)],
    )
    app.state.metrics, app.state.failure = figures, None
    endpoint = agents.AgentEndpoint(app, settings)
    app.add_middleware(HeadAsGet)
    app.add_middleware(BodyLimit, limit=settings.body_limit, seconds=BODY_SECONDS)
    app.add_middleware(AccessMiddleware)
    app.add_middleware(GraphPaths)
    app.add_middleware(RefuseTwoLengths)
    allow_other_origins(app, settings)
    app.add_middleware(RequestMiddleware, metrics=figures)
    install_error_handlers(app)
    for module in ROUTERS:
        dependencies = [Depends(take_deadline)] if module in WORKING else []
        app.include_router(module.router, dependencies=dependencies)
    if settings.mcp:
        verbs = ["GET", "POST", "DELETE"]
        app.router.routes += [Route(path, endpoint, methods=verbs) for path in agents.PATHS]
    install_page(app, settings.neo4j_browser_url)
    describe_app(app, next(iter(chosen.values())))
    trace_reply, flush = _install_tracing(app, settings)
    return app


@asynccontextmanager
async def _keep_failure(app: FastAPI) -> AsyncIterator[None]:
    """Keep the error that ends the app, for whoever started it."""
    try:
        yield
    except TrellisError as error:
        app.state.failure = error
        raise


async def _warn_without_keys(guard: Guard) -> None:
    """Say that nobody can ask yet, where a key is asked for and there is none."""
    with suppress(StoreError):  # readiness reports it
        if not await guard.can_anybody_ask():
            log.warning(
                "a key is asked for, and there is none: `trellis keys create NAME` makes one"
            )


def _install_tracing(app: FastAPI, settings: Settings) -> tuple[ReplyTracer, Callable[[], None]]:
    """Trace the app if the settings give an address for traces.

    Returns what traces a reply, and what sends the last traces.
    """
    if not settings.otlp_url:
        return skip_tracing, lambda: None
    return instrument_app(app, settings.otlp_url)
