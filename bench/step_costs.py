"""What a question costs in processor seconds, by step: of the service, and of the database."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import psutil

from bench.figure import Figure, time_awaitable
from trellis.app.trellis_app import TrellisApp
from trellis.domain.replies.events import follow_trail
from trellis.domain.replies.question import Question
from trellis.evaluation.metrics import percentile
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app

_METHODS = ("gcr", "graphraft", "auto")
_LEAST = 0.001  # seconds a question: steps that cost less are left out


@dataclass
class StepCosts:
    """Processor seconds by step; what comes before the first step is of `ask`."""

    databases: Sequence[psutil.Process]
    service: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    database: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    step: str = "ask"
    _told: tuple[float, float] = (0.0, 0.0)

    def begin(self) -> None:
        self.step, self._told = "ask", self._read()

    def enter(self, step: str) -> None:
        """Count what was spent since the last call for the step that ends."""
        now = self._read()
        self.service[self.step] += now[0] - self._told[0]
        self.database[self.step] += now[1] - self._told[1]
        self.step, self._told = step, now

    def _read(self) -> tuple[float, float]:
        spent = (each.cpu_times() for each in self.databases)
        return time.process_time(), sum(its.user + its.system for its in spent)


async def measure_step_costs(settings: Settings, questions: Sequence[str]) -> list[Figure]:
    """Of each method the processor seconds of a question by step, in the service and in the
    databases that this process started, and the seconds on the clock. One question is asked after
    the other, once before, so that what is kept of a graph is there."""
    databases = psutil.Process().children(recursive=True)
    figures: list[Figure] = []
    async with assemble_app(settings) as trellis_app:
        await trellis_app.prepare_store()
        for method in _METHODS:
            for text in questions:
                await trellis_app.answer(Question(text), method)
            figures += await _measure_method(trellis_app, method, questions, databases)
    return figures


async def _measure_method(
    trellis_app: TrellisApp,
    method: str,
    questions: Sequence[str],
    databases: Sequence[psutil.Process],
) -> list[Figure]:
    costs, seconds = StepCosts(databases), list[float]()
    for text in questions:
        costs.begin()
        with follow_trail(costs.enter):
            _, took = await time_awaitable(trellis_app.answer(Question(text), method))
        costs.enter("ask")
        seconds.append(took)
    count = len(questions)
    spent = {
        step: (its / count, costs.database[step] / count) for step, its in costs.service.items()
    }
    steps = sorted(
        (step for step, its in spent.items() if sum(its) >= _LEAST), key=lambda it: -sum(spent[it])
    )
    half, worst = (percentile(seconds, share) or 0.0 for share in (0.5, 0.95))
    whole = tuple(sum(its) / count for its in (costs.service.values(), costs.database.values()))
    return [
        Figure(f"{method}, a question", _tell(*whole), f"{half:.3f} s, 95 % in {worst:.3f} s"),
        *(Figure(f"{method}, {step}", _tell(*spent[step])) for step in steps),
    ]


def _tell(service: float, database: float) -> str:
    return f"{1000 * service:.1f} ms of processor, database {1000 * database:.1f} ms"
