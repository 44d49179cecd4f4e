"""`trellis train`: a model for the loaded graph, from questions or from the graph alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection
from pathlib import Path
from typing import Annotated

import typer

from trellis.cli.progress import shown_progress
from trellis.domain.errors import TrainingError
from trellis.domain.graph import Revisit
from trellis.domain.links import Mention
from trellis.domain.ports import LanguageModel
from trellis.house.house import House
from trellis.settings import Settings
from trellis.steps.queries.settings import CypherSettings
from trellis.steps.shared.link import link
from trellis.training.cypher_task import train_cypher
from trellis.training.options import Options, Outcome
from trellis.training.rank_task import train_rank
from trellis.training.task import train_path
from trellis.wiring import house

TASKS = ("path", "cypher", "rank")
PLANNED = ("chain", "pattern", "assertion", "schema_graph", "guidance")


def train(
    out: Annotated[Path, typer.Option(help="Folder that the model is written to.")],
    task: Annotated[str, typer.Option(help="What to learn: path, cypher or rank.")] = "path",
    questions: Annotated[
        list[Path] | None,
        typer.Option(help="JSON lines with paths, queries or answers; none: from the graph alone."),
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="mini, smollm2, a folder or a Hugging Face id.")
    ] = None,
    full: Annotated[bool, typer.Option(help="Train all weights, not LoRA adapters.")] = False,
    hops: Annotated[int | None, typer.Option(min=1, max=6, help="Longest path.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Use this many questions.")] = None,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal models.")] = 0,
    steps: Annotated[int | None, typer.Option(min=1, help="Optimisation steps.")] = None,
    revisit: Annotated[
        Revisit | None, typer.Option(help="Whether paths may come back; unset: as answers do.")
    ] = None,
    wording: Annotated[
        Path | None, typer.Option(help="JSON with the graph's own phrases, for made questions.")
    ] = None,
) -> None:
    """Train a model on the loaded graph."""
    _check_tasks(task)
    settings = Settings()
    options = Options(
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
    outcome = asyncio.run(_train(task.strip(), settings, options))
    _print(outcome, out)


async def _train(task: str, settings: Settings, options: Options) -> Outcome:
    with shown_progress() as report:
        async with house(settings) as home:

            def linker(text: str, wording: Collection[str]) -> Awaitable[tuple[Mention, ...]]:
                return link(text, home.graph, home.embedder, wording)

            if task == "cypher":
                return await train_cypher(home.graph, home.queries, options, settings.cache, report)
            if task == "rank":
                return await train_rank(
                    home.graph,
                    home.queries,
                    await _writer(home),
                    options,
                    settings.cache,
                    report,
                )
            return await train_path(
                home.graph, home.embedder, linker, options, settings.cache, report
            )


async def _writer(home: House) -> LanguageModel | None:
    """The model that was set, where it writes queries: its candidates are what is ranked."""
    if not home.settings.model:
        return None
    source = await home.models.find_source(CypherSettings.task)
    return await source.model.get() if source else None


def _check_tasks(text: str) -> None:
    tasks = [task.strip() for task in text.split(",") if task.strip()]
    unknown = [task for task in tasks if task not in (*TASKS, *PLANNED)]
    if unknown or not tasks:
        known = ", ".join((*TASKS, *PLANNED))
        raise typer.BadParameter(
            f"no task {', '.join(unknown)!r}; tasks: {known}", param_hint="--task"
        )
    missing = [task for task in tasks if task not in TASKS]
    if missing:
        raise TrainingError(
            f"task {missing[0]} cannot be trained yet", f"tasks: {', '.join(TASKS)}"
        )
    if len(tasks) > 1:
        raise TrainingError("one model learns one task", "train a folder for each task")


def _print(outcome: Outcome, out: Path) -> None:
    card = outcome.card
    print(f"{out}: tasks {', '.join(card.tasks)}, base {card.base}")
    for task, figures in card.training.items():
        print(f"{task}: {', '.join(f'{key} {value}' for key, value in figures.items())}")
    print(f"trained from {outcome.examples} examples in {outcome.seconds:.1f} s")
