"""Runs an experiment: `python -m lab.experiment NAME`, or `make lab EXPERIMENT=NAME`."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from bench.parts import Part, measure_part, start_loaded_neo4j
from lab.judging import is_found_first, judge_outcome
from lab.perturbing import perturb_questions
from lab.plan import Experiment, Suite, Way, find_path, list_experiments, read_experiment
from lab.questions import LabQuestion, read_questions
from lab.results import (
    RESULTS,
    AskedQuestion,
    build_result,
    describe_run,
    keep_result,
)
from lab.ways import build_settings, open_way, train_model
from trellis.cli.models.suites import ask_suite
from trellis.cli.operation.children import end_children_on_signals
from trellis.domain.errors import InputError, TrellisError
from trellis.graph.database.connection import GraphConnection
from trellis.methods.registry import AUTO
from trellis.settings import Settings

_EDGES = (10_000,)
"""Relationships of the graph that patterns are searched in."""


async def _ask(
    way: Way, questions: Sequence[LabQuestion], uri: str, folder: Path
) -> tuple[list[AskedQuestion], float | None]:
    """What became of the questions; and, of a model without masks, the share of its texts that
    are sentences."""
    async with open_way(way, uri, folder) as opened:
        rows = [question.row for question in questions]
        outcomes = await ask_suite(
            opened.trellis_app, rows, way.method or AUTO, "linked", lambda *_: None
        )
    written = sum(model.written for model in opened.unmasked)
    inside = sum(model.inside for model in opened.unmasked)
    asked = [
        AskedQuestion(
            question.row.id,
            question.kind,
            question.chain,
            judge_outcome(outcome),
            is_found_first(outcome) if question.row.answers else None,
            round(outcome.seconds, 3),
        )
        for question, outcome in zip(questions, outcomes, strict=True)
    ]
    return asked, inside / written if written else None


async def _read_asked(experiment: Experiment, suite: Suite, uri: str) -> list[LabQuestion]:
    """The questions of a suite, their names changed where the experiment says so."""
    questions = read_questions(suite)
    if not experiment.perturbed:
        return questions
    async with GraphConnection(Settings(neo4j_uri=uri)) as connection:
        return await perturb_questions(questions, connection, experiment.seed)


@contextmanager
def _open_graph(suite: Suite) -> Iterator[str]:
    """The address of the suite's graph: the one that is set, or a new Neo4j with the graph."""
    if uri := os.environ.get("TRELLIS_NEO4J_URI"):
        yield uri
        return
    with start_loaded_neo4j(find_path(suite.graph), embeds=True) as started:
        yield started


def _run_suites(experiment: Experiment, suites: Sequence[Suite], ways: Sequence[Way]) -> None:
    order = [(suite.name, way.name) for suite in experiment.suite for way in experiment.way]
    path = RESULTS / f"{experiment.name}.jsonl"
    for suite in suites:
        with _open_graph(suite) as uri, TemporaryDirectory() as models:
            questions = asyncio.run(_read_asked(experiment, suite, uri))
            for way in ways:
                trained = train_model(way, suite, uri, Path(models))
                with TemporaryDirectory() as folder:
                    asked, inside = asyncio.run(_ask(trained, questions, uri, Path(folder)))
                result = build_result(experiment.name, suite.name, way, asked, experiment.seed)
                result["figures"]["in_language"] = inside and round(inside, 4)
                keep_result(path, result, order)
                typer.echo(f"{suite.name}, {way.name}: {result['figures']}")


def _run_bench(experiment: Experiment) -> None:
    """Each part's figures in place of a suite's, the figure's name in place of a way."""
    path = RESULTS / f"{experiment.name}.jsonl"
    order: list[tuple[str, str]] = []
    for part in experiment.bench:
        for figure in measure_part(Part(part), Settings(), _EDGES):
            order.append((part, figure.name))
            texts = {"ours": figure.ours, "reference": figure.reference, "ratio": figure.ratio}
            key = {"experiment": experiment.name, "suite": part, "way": figure.name}
            keep_result(path, {**key, **texts, **describe_run(experiment.seed)}, order)
            typer.echo(f"{figure.name}: {figure.ours}")


def run_experiment(name: str, suites: Sequence[str], ways: Sequence[str]) -> None:
    """Run an experiment, or some suites or ways of it; InputError where one is not there."""
    experiment = read_experiment(name)
    if experiment.bench:
        _run_bench(experiment)
        return
    chosen = [suite for suite in experiment.suite if not suites or suite.name in suites]
    taken = [way for way in experiment.way if not ways or way.name in ways]
    if not chosen or not taken:
        raise InputError(
            f"{name} has no such suite or way",
            "it has "
            + ", ".join(
                [*(it.name for it in experiment.suite), *(it.name for it in experiment.way)]
            ),
        )
    if os.environ.get("TRELLIS_NEO4J_URI") and len(chosen) > 1:
        raise InputError(
            "TRELLIS_NEO4J_URI holds one graph, and the experiment has several suites",
            "choose one with --suite, or unset it: then a Neo4j is started for each",
        )
    for way in taken:
        build_settings(way, "bolt://127.0.0.1", Path())  # what is wrong is told at once
    _run_suites(experiment, chosen, taken)


def main(
    name: Annotated[str | None, typer.Argument()] = None,
    suite: Annotated[list[str] | None, typer.Option(help="Only this; may be repeated.")] = None,
    way: Annotated[list[str] | None, typer.Option(help="Only this; may be repeated.")] = None,
) -> None:
    """Run an experiment and keep its results; without NAME, list all."""
    end_children_on_signals(exit_status=128 + signal.SIGTERM)
    if name is None:
        for each in list_experiments():
            typer.echo(f"{each}: {read_experiment(each).title}")
        return
    try:
        run_experiment(name, suite or [], way or [])
    except TrellisError as error:
        typer.echo(f"lab: {error}", err=True)
        raise typer.Exit(1) from error


if __name__ == "__main__":
    typer.run(main)
