"""`trellis demo`: Neo4j, the atlas graph, the service, and three questions asked of it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import socket
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from trellis.cli.children import run, started
from trellis.client import Client
from trellis.settings import BUNDLED_MODEL
from trellis.wire.bodies import Answered

ATLAS = BUNDLED_MODEL.parent / "atlas"
QUESTIONS = ATLAS / "demo.jsonl"


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
        asyncio.run(_ask(console, address))
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
    """Start Neo4j and the service side by side, load the atlas; both end with the stack."""
    data.mkdir(parents=True, exist_ok=True)
    bolt_port = _free_port()
    environment = _environment(bolt_port, data)
    with console.status("starting Neo4j and the service"):
        at = ("--data", str(data / "neo4j"), "--bolt-port", str(bolt_port))
        neo4j = stack.enter_context(started(("neo4j", *at), environment, data))
        service = stack.enter_context(started(("serve", "--port", str(port)), environment, data))
        neo4j.address()
    _load(console, data, environment)
    return service.address()


def _free_port() -> int:
    """A port that both may be told before either listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment(bolt_port: int, data: Path) -> Mapping[str, str]:
    return {
        **os.environ,
        "TRELLIS_NEO4J_URI": f"bolt://127.0.0.1:{bolt_port}",
        "TRELLIS_NEO4J_PASSWORD": "",
        "TRELLIS_MODEL": str(BUNDLED_MODEL),
        "TRELLIS_STORE_URL": f"sqlite+aiosqlite:///{(data / 'trellis.db').resolve()}",
    }


def _load(console: Console, data: Path, environment: Mapping[str, str]) -> None:
    """Load the bundled graph, unless this very graph is there already."""
    stamp, wanted = data / "loaded", _fingerprint(ATLAS)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    with console.status("loading the atlas"):
        run(("load", str(ATLAS), "--replace"), environment, data)
    stamp.write_text(wanted)


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.csv*")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def questions() -> list[str]:
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines if line.strip()]


async def _ask(console: Console, address: str) -> None:
    """Ask over HTTP, as any user would, and show what comes back."""
    async with Client(address) as client:
        for question in questions():
            began = time.perf_counter()
            answer = await client.ask(question)
            _show(console, answer, time.perf_counter() - began)


def _show(console: Console, answer: Answered, seconds: float) -> None:
    asked = f"[bold]{escape(answer.question)}[/]  [dim]{seconds * 1000:.0f} ms[/]"
    console.print(f"\n{asked}", soft_wrap=True)
    names = ", ".join(one.name for one in answer.answers) or "not in this graph"
    console.print(f"[green]{escape(names)}[/]", soft_wrap=True)
    for path in answer.paths:
        console.print(f"  {escape(path)}", soft_wrap=True)
