"""`trellis prompt`: what a model is sent for a question."""

from __future__ import annotations

import asyncio
import json as json_text
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from trellis.cli.opening import open_app
from trellis.cli.options import (
    MethodOption,
    ModelOption,
    RenderingOption,
    ShotsOption,
    choose_prompting,
)
from trellis.cli.terminal import echo, echo_json
from trellis.domain.models.prompt import Prompt
from trellis.graphs_file import read_settings
from trellis.settings import Settings


def prompt(
    question: Annotated[str, typer.Argument(help="The question, in plain language.")],
    method: MethodOption = None,
    model: ModelOption = None,
    shots: ShotsOption = None,
    rendering: RenderingOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON, for scripts.")] = False,
) -> None:
    """Print what a model is sent for a question; nothing is answered."""
    settings = read_settings().model_copy(update=choose_prompting(shots, rendering))
    for written in asyncio.run(_list_prompts(question, method, model, settings)):
        if json:
            echo_json(json_text.dumps(asdict(written), indent=1))
            continue
        for line in _show_prompt(written).split("\n"):
            echo(line)


async def _list_prompts(
    text: str, method: str | None, model: str | None, settings: Settings
) -> Sequence[Prompt]:
    async with open_app(settings, model) as opened:
        # takes a second, which help does not wait for
        from trellis.app.prompts import list_prompts

        return await list_prompts(opened, opened.make_question(text), method)


def _show_prompt(written: Prompt) -> str:
    """The turns of a chat, each behind its role; of a trained model, the text that it reads."""
    if not written.messages:
        return written.render()
    return "\n".join(f"[{message.role}]\n{message.text.strip()}\n" for message in written.messages)
