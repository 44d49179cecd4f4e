"""`trellis ask`: one question, its answer, its evidence, and where the time went."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from trellis.domain.values import Reply
from trellis.settings import Settings
from trellis.steps.reason import told
from trellis.wiring import house

_MOST_SHOWN = 20


def ask(
    question: Annotated[str, typer.Argument(help="The question, in plain language.")],
    method: Annotated[str | None, typer.Option(help="The method; unset: the default.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the whole reply as JSON.")] = False,
    model: Annotated[Path | None, typer.Option(help="Folder of the trained model.")] = None,
    topics: Annotated[
        list[str] | None, typer.Option(help="A name to start from, instead of linking; repeatable.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The most answers to give.")] = None,
) -> None:
    """Answer one question from the graph."""
    reply = asyncio.run(_reply(question, method, model, topics, limit))
    if json:
        typer.echo(TypeAdapter(Reply).dump_json(reply, indent=1).decode())
    else:
        show(reply, Console(highlight=False))


async def _reply(
    text: str,
    method: str | None,
    model: Path | None,
    topics: list[str] | None,
    limit: int | None,
) -> Reply:
    async with house(Settings(), model) as opened:
        question = opened.question(text, topics, limit)
        return await opened.answer(question, method)


def show(reply: Reply, console: Console) -> None:
    """Print a reply for people."""
    if reply.abstained:
        console.print("[bold]Not in this graph[/], as far as was tried:")
        for tried in reply.candidates[:_MOST_SHOWN]:
            console.print(f"  {escape(tried.text.strip())}")
    for answer in reply.answers[:_MOST_SHOWN]:
        console.print(f"[bold green]{escape(answer.node.name)}[/]  {answer.score:.2f}")
    _rest(console, len(reply.answers))
    if reply.wording:
        console.print(escape(reply.wording))
    for walk in reply.evidence[:_MOST_SHOWN]:
        console.print(f"  {escape(told(walk))}", soft_wrap=True)
    _rest(console, len(reply.evidence))
    for note in reply.notes:
        console.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)
    console.print(_times(reply))


def _rest(console: Console, count: int) -> None:
    if count > _MOST_SHOWN:
        console.print(f"  … and {count - _MOST_SHOWN} more (--json shows all)")


def _times(reply: Reply) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("step")
    table.add_column("ms", justify="right")
    table.add_column("share", justify="right")
    total = sum(step.seconds for step in reply.steps)
    for step in reply.steps:
        share = step.seconds / total if total else 0.0
        table.add_row(step.name, f"{step.seconds * 1000:.1f}", f"{share:.0%}")
    table.add_row("all", f"{total * 1000:.1f}", "")
    return table
