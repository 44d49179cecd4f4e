"""`trellis pretrain`: what every mini starts from, learnt from made schemas alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trellis.cli.progress import show_progress

START = Path("service/trellis/training/language_models/start.safetensors")


def pretrain(
    out: Annotated[Path, typer.Option(help="File that is written.")] = START,
    schemas: Annotated[int, typer.Option(min=2, help="Schemas that are made.")] = 2_400,
    questions: Annotated[int, typer.Option(min=1, help="Questions over each of them.")] = 160,
    steps: Annotated[int, typer.Option(min=1, help="Optimisation steps.")] = 16_000,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal files.")] = 0,
) -> None:
    """Train what minis start from: the reading of a schema's words, whatever the schema."""
    # torch is slow to load
    from trellis.training.pretraining import PretrainingOptions, pretrain_start

    options = PretrainingOptions(out, schemas, questions, steps, seed)
    with show_progress() as report:
        outcome = pretrain_start(options, report)
    print(
        f"{out}: {outcome.questions:,} questions over {schemas:,} made schemas, "
        f"loss {outcome.loss:.3f}, {outcome.seconds:.0f} s"
    )
