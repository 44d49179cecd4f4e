"""What routes are given, as annotated types."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from trellis.api.metrics import Metrics
from trellis.settings import Settings
from trellis.wiring import House


def _house(request: Request) -> House:
    return cast(House, request.app.state.house)


def _metrics(request: Request) -> Metrics:
    return cast(Metrics, request.app.state.metrics)


def _settings(house: Annotated[House, Depends(_house)]) -> Settings:
    return house.settings


HouseDep = Annotated[House, Depends(_house)]
MetricsDep = Annotated[Metrics, Depends(_metrics)]
SettingsDep = Annotated[Settings, Depends(_settings)]
