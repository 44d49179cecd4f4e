"""`trellis verify`: one claim, its verdict with the facts, and the seconds of each step."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from trellis.cli.answering.asking import open_client
from trellis.cli.answering.outcomes import ExitCodeOption, choose_claim_code
from trellis.cli.options import OUTPUT, JsonOption, ModelOption, UrlOption
from trellis.cli.terminal import Terminal, echo, echo_json
from trellis.wire.claims import ClaimBody


def verify(
    claim: Annotated[str, typer.Argument(help="The claim, in plain language.")],
    json: JsonOption = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Print the verdict alone.", rich_help_panel=OUTPUT),
    ] = False,
    exit_code: ExitCodeOption = False,
    model: ModelOption = None,
    url: UrlOption = None,
) -> None:
    """Verify one claim against the graph."""
    if json and quiet:
        raise typer.BadParameter("it does not go with --json", param_hint="--quiet")

    async def verify_claim() -> ClaimBody:
        async with open_client(url, model) as opened:
            return await opened.verify(claim)

    verdict = asyncio.run(verify_claim())
    if json:
        echo_json(verdict.model_dump_json(exclude_none=True, indent=1))
    elif quiet:
        echo(_name_verdict(verdict))
    else:
        _show_verdict(verdict, Terminal(highlight=False))
    if exit_code:
        raise typer.Exit(choose_claim_code(verdict))


def _name_verdict(verdict: ClaimBody) -> str:
    return verdict.verdict.replace("_", " ")


def _show_verdict(verdict: ClaimBody, console: Console) -> None:
    """Print how the claim was understood, the verdict, and the facts for or against it."""
    if verdict.reading:
        console.print(f"[dim]understood as: {escape(verdict.reading)}[/]", soft_wrap=True)
    console.print(f"[bold]{_name_verdict(verdict)}[/] ({verdict.confidence:.0%})")
    for head, relation, tail in verdict.evidence:
        console.print(f"  {escape(f'{head} -{relation}-> {tail}')}", soft_wrap=True)
    for note in verdict.notes:
        console.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)
