"""`trellis ask`: one question, its answer with the evidence, and the seconds of each step."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from trellis.cli.asking import open_client
from trellis.cli.options import MethodOption, ModelOption, UrlOption
from trellis.cli.telling import show_whole_answer, wait_for_answer
from trellis.cli.terminal import Terminal, echo_csv, echo_json
from trellis.wire.bodies import ReplyBody
from trellis.wire.csv_text import write_csv


def ask(
    question: Annotated[str, typer.Argument(help="The question, in plain language.")],
    method: MethodOption = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print what the API answers, for scripts.")
    ] = False,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print the rows of the answer, for spreadsheets.")
    ] = False,
    model: ModelOption = None,
    topics: Annotated[
        list[str] | None, typer.Option(help="A name to start from, instead of linking; repeatable.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The most answers to give.")] = None,
    url: UrlOption = None,
) -> None:
    """Answer one question from the graph."""
    if json and csv:
        raise typer.BadParameter("it does not go with --json", param_hint="--csv")
    console = Terminal(highlight=False)

    async def ask_question() -> ReplyBody:
        async with open_client(url, model, question, method) as opened:
            events = opened.stream(question, method=method, topics=topics, limit=limit)
            return await wait_for_answer(events, Terminal(quiet=True) if json or csv else console)

    answer = asyncio.run(ask_question())
    if json:
        echo_json(answer.model_dump_json(exclude_none=True, indent=1))
    elif csv:
        echo_csv(write_csv(answer))
    else:
        show_whole_answer(answer, console)
