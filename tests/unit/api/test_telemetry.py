"""OpenTelemetry, sent to a real collector of two lines."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from memory_app import MemoryGraph, served
from trellis.access.tokens import KeyToken


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
