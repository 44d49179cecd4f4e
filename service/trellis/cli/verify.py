"""`trellis verify`: one claim, its verdict with the facts, and the seconds of each step."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from trellis.cli.asking import open_client
from trellis.cli.options import ModelOption, UrlOption
from trellis.cli.terminal import Terminal, echo_json
from trellis.wire.claims import ClaimBody


def verify(
    claim: Annotated[str, typer.Argument(help="The claim, in plain language.")],
    json: Annotated[
        bool, typer.Option("--json", help="Print what the API answers, for scripts.")
    ] = False,
    model: ModelOption = None,
    url: UrlOption = None,
) -> None:
    """Verify one claim against the graph."""

    async def verify_claim() -> ClaimBody:
        async with open_client(url, model) as opened:
            return await opened.verify(claim)

    verdict = asyncio.run(verify_claim())
    if json:
        echo_json(verdict.model_dump_json(exclude_none=True, indent=1))
    else:
        _show_verdict(verdict, Terminal(highlight=False))


def _show_verdict(verdict: ClaimBody, console: Console) -> None:
    """Print how the claim was understood, the verdict, and the facts for or against it."""
    if verdict.reading:
        console.print(f"[dim]understood as: {escape(verdict.reading)}[/]", soft_wrap=True)
    said = verdict.verdict.replace("_", " ")
    console.print(f"[bold]{said}[/] ({verdict.confidence:.0%})")
    for head, relation, tail in verdict.evidence:
        console.print(f"  {escape(f'{head} -{relation}-> {tail}')}", soft_wrap=True)
    for note in verdict.notes:
        console.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)
