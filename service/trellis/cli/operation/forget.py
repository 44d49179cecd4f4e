"""`trellis forget`: deletes old answers and audit rows, or all that is kept of one caller."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from trellis.cli.opening import open_database
from trellis.cli.terminal import echo
from trellis.store.retention import Retention, RowCounts

_WHAT = "--answers, --audit or --caller"


def forget(
    answers: Annotated[
        float | None,
        typer.Option(min=0, help="Delete answers older than so many days, with their feedback."),
    ] = None,
    audit: Annotated[
        float | None, typer.Option(min=0, help="Delete audit rows older than so many days.")
    ] = None,
    caller: Annotated[
        str | None,
        typer.Option(
            help="Delete all answers, feedback and audit rows of a key's id, or of `oidc:` and a "
            "subject, and the key itself if it was revoked."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how much it would be, and delete nothing.")
    ] = False,
) -> None:
    """Delete what the store keeps, in all graphs: by age, or of one caller.

    It works beside services that run. Backups are not touched.
    """
    is_by_age = answers is not None or audit is not None
    if is_by_age == (caller is not None):
        raise typer.BadParameter("delete either by age or of one caller", param_hint=_WHAT)
    counts = asyncio.run(_forget(answers, audit, caller, dry_run))
    echo(f"{'would delete' if dry_run else 'deleted'} {counts.describe()}")


async def _forget(
    answers: float | None, audit: float | None, caller: str | None, is_dry: bool
) -> RowCounts:
    async with open_database() as database:
        retention = Retention(database)
        by_age = retention.choose_older(answers, audit)
        choice = by_age if caller is None else retention.choose_caller(caller)
        return await (retention.count_rows if is_dry else retention.delete_rows)(choice)
