"""`trellis demo`: Neo4j, the atlas graph, the service, and five questions asked of it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_delay, wait_fixed

from trellis.cli.operation.children import end_children_on_signals, run_command, start_command
from trellis.cli.terminal import Terminal
from trellis.client import Client
from trellis.domain.errors import NotReadyError
from trellis.settings import BUNDLED_GRAPH, BUNDLED_MODEL, DEFAULT_GRAPH
from trellis.wire.bodies import ReplyBody

QUESTIONS = BUNDLED_GRAPH / "demo.jsonl"

_READY_SECONDS = 180

_STEPS = 4
_TICK_SECONDS = 15.0  # after which a step is told to go on


def demo(
    once: Annotated[bool, typer.Option("--once", help="Stop after the five questions.")] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port of the service; 0: any free one.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Folder for the graph and the answers.")] = Path(
        "var/demo"
    ),
) -> None:
    """Start everything on the bundled atlas graph, and ask five questions."""
    end_children_on_signals(exit_status=0)
    console = Terminal(highlight=False)
    steps, began = StepPrinter(console), time.monotonic()
    with ExitStack() as stack:
        address = _start_service(stack, steps, data, _choose_port(port, once))
        console.print(f"ready for questions after {format_elapsed(began)}")
        asyncio.run(_ask_questions(console, address))
        console.print(f"the page: {address}/   Swagger UI: {address}/docs", soft_wrap=True)
        if not once:
            console.print("Serving until Ctrl-C.")
            signal.pause()


def _choose_port(port: int | None, once: bool) -> int:
    """What was asked for; else one that nobody else can have where nobody comes to look."""
    return port if port is not None else 0 if once else 8000


def _start_service(stack: ExitStack, steps: StepPrinter, data: Path, port: int) -> str:
    """Start Neo4j and the service side by side, load the atlas; both end with the stack.

    Gives the service's address once it is warmed up.
    """
    data.mkdir(parents=True, exist_ok=True)
    bolt_port = _find_free_port()
    environment = _build_environment(bolt_port, data)
    at = ("--quick-start", "--data", str(data / "neo4j"), "--bolt-port", str(bolt_port))
    neo4j = stack.enter_context(start_command(("neo4j", *at), environment, data))
    service = stack.enter_context(start_command(("serve", "--port", str(port)), environment, data))
    with steps.print_step("start Neo4j"):
        neo4j.wait_for_address()
    _load_atlas(steps, data, environment)
    with steps.print_step("start the service, load the models"):
        address = service.wait_for_address()
    with steps.print_step("warm up for questions"):
        asyncio.run(_wait_until_ready(address))
    return address


async def _wait_until_ready(address: str) -> None:
    """Return when the service is ready; NotReadyError where it is not after some minutes."""
    waiting = AsyncRetrying(
        retry=retry_if_exception_type(NotReadyError),
        wait=wait_fixed(0.2),
        stop=stop_after_delay(_READY_SECONDS),
        reraise=True,
    )
    async with Client(address, attempts=1) as client:
        await waiting(client.check_health)


def _find_free_port() -> int:
    """A port that both may be told before either listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _build_environment(bolt_port: int, data: Path) -> Mapping[str, str]:
    return {
        **os.environ,
        "TRELLIS_NEO4J_URI": f"bolt://127.0.0.1:{bolt_port}",
        "TRELLIS_NEO4J_PASSWORD": "",
        "TRELLIS_GRAPHS_FILE": "",
        "TRELLIS_GRAPH": DEFAULT_GRAPH,
        "TRELLIS_REQUIRE_KEYS": "false",
        "TRELLIS_MODEL": str(BUNDLED_MODEL),
        "TRELLIS_STORE_URL": f"sqlite+aiosqlite:///{(data / 'trellis.db').resolve()}",
    }


def _load_atlas(steps: StepPrinter, data: Path, environment: Mapping[str, str]) -> None:
    """Load the bundled graph, unless this very graph is there already."""
    stamp, wanted, title = data / "loaded", _hash_atlas(), "load and index the atlas"
    if stamp.is_file() and stamp.read_text() == wanted:
        steps.skip_step(title)
        return
    with steps.print_step(title):
        run_command(("load", str(BUNDLED_GRAPH), "--replace"), environment, data)
    stamp.write_text(wanted)


def _hash_atlas() -> str:
    digest = hashlib.sha256()
    for file in sorted(BUNDLED_GRAPH.glob("*.csv*")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def read_demo_questions() -> list[str]:
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines if line.strip()]


async def _ask_questions(console: Console, address: str) -> None:
    """Ask over HTTP, as any user would, and show what comes back."""
    async with Client(address) as client:
        for question in read_demo_questions():
            began = time.perf_counter()
            answer = await client.ask(question)
            _show_answer(console, answer, time.perf_counter() - began)


def _show_answer(console: Console, answer: ReplyBody, seconds: float) -> None:
    question = f"[bold]{escape(answer.question)}[/]  [dim]{seconds:.2f} s[/]"
    console.print()
    console.print(question, soft_wrap=True)
    if answer.reading:
        console.print(f"[dim]understood as: {escape(answer.reading)}[/]", soft_wrap=True)
    names = ", ".join(one.name for one in answer.answers) or "not in this graph"
    console.print(f"[green]{escape(names)}[/]", soft_wrap=True)
    for path in answer.paths:
        console.print(f"  {escape(path)}", soft_wrap=True)


class StepPrinter:
    """Numbered steps, written as `deploy/step` writes them: for terminals and for logs."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._number = 0

    @contextmanager
    def print_step(self, title: str) -> Iterator[None]:
        """Tell how long what is done inside takes; a failure is left to who raises it."""
        self._number += 1
        began, ended = time.monotonic(), Event()
        self._print_state(title, " …")
        ticker = Thread(target=self._print_while_running, args=(title, began, ended), daemon=True)
        ticker.start()
        try:
            yield
        finally:
            ended.set()
            ticker.join()
        self._print_state(title, f": done in {format_elapsed(began)}")

    def skip_step(self, title: str) -> None:
        self._number += 1
        self._print_state(title, ": there already")

    def _print_while_running(self, title: str, began: float, ended: Event) -> None:
        while not ended.wait(_TICK_SECONDS):
            self._print_state(title, f": {format_elapsed(began)} so far")

    def _print_state(self, title: str, state: str) -> None:
        line = f"demo {self._number}/{_STEPS}  {title}{state}"
        self._console.print(escape(line), soft_wrap=True)


def format_elapsed(began: float) -> str:
    """The time since `began` on the monotonic clock, in whole seconds."""
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
