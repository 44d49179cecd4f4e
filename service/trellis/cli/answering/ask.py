"""`trellis ask`: one question, its answer and the facts that it stands on."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from trellis.cli.answering.asking import open_client
from trellis.cli.answering.outcomes import ExitCodeOption, choose_answer_code
from trellis.cli.answering.telling import (
    list_answer_lines,
    show_short_answer,
    show_whole_answer,
    wait_for_answer,
)
from trellis.cli.options import ASKING, OUTPUT, JsonOption, MethodOption, ModelOption, UrlOption
from trellis.cli.terminal import Terminal, echo, echo_csv, echo_json
from trellis.wire.bodies import ReplyBody
from trellis.wire.csv_text import write_csv


def ask(
    question: Annotated[str, typer.Argument(help="The question, in plain language.")],
    method: MethodOption = None,
    json: JsonOption = False,
    csv: Annotated[
        bool,
        typer.Option(
            "--csv", help="Print the rows of the answer, for spreadsheets.", rich_help_panel=OUTPUT
        ),
    ] = False,
    steps: Annotated[
        bool,
        typer.Option(
            "--steps",
            help="Print what was tried too: steps, queries, all facts, times.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", help="Print the answers alone, one a line.", rich_help_panel=OUTPUT
        ),
    ] = False,
    exit_code: ExitCodeOption = False,
    model: ModelOption = None,
    topics: Annotated[
        list[str] | None,
        typer.Option(
            help="A name to start from, instead of linking; repeatable.", rich_help_panel=ASKING
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="The most answers to give.", rich_help_panel=ASKING)
    ] = None,
    url: UrlOption = None,
) -> None:
    """Answer one question from the graph."""
    _check_one_form({"--json": json, "--csv": csv, "--steps": steps, "--quiet": quiet})
    console = Terminal(highlight=False)

    async def ask_question() -> ReplyBody:
        async with open_client(url, model, question, method) as opened:
            events = opened.stream(question, method=method, topics=topics, limit=limit)
            is_silent = json or csv or quiet
            return await wait_for_answer(
                events, Terminal(quiet=True) if is_silent else console, tells_steps=steps
            )

    answer = asyncio.run(ask_question())
    if json:
        echo_json(answer.model_dump_json(exclude_none=True, indent=1))
    elif csv:
        echo_csv(write_csv(answer))
    elif quiet:
        for line in list_answer_lines(answer):
            echo(line)
    else:
        (show_whole_answer if steps else show_short_answer)(answer, console)
    if exit_code:
        raise typer.Exit(choose_answer_code(answer))


def _check_one_form(forms: dict[str, bool]) -> None:
    """A usage error where several forms of output are asked for."""
    first, *others = [name for name, is_given in forms.items() if is_given] or [""]
    if others:
        raise typer.BadParameter(f"it does not go with {first}", param_hint=others[0])
