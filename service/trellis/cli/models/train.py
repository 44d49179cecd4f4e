"""`trellis train`: a model for the loaded graph, from questions or from the graph alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from trellis.cli.models.training_graphs import ChosenGraph, choose_graphs, split_names
from trellis.cli.opening import open_app
from trellis.cli.options import RenderingOption, choose_prompting
from trellis.cli.progress import show_progress
from trellis.cli.stopping import stop_on_signals
from trellis.cli.terminal import echo
from trellis.domain.errors import UnknownTaskError
from trellis.domain.graphs.graph import Revisit
from trellis.domain.ports import LanguageModel
from trellis.graph.configuration import read_graph_config
from trellis.graph.database.progress import Progress
from trellis.graphs_file import read_settings
from trellis.settings import Settings
from trellis.training.options import TrainingOptions, TrainingOutcome, TuningOptions
from trellis.training.registry import TRAINING_TASKS, check_tasks

# What takes a second to import is imported where it is used: help is shown at once.
if TYPE_CHECKING:
    from trellis.app.trellis_app import TrellisApp
    from trellis.training.means import TrainingContext


def train(
    out: Annotated[Path, typer.Option(help="Folder that the model is written to.")],
    task: Annotated[
        str,
        typer.Option(help=f"What to learn, comma-separated: {', '.join(TRAINING_TASKS)}; or all."),
    ] = "path",
    questions: Annotated[
        list[str] | None,
        typer.Option(help="JSON lines with paths, queries or answers; none: from the graph alone."),
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="mini, reader, smollm2, a folder or a Hugging Face id.")
    ] = None,
    graphs: Annotated[
        str | None,
        typer.Option(
            help="Graphs of TRELLIS_GRAPHS_FILE, comma-separated, or all: one adapter for them and "
            "for graphs like them. Questions are then named NAME=FILE."
        ),
    ] = None,
    full: Annotated[bool, typer.Option(help="Tune all weights, not a LoRA adapter.")] = False,
    lora_rank: Annotated[int | None, typer.Option(min=1, help="TRELLIS_LORA_RANK.")] = None,
    lora_alpha: Annotated[int | None, typer.Option(min=1, help="TRELLIS_LORA_ALPHA.")] = None,
    lora_targets: Annotated[str | None, typer.Option(help="TRELLIS_LORA_TARGETS.")] = None,
    qlora: Annotated[
        bool, typer.Option(help="Hold the base in 4 bits while it is tuned (bitsandbytes).")
    ] = False,
    prompts: Annotated[
        Literal["chat", "question"],
        typer.Option(
            help="Tune on the chats that general models are sent, or on the question alone."
        ),
    ] = "chat",
    shots: Annotated[int, typer.Option(min=0, max=32, help="Examples in each of its chats.")] = 0,
    rendering: RenderingOption = None,
    epochs: Annotated[
        float | None, typer.Option(min=0.01, help="Times that each row is seen, at most.")
    ] = None,
    batch: Annotated[int, typer.Option(min=1, help="Rows of a step of tuning.")] = 16,
    rate: Annotated[float | None, typer.Option(min=0, help="Learning rate of tuning.")] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes of tuning; unset: one for each GPU.")
    ] = None,
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
    chosen = choose_prompting(None, rendering)
    settings = Settings() if graphs else read_settings()
    settings = settings.model_copy(update=chosen)
    tuning = TuningOptions(
        rank=lora_rank or settings.lora_rank,
        alpha=lora_alpha or settings.lora_alpha,
        targets=split_names(settings.lora_targets if lora_targets is None else lora_targets),
        quantised=qlora,
        epochs=epochs,
        batch=batch,
        rate=rate,
        shots=shots,
        prompts=prompts,
        prompt_tokens=settings.prompt_tokens,
        sentence_tokens=settings.token_budget,
        processes=processes,
        memory=settings.training_memory * 2**20,
    )
    options = TrainingOptions(
        out=out,
        base=base,
        full=full,
        hops=hops,
        limit=limit,
        seed=seed,
        steps=steps,
        revisit=revisit,
        wording=wording,
        rendering=settings.rendering,
        edge_budget=settings.edge_budget,
        device=settings.device,
        tuning=tuning,
    )
    taught = choose_graphs(settings, graphs, questions or ())
    with show_progress() as shown, stop_on_signals(shown) as report:
        try:
            outcome = asyncio.run(_run_training(tasks, taught, options, report))
        except SystemExit:
            echo(f"trellis: {report.describe()}", err=True)
            raise
    _print_outcome(outcome, out)


def _read_tasks(text: str) -> list[str]:
    """The tasks that are named; a usage error where one is none's."""
    names = [*split_names(text)]
    try:
        check_tasks(names)
    except UnknownTaskError as error:
        raise typer.BadParameter(f"{error.problem}; {error.remedy}", param_hint="--task") from error
    return names


async def _run_training(
    tasks: Sequence[str],
    chosen: Sequence[ChosenGraph],
    options: TrainingOptions,
    report: Progress,
) -> TrainingOutcome:
    async with AsyncExitStack() as stack:
        homes = [
            await stack.enter_async_context(open_app(graph.settings, needs_models=False))
            for graph in chosen
        ]
        from trellis.training.graphs import TaughtGraph
        from trellis.training.runner import train_on_graphs

        taught = [
            TaughtGraph(graph.name, _gather_means(home, report), graph.questions)
            for graph, home in zip(chosen, homes, strict=True)
        ]
        outcome = await train_on_graphs(tasks, taught, options)
    if outcome.judged_questions:
        from trellis.cli.models.suites import judge_methods

        async with open_app(chosen[0].settings, str(options.out)) as trained:
            await judge_methods(trained, options.out, outcome.judged_questions, report)
    return outcome


def _gather_means(home: TrellisApp, report: Progress) -> TrainingContext:
    from trellis.steps.retrieve.queries.settings import CypherSettings
    from trellis.wiring.general_models import gather_means

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
