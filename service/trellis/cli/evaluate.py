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

from trellis.domain.errors import InputError
from trellis.domain.question import Question, Topics
from trellis.domain.reply import Reply
from trellis.engines.worker import WorkerModel
from trellis.evaluation.calibration import Fitted, calibrated, fit
from trellis.evaluation.report import Report, report, write
from trellis.evaluation.run import Outcome, run, second_reading
from trellis.evaluation.suite import Gold, read_suite
from trellis.models.folder import read_card, write_card
from trellis.settings import Settings
from trellis.wiring import House, house, model_folder

_FIGURES = (
    *("n", "hits_at_1", "hit", "f1", "mrr", "recall_at_20"),
    *("coverage", "faithful", "well_formed", "executable", "execution_match", "errors"),
)


def evaluate(
    file: Annotated[Path, typer.Argument(help="Questions: JSON lines, .gz accepted.")],
    out: Annotated[Path, typer.Option(help="Where the report goes.")],
    method: Annotated[str | None, typer.Option(help="The method; unset: the default.")] = None,
    model: Annotated[Path | None, typer.Option(help="Folder of the trained model.")] = None,
    topics: Annotated[Topics, typer.Option(help="Link, or use the given topics.")] = "linked",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N questions.")] = None,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Fit the model's confidence on FILE, and keep it.")
    ] = False,
    precision: Annotated[
        float, typer.Option(min=0, max=1, help="With --calibrate: abstain for that precision.")
    ] = 0.95,
) -> None:
    """Answer all questions of FILE and write a report.

    With --calibrate, FILE should hold questions that the graph answers and, with no answers,
    questions that it does not. The report is of the model as it was before.
    """
    questions = read_suite(file, limit)
    folder = _folder(model) if calibrate else None
    outcomes, body = asyncio.run(_evaluated(questions, method, model, topics))
    write(body, out)
    console = Console(stderr=True)
    console.print(_table(body))
    if folder:
        fitted = fit(outcomes, precision)
        write_card(folder, calibrated(read_card(folder), fitted))
        console.print(_told(fitted, precision), highlight=False)


def _folder(model: Path | None) -> Path:
    """The folder of the model that is calibrated: checked before any question is asked."""
    settings = Settings()
    if model is None and (settings.decoder_url or settings.worker_url):
        raise InputError("a model elsewhere has no folder to keep a calibration in", "give --model")
    folder = model or model_folder(settings)
    read_card(folder)
    return folder


def _told(fitted: Fitted, precision: float) -> str:
    """What a calibration came to, in two sentences."""
    at = fitted.threshold
    reached = "" if at.precision >= precision else f", short of the {precision:.0%} asked for"
    return (
        f"calibrated on {fitted.cases} replies: temperature {fitted.temperature:.2f}, expected "
        f"calibration error {fitted.error:.3f} out of fold. Answers given from a confidence of "
        f"{at.at:.2f} on: precision {at.precision:.1%}{reached}, recall {at.recall:.1%}, "
        f"coverage {at.coverage:.1%}"
    )


async def _evaluated(
    questions: Sequence[Gold], method: str | None, model: Path | None, topics: Topics
) -> tuple[Sequence[Outcome], Report]:
    async with house(await _settings(model), model) as opened:
        outcomes = await _asked(opened, questions, method, topics)
        return outcomes, report(method or opened.default, outcomes)


async def _settings(model: Path | None) -> Settings:
    """Every reading of paths asks the graph anew; the schema, which takes seconds, is kept while
    nothing is committed."""
    settings = Settings()
    if await _task(settings, model) == "cypher":
        return settings
    return settings.model_copy(update={"trie_cache": 0})


async def _task(settings: Settings, model: Path | None) -> str:
    """What the model was trained for; of a hosted one, what it is to write."""
    if model is None and settings.decoder_url:
        return settings.decoder_task
    if model is None and settings.worker_url:
        key = settings.worker_key.get_secret_value()
        worker = await WorkerModel.connected(settings.worker_url, key)
        await worker.close()
        return worker.card.task
    return read_card(model or model_folder(settings)).task


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
        async for outcome in run(
            questions, ask, opened.graph, reread, topics, queries=opened.queries
        ):
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
        if name in body:
            table.add_row(name, _shown(body[name]))
    for name, value in body["calibration"].items():
        table.add_row(name, _shown(value))
    for name, seconds in body["seconds_per_question"].items():
        table.add_row(f"seconds {name}", _shown(seconds))
    for name, share in body["share_of_steps"].items():
        spread = ", ".join(f"{key} {_shown(taken)}" for key, taken in body["steps"][name].items())
        table.add_row(f"of it {name}", f"{share:4.0%}: {spread}")
    return table


def _shown(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4f}"
