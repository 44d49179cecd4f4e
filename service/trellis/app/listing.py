"""The methods as the service and the commands list them."""

from __future__ import annotations

from trellis.app.readiness import MethodState
from trellis.app.trellis_app import TrellisApp
from trellis.methods.registry import AUTO
from trellis.wire.bodies import MethodBody


async def list_methods(trellis_app: TrellisApp) -> list[MethodBody]:
    """All methods, those that can answer first, after the one that chooses among them."""
    states = await trellis_app.pipelines.describe_methods()
    return [_describe_auto(states[0]), *map(_describe_method, states)]


def _describe_auto(first: MethodState) -> MethodBody:
    """The default; `first`: the state of a method that can answer, if any can."""
    return MethodBody(
        name=AUTO,
        about="Those of the other methods that can answer, asked as far as it pays, and one answer "
        "from what they find.",
        tasks=[],
        default=first.is_ready,
        ready=first.is_ready,
        problem=first.error.problem if first.error else None,
        remedy=first.error.remedy if first.error else None,
    )


def _describe_method(state: MethodState) -> MethodBody:
    return MethodBody(
        name=state.method.name,
        about=state.method.about,
        tasks=[task.name for task in state.method.all_tasks],
        default=False,
        ready=state.is_ready,
        models=dict(state.models),
        problem=state.error.problem if state.error else None,
        remedy=state.error.remedy if state.error else None,
    )
