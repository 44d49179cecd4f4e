"""`trellis feedback export`: people's feedback on answers as a file of questions."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Literal

import typer

from trellis.cli.terminal import echo
from trellis.questions.feedback import FeedbackKind, FeedbackRows, list_feedback_rows, write_rows
from trellis.settings import Settings
from trellis.store.answers import Store


def feedback(
    action: Annotated[Literal["export"], typer.Argument(help="What to do with it.")],
    out: Annotated[Path, typer.Option(help="Where the questions go, as JSON lines.")],
    kind: Annotated[
        FeedbackKind,
        typer.Option(help="What they are for; regression keeps questions without answers too."),
    ] = "regression",
) -> None:
    """Write the questions whose right answers people have told."""
    assert action == "export"
    exported = asyncio.run(_read_feedback(kind))
    write_rows(exported.rows, out)
    echo(
        f"{len(exported.rows)} questions written to {out}, {exported.untold} judged ones left out: "
        "what would be right was not told, or is nothing to learn",
        err=True,
    )


async def _read_feedback(kind: FeedbackKind) -> FeedbackRows:
    settings = Settings()
    store = Store.at(settings.store_url, settings.graph)
    try:
        judgements = [judgement async for judgement in store.iterate_feedback()]
    finally:
        await store.close()
    return list_feedback_rows(judgements, kind)
