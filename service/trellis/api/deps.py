"""The dependencies of routes, as annotated types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from trellis.api.metrics import Metrics
from trellis.api.readiness import Readiness
from trellis.api.telemetry import Traced, untraced
from trellis.api.work import Turns
from trellis.house.house import House


@dataclass(slots=True)
class Desk:
    """What a running app holds beside its house: turns, metrics and tracing."""

    turns: Turns
    metrics: Metrics
    traced: Traced = untraced


def _house(request: Request) -> House:
    return cast(House, request.app.state.house)


def _desk(request: Request) -> Desk:
    return cast(Desk, request.app.state.desk)


def _readiness(request: Request) -> Readiness:
    return cast(Readiness, request.app.state.readiness)


HouseDep = Annotated[House, Depends(_house)]
DeskDep = Annotated[Desk, Depends(_desk)]
ReadinessDep = Annotated[Readiness, Depends(_readiness)]
