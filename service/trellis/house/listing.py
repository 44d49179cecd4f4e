"""The methods as the service and the commands list them."""

from __future__ import annotations

from trellis.house.house import House
from trellis.house.readiness import MethodState
from trellis.wire.bodies import MethodBody


async def list_methods(house: House) -> list[MethodBody]:
    """All methods, those that can answer first; the first of these is the default."""
    states = await house.describe_methods()
    return [
        _describe_method(state, is_default=number == 0 and state.is_ready)
        for number, state in enumerate(states)
    ]


def _describe_method(state: MethodState, *, is_default: bool) -> MethodBody:
    return MethodBody(
        name=state.method.name,
        about=state.method.about,
        tasks=[task.name for task in state.method.all_tasks],
        default=is_default,
        ready=state.is_ready,
        models=dict(state.models),
        problem=state.error.problem if state.error else None,
        remedy=state.error.remedy if state.error else None,
    )
