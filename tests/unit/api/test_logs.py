"""Request ids, logs and traces: every line says whose it is, and none what was asked."""

from __future__ import annotations

import io
import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from memory_app import MemoryGraph, WordModel, served
from trellis.access.tokens import KeyToken
from trellis.logs import configure_logging
from trellis.settings import Settings
from unit.api.asking import ASKED, EVENTS, QUESTION


@pytest.fixture
def restored() -> Iterator[None]:
    """The root logger as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def logged(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def logging_to(out: io.StringIO, **settings: Any) -> None:
    configure_logging(Settings(log_format="json", **settings, _env_file=None), out)


@pytest.mark.parametrize("given", ["abc-123", "0af7651916cd43dd:8448eb211c80319c"])
async def test_a_sane_request_id_is_taken_over(client: httpx.AsyncClient, given: str) -> None:
    response = await client.get("/v1/answers/none", headers={"X-Request-ID": given})
    assert response.headers["X-Request-ID"] == given
    assert response.json()["request_id"] == given


@pytest.mark.parametrize("given", [b"", b"a" * 200, b"two words", b"\xff", b'{"a":1}'])
async def test_any_other_is_replaced(client: httpx.AsyncClient, given: bytes) -> None:
    ids = [
        (await client.get("/livez", headers=[(b"X-Request-ID", given)])).headers["X-Request-ID"]
        for _ in range(2)
    ]
    assert all(len(one) == 32 and one.isalnum() for one in ids)
    assert ids[0] != ids[1]


@pytest.mark.usefixtures("restored")
async def test_each_line_of_a_request_has_its_id(client: httpx.AsyncClient) -> None:
    logging_to(out := io.StringIO())
    for headers in (
        {"X-Request-ID": "one"},
        {"X-Request-ID": "two", **EVENTS},
    ):
        await client.post("/v1/questions", json=ASKED, headers=headers)
    await client.post("/v1/links", json={"question": "?"}, headers={"X-Request-ID": "three"})
    lines = [line for line in logged(out) if line["logger"] == "trellis.api"]
    told = [(line["request_id"], line["event"]) for line in lines]
    assert told == [
        ("one", "question"),
        ("one", "request"),
        ("two", "question"),
        ("two", "request"),
        ("three", "request"),
    ]
    assert lines[0]["answers"] == 1
    steps = {"link", "retrieve", "decode", "weigh", "ground", "reason", "verify"}
    assert set(lines[0]["ms"]) == steps
    assert (lines[-1]["status"], lines[-1]["path"]) == (422, "/v1/links")


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("shown", [False, True])
async def test_what_was_asked_is_private_even_where_something_breaks(
    tmp_path: Path, graph: MemoryGraph, shown: bool
) -> None:
    class Breaking(WordModel):
        async def decode(self, *_: object) -> Any:
            raise KeyError(QUESTION)

    logging_to(out := io.StringIO(), log_questions=shown, log_level="debug")
    async with served(tmp_path, graph, Breaking) as client:
        failed = await client.post("/v1/questions", json=ASKED)
        await client.post("/v1/questions", json={"question": QUESTION, "topics": ["Atlantis"]})
        await client.post("/v1/links", json={"question": "Is Atlantis France?"})
    text = out.getvalue()
    assert (QUESTION in text) is shown
    assert shown or "Atlantis" not in text
    broken = next(line for line in logged(out) if line["event"] == "unhandled")
    assert "KeyError" in broken["exception"]
    assert broken["request_id"] == failed.json()["request_id"] == failed.headers["X-Request-ID"]


@pytest.mark.usefixtures("restored")
async def test_a_console_gets_readable_lines(tmp_path: Path, graph: MemoryGraph) -> None:
    configure_logging(Settings(_env_file=None), out := io.StringIO())
    async with served(tmp_path, graph, WordModel) as client:
        await client.get("/v1/methods", headers={"X-Request-ID": "abc"})
    line = next(line for line in out.getvalue().splitlines() if "request" in line)
    assert "path=/v1/methods" in line
    assert "request_id=abc" in line


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("form", ["json", "console"])
def test_a_name_in_a_log_line_neither_acts_nor_begins_a_line(form: str) -> None:
    out = io.StringIO()
    configure_logging(Settings(log_format=form, _env_file=None), out)
    name = "Kenya\x1b[31m\x9b\u202e\n2026-01-01 [info] all is well"
    logging.getLogger("trellis.graph").warning("no node is called %s", name)
    try:
        raise ValueError(name)
    except ValueError:
        logging.getLogger("trellis.graph").exception(name)
    said = out.getvalue()
    assert not {*"\x1b\x9b\u202e"} & set(said)
    warning = said.splitlines()[0]
    assert "all is well" in warning
    if form == "json":
        assert json.loads(warning)["event"] == f"no node is called {name}"


@contextmanager
def collector() -> Iterator[tuple[str, list[ExportTraceServiceRequest]]]:
    """Where traces go, and those that came."""
    came: list[ExportTraceServiceRequest] = []

    class Collecting(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            came.append(ExportTraceServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Collecting) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/traces", came
        server.shutdown()
        thread.join()


@pytest.mark.slow
async def test_a_question_is_a_span_with_one_for_each_step(tmp_path: Path) -> None:
    with collector() as (url, came):
        async with served(tmp_path, MemoryGraph(), otlp_url=url) as client:
            await client.post("/v1/questions", json={"question": "The capital of France?"})
            await client.get("/livez")
    spans = {
        span.name: span
        for request in came
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    }
    whole = spans.pop("POST /v1/questions")
    assert set(spans) == {"link", "retrieve", "decode", "weigh", "ground", "reason", "verify"}
    for step in spans.values():
        assert step.parent_span_id == whole.span_id
        assert whole.start_time_unix_nano <= step.end_time_unix_nano <= whole.end_time_unix_nano


async def test_a_key_in_the_address_is_in_no_span(tmp_path: Path) -> None:
    token = str(KeyToken.create())
    with collector() as (url, came):
        async with served(tmp_path, MemoryGraph(), otlp_url=url) as client:
            assert (await client.get(f"/v1/answers?x={token}")).status_code == 400
    assert came
    assert token not in str(came)
