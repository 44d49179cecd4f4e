"""The dependencies of routes, as annotated types."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Header, Request
from pydantic import Field, WithJsonSchema

from trellis.access.callers import Caller
from trellis.access.guard import Guard
from trellis.access.spending import SecondsBudget
from trellis.api.graph_paths import get_named_graph
from trellis.api.served import GraphRuntime as GraphRuntime
from trellis.api.served import ServedGraph, ServedGraphs
from trellis.app.trellis_app import TrellisApp
from trellis.domain.limits.budget import set_deadline


def _get_graphs(request: Request) -> ServedGraphs:
    return cast(ServedGraphs, request.app.state.graphs)


def _find_graph(request: Request) -> ServedGraph:
    """The graph that a request is about; UnknownGraphError where it is not served."""
    return _get_graphs(request).require(get_named_graph(request.scope))


def _find_app(request: Request) -> TrellisApp:
    return _find_graph(request).trellis_app


def _find_runtime(request: Request) -> GraphRuntime:
    return _find_graph(request).runtime


def _get_caller(request: Request) -> Caller:
    return cast(Caller, request.state.caller)


def _get_spending(request: Request) -> SecondsBudget:
    return cast(Guard, request.app.state.guard).spending


_Timeout = Annotated[
    Annotated[float, Field(ge=0.1, le=3_600)] | None,
    Header(
        alias="Trellis-Timeout",
        description="Seconds after which nobody waits any more: all work for the request ends "
        "then, in a 504. Limits of the service still hold.",
    ),
    WithJsonSchema({"type": "number", "minimum": 0.1, "maximum": 3_600}),  # a header is never null
]


async def take_deadline(seconds: _Timeout = None) -> None:
    """Have the work for a request end when its client says that it no longer waits."""
    if seconds is not None:
        set_deadline(seconds)


CallerDep = Annotated[Caller, Depends(_get_caller)]
SpendingDep = Annotated[SecondsBudget, Depends(_get_spending)]
AppDep = Annotated[TrellisApp, Depends(_find_app)]
RuntimeDep = Annotated[GraphRuntime, Depends(_find_runtime)]
GraphsDep = Annotated[ServedGraphs, Depends(_get_graphs)]
