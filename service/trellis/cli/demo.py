"""`trellis demo`: Neo4j, the atlas graph, the service, and three questions asked of it."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, NoReturn

import httpx
import typer
from rich.console import Console
from rich.markup import escape

from trellis.cli.children import running, started
from trellis.domain.errors import ServiceError
from trellis.wiring import BUNDLED_MODEL

ATLAS = BUNDLED_MODEL.parent / "atlas"
QUESTIONS = ATLAS / "demo.jsonl"

_ANSWER_SECONDS = 60.0


def demo(
    once: Annotated[bool, typer.Option("--once", help="Stop after the three questions.")] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port of the service; 0: any free one.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Folder for the graph and the answers.")] = Path(
        "var/demo"
    ),
) -> None:
    """Start everything on the bundled atlas graph, and ask three questions."""
    signal.signal(signal.SIGTERM, _stop)
    console = Console(highlight=False)
    with ExitStack() as stack:
        address = _service(stack, console, data, _port(port, once))
        for question in _questions():
            _ask(console, address, question)
        console.print(f"Swagger UI: {address}/docs", soft_wrap=True)
        if not once:
            console.print("Serving until Ctrl-C.")
            signal.pause()


def _stop(*_: object) -> NoReturn:
    """Leave by the way of the exit stack, so that the children end first."""
    raise SystemExit(0)


def _port(port: int | None, once: bool) -> int:
    """What was asked for; else one that nobody else can have where nobody comes to look."""
    return port if port is not None else 0 if once else 8000


def _service(stack: ExitStack, console: Console, data: Path, port: int) -> str:
    """Start Neo4j, load the atlas, start the service; all end with the stack."""
    data.mkdir(parents=True, exist_ok=True)
    log = data / "demo.log"
    log.unlink(missing_ok=True)
    with console.status("starting Neo4j"):
        store = ("neo4j", "--data", str(data / "neo4j"), "--bolt-port", "0")
        bolt = stack.enter_context(started(store, os.environ, log))
    environment = _environment(bolt, data)
    _load(console, data, environment, log)
    with console.status("starting the service"):
        return stack.enter_context(started(("serve", "--port", str(port)), environment, log))


def _environment(bolt: str, data: Path) -> Mapping[str, str]:
    return {
        **os.environ,
        "TRELLIS_NEO4J_URI": bolt,
        "TRELLIS_NEO4J_PASSWORD": "",
        "TRELLIS_MODEL": str(BUNDLED_MODEL),
        "TRELLIS_STORE_URL": f"sqlite+aiosqlite:///{(data / 'trellis.db').resolve()}",
    }


def _load(console: Console, data: Path, environment: Mapping[str, str], log: Path) -> None:
    """Load the bundled graph, unless this very graph is there already."""
    stamp, wanted = data / "loaded", _fingerprint(ATLAS)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    with console.status("loading the atlas"):
        running(("load", str(ATLAS), "--replace"), environment, log)
    stamp.write_text(wanted)


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.csv*")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _questions() -> list[str]:
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines if line.strip()]


def _ask(console: Console, address: str, question: str) -> None:
    """Ask over HTTP, as any user would, and show what comes back."""
    began = time.perf_counter()
    try:
        response = httpx.post(
            f"{address}/v1/questions", json={"question": question}, timeout=_ANSWER_SECONDS
        )
    except httpx.HTTPError as error:
        raise ServiceError(f"the service did not answer: {error}", "see demo.log") from error
    body: dict[str, Any] = response.json()
    if response.is_error:
        raise ServiceError(f"{question}: {body['detail']}", body["remedy"])
    seconds = time.perf_counter() - began
    names = ", ".join(answer["name"] for answer in body["answers"]) or "not in this graph"
    console.print(f"\n[bold]{escape(question)}[/]  [dim]{seconds * 1000:.0f} ms[/]")
    console.print(f"[green]{escape(names)}[/]")
    for path in body["paths"]:
        console.print(f"  {escape(path)}", soft_wrap=True)
