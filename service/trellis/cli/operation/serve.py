"""`trellis serve`: the HTTP service, in the foreground until it is stopped."""

from __future__ import annotations

import ipaddress
import logging
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer
import uvicorn
from uvicorn.importer import import_from_string

from trellis.cli.options import ModelOption
from trellis.domain.errors import ServiceError
from trellis.graphs_file import list_graph_settings
from trellis.http.connections import PromptProtocol, allow_many_connections, notice_lost_peers
from trellis.logs import configure_logging
from trellis.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

_GRACE_SECONDS = 10
_LOOPBACK = "127.0.0.1"


class _Server(uvicorn.Server):
    """Says when it listens, in one line on stdout."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            print(f"ready http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: any free one.")] = 8000,
    model: ModelOption = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Ask nobody for a key, wherever it listens.")
    ] = False,
) -> None:
    """Serve the HTTP interface; prints `ready http://…` when it listens.

    On loopback nobody is asked for a key unless TRELLIS_REQUIRE_KEYS is set; elsewhere all are,
    unless TRELLIS_PUBLISHED_ON_LOOPBACK says that only this machine reaches it.
    """
    if model is not None:
        # where the app's settings come from; a model that is named goes before one elsewhere
        os.environ.update(TRELLIS_MODEL=str(model), TRELLIS_DECODER_URL="", TRELLIS_WORKER_URL="")
    settings = Settings()
    configure_logging(settings)
    list_graph_settings(settings)  # what is wrong with the file of graphs is said before the start
    bound = bind_socket(host, port)
    address = bound.getsockname()[0]
    if settings.published_on_loopback:
        address = host = _LOOPBACK
    is_required = decide_on_keys(address, settings.require_keys, insecure)
    os.environ["TRELLIS_REQUIRE_KEYS"] = str(is_required).lower()
    os.environ["TRELLIS_ALLOWED_HOSTS"] = settings.allowed_hosts or list_own_hosts(
        address, host, is_key_required=is_required
    )
    allow_many_connections()
    app = _create_app()
    config = uvicorn.Config(
        app,
        http=PromptProtocol,
        log_config=None,  # ours
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    for stop in (signal.SIGINT, signal.SIGTERM):  # uvicorn raises them again once it has ended
        signal.signal(stop, lambda *_: None)
    server = _Server(config)
    with suppress(SystemExit):  # of a start that failed
        server.run([bound])
    if not server.started:
        raise app.state.failure or ServiceError("it did not start", "the lines above say why")


def _create_app() -> FastAPI:
    """The app; what keeps it from starting is said once, as commands say their errors."""
    app: FastAPI = import_from_string("trellis.api.app:create_app")()
    logging.getLogger("uvicorn.error").addFilter(lambda _: app.state.failure is None)
    return app


def decide_on_keys(address: str, is_wanted: bool, insecure: bool) -> bool:
    """Whether the service that listens on an IP address asks for keys; says aloud where it should.

    `is_wanted`: the setting. A usage error where that and `insecure` contradict each other.
    """
    if insecure and is_wanted:
        raise typer.BadParameter("TRELLIS_REQUIRE_KEYS is set", param_hint="--insecure")
    is_loopback = ipaddress.ip_address(address.partition("%")[0]).is_loopback
    if insecure and not is_loopback:
        print(
            f"trellis: INSECURE: whoever reaches {address} may ask, run queries that read, and see "
            "all answers; nobody is asked for a key",
            file=sys.stderr,
            flush=True,
        )
    return is_wanted or not (is_loopback or insecure)


def list_own_hosts(address: str, host: str, *, is_key_required: bool) -> str:
    """The names that a service on loopback goes by, comma-separated, where it asks for no key;
    elsewhere it goes by any, as keys protect it or nothing was to."""
    if is_key_required or not ipaddress.ip_address(address.partition("%")[0]).is_loopback:
        return ""
    own = f"[{host}]" if ":" in host else host
    return ",".join(dict.fromkeys(("localhost", "127.0.0.1", "[::1]", own.lower())))


def bind_socket(host: str, port: int) -> socket.socket:
    """A bound socket, so that a port that is taken is found before anything is loaded."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.socket(family)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else small answers wait 40 ms
        notice_lost_peers(bound)
        bound.bind((host, port))
    except OSError as error:
        problem = f"cannot listen on {host}:{port}: {error.strerror or error}"
        raise ServiceError(problem, "stop what uses it, or choose another with --port") from error
    bound.set_inheritable(True)
    return bound
