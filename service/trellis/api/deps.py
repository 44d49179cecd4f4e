"""The dependencies of routes, as annotated types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from trellis.access.callers import Caller
from trellis.api.metrics import Metrics
from trellis.api.readiness import Readiness
from trellis.api.telemetry import ReplyTracer, skip_tracing
from trellis.house.house import House
from trellis.http.turns import Turns


@dataclass(slots=True)
class Desk:
    """What a running app holds beside its house: turns, metrics and tracing."""

    turns: Turns
    metrics: Metrics
    trace_reply: ReplyTracer = skip_tracing


def _get_house(request: Request) -> House:
    return cast(House, request.app.state.house)


def _get_desk(request: Request) -> Desk:
    return cast(Desk, request.app.state.desk)


def _get_readiness(request: Request) -> Readiness:
    return cast(Readiness, request.app.state.readiness)


def _get_caller(request: Request) -> Caller:
    return cast(Caller, request.state.caller)


CallerDep = Annotated[Caller, Depends(_get_caller)]
HouseDep = Annotated[House, Depends(_get_house)]
DeskDep = Annotated[Desk, Depends(_get_desk)]
ReadinessDep = Annotated[Readiness, Depends(_get_readiness)]
