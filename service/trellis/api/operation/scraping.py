"""`/metrics`: the figures of the service, or of the graphs that a key is bound to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import Metric

from trellis.api.deps import CallerDep, GraphsDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.api.operation.metrics import Metrics


class _SummedFigures:
    """The figures of several graphs as one; a registry as far as it is written out."""

    def __init__(self, registries: Sequence[CollectorRegistry]) -> None:
        self._registries = registries

    def collect(self) -> Iterator[Metric]:
        families: dict[str, Metric] = {}
        sums: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
        for family in (each for registry in self._registries for each in registry.collect()):
            families.setdefault(family.name, family)
            known = sums.setdefault(family.name, {})
            for sample in family.samples:
                key = sample.name, tuple(sample.labels.items())
                stamp = sample.name.endswith("_created")
                known[key] = sample.value if stamp else known.get(key, 0.0) + sample.value
        for name, family in families.items():
            summed = Metric(name, family.documentation, family.type)
            for (sample_name, labels), value in sums[name].items():
                summed.add_sample(sample_name, dict(labels), value)
            yield summed


router = APIRouter(tags=["operation"])


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    operation_id="read_metrics",
    summary="Figures for Prometheus",
    responses={**document_errors(), 200: examples.METRICS},
)
def metrics(request: Request, served: GraphsDep, caller: CallerDep) -> Response:
    """The figures of the whole service; a key of some graphs gets theirs alone, added up."""
    exposed: Metrics = request.app.state.metrics
    registry: Any = exposed.registry
    if caller.graphs:
        its = [graph.runtime.metrics.registry for graph in served.list_open_to(caller)]
        registry = _SummedFigures(its)
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
