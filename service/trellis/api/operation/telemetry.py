"""OpenTelemetry traces, if an address is set: a span for each request and each step."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.types import Scope

from trellis import __version__
from trellis.domain.errors import ServiceError
from trellis.domain.replies.reply import Reply

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_ADDRESSES = ("http.url", "http.target", "url.query", "url.full")  # in the conventions, old and new

ReplyTracer = Callable[[Reply], None]


def skip_tracing(_: Reply) -> None:
    """Trace nothing: no address for traces is set."""


def instrument_app(app: FastAPI, url: str) -> tuple[ReplyTracer, Callable[[], None]]:
    """Send traces of `app` to `url`.

    Returns a function that traces a reply's steps, and one that sends the last traces at the end.
    ServiceError if OpenTelemetry is not installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.fastapi import FastAPIInstrumentor
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ServiceError(
            f"TRELLIS_OTLP_URL is set, and {error.name} is not installed",
            "pip install 'trellis[telemetry]'",
        ) from error
    about = Resource.create({"service.name": "trellis", "service.version": __version__})
    provider = TracerProvider(resource=about)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url)))
    FastAPIInstrumentor.instrument_app(
        app,
        tracer_provider=provider,
        excluded_urls="livez,readyz,metrics",
        exclude_spans=["receive", "send"],
        server_request_hook=_strike_query,
    )
    tracer = provider.get_tracer("trellis")

    def trace_reply(reply: Reply) -> None:
        """Record the finished steps as spans, one after another; the last one ends now."""
        at = time.time_ns() - sum(int(step.seconds * 1e9) for step in reply.steps)
        for step in reply.steps:
            span = tracer.start_span(step.name, start_time=at)
            at += int(step.seconds * 1e9)
            span.set_attribute("trellis.method", reply.method)
            span.end(at)

    return trace_reply, provider.shutdown


def _strike_query(span: Span, scope: Scope) -> None:
    """Keep the query string, in which somebody may have put a key, out of a request's span."""
    if scope.get("query_string"):
        for name in _ADDRESSES:
            span.set_attribute(name, scope["path"])
