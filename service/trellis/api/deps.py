"""The dependencies of routes, as annotated types."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from trellis.access.callers import Caller
from trellis.access.guard import Guard
from trellis.access.spending import SecondsBudget
from trellis.api.graph_paths import get_named_graph
from trellis.api.served import Desk as Desk
from trellis.api.served import ServedGraph, ServedGraphs
from trellis.house.house import House


def _get_graphs(request: Request) -> ServedGraphs:
    return cast(ServedGraphs, request.app.state.graphs)


def _find_graph(request: Request) -> ServedGraph:
    """The graph that a request is about; UnknownGraphError where it is not served."""
    return _get_graphs(request).require(get_named_graph(request.scope))


def _find_house(request: Request) -> House:
    return _find_graph(request).house


def _find_desk(request: Request) -> Desk:
    return _find_graph(request).desk


def _get_caller(request: Request) -> Caller:
    return cast(Caller, request.state.caller)


def _get_spending(request: Request) -> SecondsBudget:
    return cast(Guard, request.app.state.guard).spending


CallerDep = Annotated[Caller, Depends(_get_caller)]
SpendingDep = Annotated[SecondsBudget, Depends(_get_spending)]
HouseDep = Annotated[House, Depends(_find_house)]
DeskDep = Annotated[Desk, Depends(_find_desk)]
GraphsDep = Annotated[ServedGraphs, Depends(_get_graphs)]
