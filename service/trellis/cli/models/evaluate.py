"""`trellis evaluate`: asks a whole suite, scores the answers and writes a report."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from trellis.cli.opening import open_app, open_graph
from trellis.cli.options import (
    MethodOption,
    ModelOption,
    RenderingOption,
    ShotsOption,
    SuiteArgument,
    SuiteLimitOption,
    TopicsOption,
    choose_prompting,
)
from trellis.cli.progress import show_progress
from trellis.cli.terminal import Terminal, echo
from trellis.domain.errors import InputError
from trellis.domain.replies.question import Topics
from trellis.evaluation.suite import read_suite
from trellis.graphs_file import read_settings
from trellis.questions.row import QuestionRow
from trellis.settings import Settings

# What takes a second to import is imported where it is used: help is shown at once.
if TYPE_CHECKING:
    from trellis.app.trellis_app import TrellisApp
    from trellis.evaluation.calibration import FittedCalibration
    from trellis.evaluation.comparison import ReportComparison
    from trellis.evaluation.report import Report
    from trellis.evaluation.run import Outcome
    from trellis.methods.registry import Method

_FIGURES = (
    *("n", "hits_at_1", "hits_at_5", "hit", "f1", "mrr", "recall_at_20"),
    *("coverage", "faithful", "well_formed", "executable", "execution_match", "accuracy", "errors"),
)


def evaluate(
    file: SuiteArgument,
    out: Annotated[Path, typer.Option(help="Where the report goes.")],
    method: MethodOption = None,
    model: ModelOption = None,
    topics: TopicsOption = "linked",
    limit: SuiteLimitOption = None,
    split: Annotated[
        str | None, typer.Option(help="Of STaRK's questions: test, val, train or another.")
    ] = None,
    answers_by: Annotated[
        str | None,
        typer.Option(help="The property that FILE knows answers by; unset: their names or :ID."),
    ] = None,
    shots: ShotsOption = None,
    rendering: RenderingOption = None,
    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Fit how sure the method, or all, may be on FILE."),
    ] = False,
    precision: Annotated[
        float, typer.Option(min=0, max=1, help="With --calibrate: abstain for that precision.")
    ] = 0.95,
    beside: Annotated[
        bool, typer.Option("--beside", help="With auto: ask each method alone too, and compare.")
    ] = False,
    compare: Annotated[
        Path | None,
        typer.Option(help="An earlier report: exit 1 if a question is answered worse than there."),
    ] = None,
) -> None:
    """Answer all questions of FILE and write a report.

    With --calibrate, FILE should hold questions that the graph answers and, with no answers,
    questions that it does not. The report is of the model as it was before.
    """
    from trellis.evaluation.comparison import compare_reports, read_report

    questions = read_suite(file, limit, split)
    earlier = read_report(compare) if compare else None
    options = _EvaluationOptions(out, method, model, topics, calibrate, precision, beside)
    # Without a trie cache, each question takes the seconds of a first question.
    settings = read_settings().model_copy(
        update={"trie_cache": 0, **choose_prompting(shots, rendering)}
    )
    questions = asyncio.run(_find_answers(questions, answers_by, settings))
    body, fitted = asyncio.run(_run_evaluation(questions, options, settings))
    console = Terminal(stderr=True)
    console.print(_build_table(body))
    for name, calibration in fitted.items():
        console.print(f"{name} {_describe_calibration(calibration, precision)}", highlight=False)
    if earlier:
        _report_changes(compare_reports(questions, earlier, body))


def _report_changes(comparison: ReportComparison) -> None:
    """Say which questions are answered worse; ends the command with 1 if any is."""
    for changed in comparison.worse:
        echo(f"worse: {changed.describe_change()}", err=True)
    echo(
        f"of {comparison.compared} questions {len(comparison.worse)} are answered worse than "
        f"before, {len(comparison.better)} better",
        err=True,
    )
    if comparison.worse:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class _EvaluationOptions:
    """The options of the command."""

    out: Path
    method: str | None
    model: str | None
    topics: Topics
    calibrate: bool
    precision: float
    beside: bool


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


async def _find_answers(
    questions: list[QuestionRow], property_: str | None, settings: Settings
) -> list[QuestionRow]:
    """The questions, with the nodes that are the answers where FILE knows these by ids."""
    if property_ is None and all(row.answer_ids is None for row in questions):
        return questions
    from trellis.evaluation.answer_nodes import find_answer_nodes

    async with open_graph(settings) as connection:
        return await find_answer_nodes(connection, questions, property_)


async def _run_evaluation(
    questions: Sequence[QuestionRow], options: _EvaluationOptions, settings: Settings
) -> tuple[Report, Mapping[str, FittedCalibration]]:
    """The report, and the calibrations that were fitted, if that was requested."""
    async with open_app(settings, options.model) as opened:
        from trellis.cli.models.suites import ask_suite, check_can_calibrate
        from trellis.evaluation.report import build_report, write_report
        from trellis.methods.registry import AUTO

        name = options.method or AUTO
        methods = await _list_methods(opened, name)
        if options.calibrate:
            for method in methods:
                await check_can_calibrate(opened, method)  # before any question is asked
        await opened.check_graph()
        with show_progress() as progress:
            outcomes = await ask_suite(opened, questions, name, options.topics, progress)
            alone = {name: outcomes}
            if name == AUTO:
                asked = methods if options.beside or options.calibrate else []
                alone = {
                    it.name: await ask_suite(
                        opened, questions, it.name, options.topics, progress, it.name
                    )
                    for it in asked
                }
        body = build_report(name, outcomes, alone if name == AUTO else None)
        write_report(body, options.out)
        fitted = (
            await _calibrate_methods(opened, methods, alone, options) if options.calibrate else {}
        )
        return body, fitted


async def _list_methods(opened: TrellisApp, name: str) -> list[Method]:
    """The method of that name; of `auto`, all that can answer."""
    from trellis.methods.registry import AUTO, find_method

    if name != AUTO:
        return [find_method(opened.methods, name)]
    return await opened.pipelines.list_ready_methods()


async def _calibrate_methods(
    opened: TrellisApp,
    methods: Sequence[Method],
    outcomes: Mapping[str, Sequence[Outcome]],
    options: _EvaluationOptions,
) -> dict[str, FittedCalibration]:
    """Fit the confidence of each method; one that cannot be fitted is told, or raised if it is the
    only one."""
    from trellis.cli.models.suites import calibrate_method

    fitted: dict[str, FittedCalibration] = {}
    for method in methods:
        try:
            fitted[method.name] = await calibrate_method(
                opened, method, outcomes[method.name], options.precision
            )
        except InputError as error:
            if len(methods) == 1:
                raise
            echo(f"{method.name} stays as it was: {error.problem}", err=True)
    return fitted


def _build_table(body: Report) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for name in _FIGURES:
        if name in body:
            table.add_row(name, _format_figure(body[name]))
    for name, value in body["calibration"].items():
        table.add_row(name, _format_figure(value))
    for name, seconds in body["seconds_per_question"].items():
        table.add_row(f"seconds {name}", _format_figure(seconds))
    for name, value in _list_choice_figures(body):
        table.add_row(name, _format_figure(value))
    for name, share in body["share_of_steps"].items():
        spread = ", ".join(
            f"{key} {_format_figure(taken)}" for key, taken in body["steps"][name].items()
        )
        table.add_row(f"of it {name}", f"{share:4.0%}: {spread}")
    return table


def _list_choice_figures(body: Report) -> list[tuple[str, float | int | None]]:
    """What a report says of choosing among methods."""
    choice = body.get("choice", {})
    return [
        *((f"answered by {name}", count) for name, count in choice.get("methods", {}).items()),
        *((f"right: {name}", share) for name, share in choice.get("right", {}).items()),
        *((f"p50: {name}", seconds) for name, seconds in choice.get("p50", {}).items()),
    ]


def _format_figure(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4f}"
