"""OpenTelemetry, where an address for traces is set: a span a request, and one a step."""

from __future__ import annotations

import time
from collections.abc import Callable

from fastapi import FastAPI

from trellis import __version__
from trellis.domain.errors import ServiceError
from trellis.domain.reply import Reply

Traced = Callable[[Reply], None]


def untraced(_: Reply) -> None:
    """No traces were asked for."""


def instrument(app: FastAPI, url: str) -> tuple[Traced, Callable[[], None]]:
    """Trace `app` to `url`: what tells of a reply's steps, and what sends the rest at the end."""
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
    )
    tracer = provider.get_tracer("trellis")

    def traced(reply: Reply) -> None:
        """The steps, told once they are done: one after another, the last one ending now."""
        at = time.time_ns() - sum(int(step.seconds * 1e9) for step in reply.steps)
        for step in reply.steps:
            span = tracer.start_span(step.name, start_time=at)
            at += int(step.seconds * 1e9)
            span.set_attribute("trellis.method", reply.method)
            span.end(at)

    return traced, provider.shutdown
