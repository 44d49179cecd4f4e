"""`trellis evaluate`: asks a whole suite, scores the answers and writes a report."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from trellis.cli.progress import show_progress
from trellis.domain.claims import ClaimReply
from trellis.domain.errors import InputError
from trellis.domain.question import Question, Topics
from trellis.domain.reply import Reply
from trellis.evaluation.calibration import FittedCalibration, calibrate_card, fit_calibration
from trellis.evaluation.report import Report, build_report, write_report
from trellis.evaluation.run import Outcome, read_candidates_again, run_suite
from trellis.evaluation.suite import read_suite
from trellis.house.house import House
from trellis.methods.registry import Method, find_method
from trellis.models.folder import read_card, write_card
from trellis.questions.row import QuestionRow
from trellis.settings import Settings
from trellis.wiring import assemble_house

_FIGURES = (
    *("n", "hits_at_1", "hit", "f1", "mrr", "recall_at_20"),
    *("coverage", "faithful", "well_formed", "executable", "execution_match", "accuracy", "errors"),
)


def evaluate(
    file: Annotated[Path, typer.Argument(help="Questions: JSON lines, .gz accepted.")],
    out: Annotated[Path, typer.Option(help="Where the report goes.")],
    method: Annotated[str | None, typer.Option(help="The method; unset: the default.")] = None,
    model: Annotated[
        str | None, typer.Option(help="Folders of trained models, comma-separated.")
    ] = None,
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
    options = _EvaluationOptions(out, method, model, topics, calibrate, precision)
    # Without a trie cache, each question takes the seconds of a first question.
    settings = Settings().model_copy(update={"trie_cache": 0})
    body, fitted = asyncio.run(_run_evaluation(questions, options, settings))
    console = Console(stderr=True)
    console.print(_build_table(body))
    if fitted:
        console.print(_describe_calibration(fitted, precision), highlight=False)


@dataclass(frozen=True, slots=True)
class _EvaluationOptions:
    """The options of the command."""

    out: Path
    method: str | None
    model: str | None
    topics: Topics
    calibrate: bool
    precision: float


async def _calibrate_method(
    opened: House, method: Method, outcomes: Sequence[Outcome], precision: float
) -> FittedCalibration:
    """Fit the method's confidence, and write it to the card of its first model."""
    fitted = fit_calibration(outcomes, precision)
    folder = await _find_folder(opened, method)
    write_card(folder, calibrate_card(read_card(folder), method.name, fitted))
    return fitted


async def _find_folder(opened: House, method: Method) -> Path:
    """The folder of the method's first model; InputError if the model has no folder."""
    source = await opened.models.require_source(method.tasks[0].name)
    if source.folder is None:
        raise InputError(f"{source.name} has no folder to keep a calibration in", "give --model")
    return source.folder


def _describe_calibration(fitted: FittedCalibration, precision: float) -> str:
    """The figures of a calibration, in two sentences."""
    threshold = fitted.threshold
    reached = (
        "" if threshold.precision >= precision else f", short of the {precision:.0%} asked for"
    )
    return (
        f"calibrated on {fitted.cases} replies: temperature {fitted.temperature:.2f}, expected "
        f"calibration error {fitted.error:.3f} out of fold. Answers given from a confidence of "
        f"{threshold.confidence:.2f} on: precision {threshold.precision:.1%}{reached}, "
        f"recall {threshold.recall:.1%}, "
        f"coverage {threshold.coverage:.1%}"
    )


async def _run_evaluation(
    questions: Sequence[QuestionRow], options: _EvaluationOptions, settings: Settings
) -> tuple[Report, FittedCalibration | None]:
    """The report, and the fitted calibration if one was requested."""
    async with assemble_house(settings, options.model) as opened:
        named = options.method
        method = find_method(opened.methods, named) if named else await opened.find_default_method()
        if options.calibrate:
            await _find_folder(opened, method)  # before any question is asked
        await opened.check_graph()
        outcomes = await _ask_all(opened, questions, method.name, options.topics)
        body = build_report(method.name, outcomes)
        write_report(body, options.out)
        if not options.calibrate:
            return body, None
        return body, await _calibrate_method(opened, method, outcomes, options.precision)


async def _ask_all(
    opened: House, questions: Sequence[QuestionRow], method: str, topics: Topics
) -> list[Outcome]:
    if any(not row.claim for row in questions):
        await opened.build_pipeline(method)  # loads the models before the clock runs
    verification = await opened.build_verification()

    async def ask_question(question: Question) -> Reply:
        given = list(question.topics) if question.topics else None
        return await opened.answer(opened.make_question(question.text, given), method)

    async def verify_claim(claim: str) -> ClaimReply:
        return await verification.verify(opened.make_claim(claim))

    async def language_of(question: Question, reply: Reply) -> Any:
        framed = await opened.build_task_input(method, question, reply)
        return framed.language if framed else None

    outcomes: list[Outcome] = []
    with show_progress() as progress:
        progress("questions", 0, len(questions))
        async for outcome in run_suite(
            questions,
            ask_question,
            opened.graph,
            read_candidates_again(language_of),
            topics,
            queries=opened.queries,
            verify=verify_claim,
        ):
            outcomes.append(outcome)
            progress("questions", len(outcomes), len(questions))
            if outcome.error is not None:
                typer.echo(f"{outcome.gold.id}: {outcome.error}", err=True)
    return outcomes


def _build_table(body: Report) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for name in _FIGURES:
        if name in body:
            table.add_row(name, _format_figure(body[name]))
    for name, value in body["calibration"].items():
        table.add_row(name, _format_figure(value))
    for name, seconds in body["seconds_per_question"].items():
        table.add_row(f"seconds {name}", _format_figure(seconds))
    for name, share in body["share_of_steps"].items():
        spread = ", ".join(
            f"{key} {_format_figure(taken)}" for key, taken in body["steps"][name].items()
        )
        table.add_row(f"of it {name}", f"{share:4.0%}: {spread}")
    return table


def _format_figure(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4f}"
