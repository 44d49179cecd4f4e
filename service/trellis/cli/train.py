"""`trellis train`: a model for the loaded graph, from questions or from the graph alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from trellis.cli.progress import show_progress
from trellis.cli.suites import judge_methods
from trellis.cli.terminal import echo
from trellis.domain.errors import UnknownTaskError
from trellis.domain.graph import Revisit
from trellis.domain.ports import LanguageModel
from trellis.general_models import gather_means
from trellis.graph.configuration import read_graph_config
from trellis.graph.progress import Progress
from trellis.graphs_file import read_settings
from trellis.house.house import House
from trellis.settings import Settings
from trellis.steps.queries.settings import CypherSettings
from trellis.training.means import TrainingMeans
from trellis.training.options import TrainingOptions, TrainingOutcome
from trellis.training.registry import TRAINING_TASKS, check_tasks
from trellis.training.runner import train_tasks
from trellis.wiring import assemble_house


def train(
    out: Annotated[Path, typer.Option(help="Folder that the model is written to.")],
    task: Annotated[
        str,
        typer.Option(help=f"What to learn, comma-separated: {', '.join(TRAINING_TASKS)}; or all."),
    ] = "path",
    questions: Annotated[
        list[Path] | None,
        typer.Option(help="JSON lines with paths, queries or answers; none: from the graph alone."),
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="mini, smollm2, a folder or a Hugging Face id.")
    ] = None,
    full: Annotated[bool, typer.Option(help="Train all weights, not LoRA adapters.")] = False,
    hops: Annotated[
        int | None,
        typer.Option(min=1, max=6, help="Longest path; unset: 3, or what the questions need."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Use this many questions.")] = None,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal models.")] = 0,
    steps: Annotated[int | None, typer.Option(min=1, help="Optimisation steps.")] = None,
    revisit: Annotated[
        Revisit | None,
        typer.Option(help="Whether paths may come back; unset: as answers say."),
    ] = None,
    wording: Annotated[
        Path | None, typer.Option(help="JSON with the graph's own phrases, for made questions.")
    ] = None,
) -> None:
    """Train a model on the loaded graph: one folder for all tasks that are named."""
    tasks = _read_tasks(task)
    settings = read_settings()
    options = TrainingOptions(
        out=out,
        questions=tuple(questions or ()),
        base=base,
        full=full,
        hops=hops,
        limit=limit,
        seed=seed,
        steps=steps,
        revisit=revisit,
        wording=wording,
        edge_budget=settings.edge_budget,
        device=settings.device,
    )
    _print_outcome(asyncio.run(_run_training(tasks, settings, options)), out)


def _read_tasks(text: str) -> list[str]:
    """The tasks that are named; a usage error where one is none's."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    try:
        check_tasks(names)
    except UnknownTaskError as error:
        raise typer.BadParameter(f"{error.problem}; {error.remedy}", param_hint="--task") from error
    return names


async def _run_training(
    tasks: Sequence[str], settings: Settings, options: TrainingOptions
) -> TrainingOutcome:
    with show_progress() as report:
        async with assemble_house(settings) as home:
            outcome = await train_tasks(tasks, _gather_means(home, report), options)
        if outcome.judged_questions:
            async with assemble_house(settings, str(options.out)) as trained:
                await judge_methods(trained, options.out, outcome.judged_questions, report)
        return outcome


def _gather_means(home: House, report: Progress) -> TrainingMeans:
    async def find_writer() -> LanguageModel | None:
        """The model that was set, where it writes queries: its candidates are what is ranked."""
        if not home.settings.model:
            return None
        source = await home.models.find_source(CypherSettings.task)
        return await source.model.get() if source else None

    config = read_graph_config(home.settings.graph_config)
    means = gather_means(home.settings, config, home.graph, home.queries, home.embedder)
    return replace(means, find_writer=find_writer, report=report)


def _print_outcome(outcome: TrainingOutcome, out: Path) -> None:
    card = outcome.card
    echo(f"{out}: tasks {', '.join(card.tasks)}, base {card.base}")
    for task, figures in card.training.items():
        echo(f"{task}: {', '.join(f'{key} {value}' for key, value in figures.items())}")
    echo(f"trained from {outcome.examples} examples in {outcome.seconds:.1f} s")
