"""`trellis evaluate`: a whole suite asked, scored and written to a report."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from trellis.domain.values import Question, Reply, Topics
from trellis.evaluation.report import Report, report, write
from trellis.evaluation.run import Outcome, run, second_reading
from trellis.evaluation.suite import Gold, read_suite
from trellis.settings import Settings
from trellis.wiring import House, house

_FIGURES = (
    *("n", "hits_at_1", "hit", "f1", "mrr", "recall_at_20"),
    *("coverage", "faithful", "well_formed", "executable", "errors"),
)


def evaluate(
    file: Annotated[Path, typer.Argument(help="Questions: JSON lines, .gz accepted.")],
    out: Annotated[Path, typer.Option(help="Where the report goes.")],
    method: Annotated[str | None, typer.Option(help="The method; unset: the default.")] = None,
    model: Annotated[Path | None, typer.Option(help="Folder of the trained model.")] = None,
    topics: Annotated[Topics, typer.Option(help="Link, or use the given topics.")] = "linked",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N questions.")] = None,
) -> None:
    """Answer all questions of FILE and write a report."""
    questions = read_suite(file, limit)
    body = asyncio.run(_evaluated(questions, method, model, topics))
    write(body, out)
    Console(stderr=True).print(_table(body))


async def _evaluated(
    questions: Sequence[Gold], method: str | None, model: Path | None, topics: Topics
) -> Report:
    fresh = Settings().model_copy(update={"trie_cache": 0})  # every reading asks the graph anew
    async with house(fresh, model) as opened:
        outcomes = await _asked(opened, questions, method, topics)
        return report(method or opened.default, outcomes)


async def _asked(
    opened: House, questions: Sequence[Gold], method: str | None, topics: Topics
) -> list[Outcome]:
    await opened.check_graph()
    await opened.pipeline(method)  # loads the model before the clock runs
    card = (await opened.model.get()).card
    reread = second_reading(opened.graph, card, opened.settings.edge_budget)

    async def ask(question: Question) -> Reply:
        given = list(question.topics) if question.topics else None
        return await opened.answer(opened.question(question.text, given), method)

    outcomes: list[Outcome] = []
    with _progress() as progress:
        task = progress.add_task("questions", total=len(questions))
        async for outcome in run(questions, ask, opened.graph, reread, topics):
            outcomes.append(outcome)
            progress.advance(task)
            if outcome.error is not None:
                progress.console.print(f"{outcome.gold.id}: {outcome.error}", markup=False)
    return outcomes


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _table(body: Report) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for name in _FIGURES:
        table.add_row(name, _shown(body[name]))
    for name, seconds in body["seconds_per_question"].items():
        table.add_row(f"seconds {name}", _shown(seconds))
    for name, share in body["share_of_steps"].items():
        table.add_row(f"share of {name}", f"{share:.0%}")
    return table


def _shown(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4f}"
