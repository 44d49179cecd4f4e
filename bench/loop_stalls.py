"""How long questions and claims hold the event loop, on a running graph."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from bench.figure import Figure, format_seconds
from bench.loop_probe import LoopHold, probe_loop
from trellis.app.trellis_app import TrellisApp
from trellis.domain.replies.question import Question
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app

_LEAST = 0.02  # seconds that nothing should hold the loop for
_METHODS = ("graphraft", "gcr", "auto")
_CLAIMS = (
    "Paris is the capital of France.",
    "Berlin is the capital of Spain.",
    "France borders Spain and Italy.",
)
_MOST_CALLS = 3


async def measure_stalls(settings: Settings, questions: Sequence[str]) -> list[Figure]:
    """The longest holds of the loop: by each method, its first question and the others apart; and
    by claims."""
    figures: list[Figure] = []
    async with assemble_app(settings) as trellis_app:
        await trellis_app.prepare_store()
        for method in _METHODS:
            asked = [_prepare_question(trellis_app, text, method) for text in questions]
            figures.append(await _measure_holds(f"{method}, first question", asked[:1]))
            figures.append(await _measure_holds(f"{method}, {len(asked) - 1} more", asked[1:]))
        claims = [_prepare_claim(trellis_app, text) for text in _CLAIMS]
        figures.append(await _measure_holds(f"{len(claims)} claims", claims))
    return figures


Work = Callable[[], Awaitable[object]]


def _prepare_question(trellis_app: TrellisApp, text: str, method: str) -> Work:
    return lambda: trellis_app.answer(Question(text), method)


def _prepare_claim(trellis_app: TrellisApp, text: str) -> Work:
    return lambda: trellis_app.verify(text)


async def _measure_holds(name: str, works: Sequence[Work]) -> Figure:
    async with probe_loop(_LEAST) as probe:
        for work in works:
            await work()
    told = f"{len(probe.holds)} of 20 ms and more"
    longest = format_seconds([probe.longest.seconds])
    return Figure(f"loop held by {name}", f"{longest}; {told}", _describe_hold(probe.longest))


def _describe_hold(hold: LoopHold) -> str:
    return " < ".join(hold.calls[:_MOST_CALLS])
