"""`trellis wording`: a wording file for the loaded graph, to be edited by hand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trellis.cli.opening import open_graph
from trellis.cli.terminal import echo
from trellis.domain.errors import EmptyGraphError, InputError
from trellis.domain.reasons import with_reason
from trellis.graphs_file import read_settings
from trellis.settings import Settings

if TYPE_CHECKING:  # these take seconds to import, which `--help` does not need
    from trellis.domain.graphs.schema import Schema
    from trellis.engines.chats.completions import ChatCompletions
    from trellis.lexicon.wording_file import Wording
    from trellis.training.wording_files.asking import WrittenPhrases

_TOKENS = 2_048  # of one answer of a hosted model


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What was read and made. `written`: what a hosted model did, where one is set."""

    schema: Schema
    skeleton: Wording
    wording: Wording
    dropped: list[str]
    written: WrittenPhrases | None


def wording(
    out: Annotated[Path, typer.Option(dir_okay=False, help="The wording file to write.")],
    former: Annotated[
        Path | None, typer.Option("--from", help="A wording file whose own lists are kept.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Replace the file where it exists.")] = False,
) -> None:
    """Write a wording file for the loaded graph: how its relations and properties are spoken of.

    It is a start, to be edited by hand and given to `trellis train --wording FILE`. Where a hosted
    model is set (TRELLIS_DECODER_URL), it is asked for more phrases, and what it cannot tell apart
    itself is dropped.
    """
    from trellis.training.wording_files.skeleton import format_wording

    _check_target(out, force)
    outcome = asyncio.run(_make_wording(read_settings(), former))
    try:
        out.write_text(format_wording(outcome.wording), "utf-8")
    except OSError as error:
        problem = with_reason(f"{out} cannot be written", error)
        raise InputError(problem, "name another file") from error
    _print_outcome(outcome, out)


def _check_target(out: Path, force: bool) -> None:
    """InputError where the file could not be written in the end, or must not be."""
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}", "make it, or name another file")
    if out.exists() and not force:
        raise InputError(
            f"{out} exists, and may have been edited",
            f"give --force to replace it, with `--from {out}` to keep what it says",
        )


async def _make_wording(settings: Settings, former: Path | None) -> _Outcome:
    from trellis.lexicon.wording_file import read_wording
    from trellis.training.wording_files.skeleton import build_skeleton, keep_former, list_dropped
    from trellis.wiring.hosted_chats import open_completions

    said = read_wording(former) if former else {}
    schema = await _read_schema(settings)
    skeleton = build_skeleton(schema)
    made = keep_former(skeleton, said, schema)
    async with open_completions(settings) as model:
        written = await _ask_model(model, schema, made) if model else None
    return _Outcome(
        schema, skeleton, written.wording if written else made, list_dropped(said, schema), written
    )


async def _read_schema(settings: Settings) -> Schema:
    async with open_graph(settings) as connection:
        from trellis.wiring.assemble import build_graph

        schema = await build_graph(connection, settings).schema()
        if not schema.labels and not schema.edges:
            raise EmptyGraphError(
                f"the graph at {connection.uri} has nothing that could be spoken of",
                "load one: `trellis load`",
            )
        return schema


async def _ask_model(model: ChatCompletions, schema: Schema, made: Wording) -> WrittenPhrases:
    from trellis.engines.chats.chat import Message
    from trellis.training.wording_files.asking import write_phrases

    async def ask_text(instructions: str, request: str) -> str:
        messages: list[Message] = [
            {"role": "system", "content": instructions},
            {"role": "user", "content": request},
        ]
        return await model.complete_chat(messages, _TOKENS)

    return await write_phrases(ask_text, schema, made)


def _print_outcome(outcome: _Outcome, out: Path) -> None:
    from trellis.training.wording_files.skeleton import find_bare_names

    parts = {"relations": "relations", "types": "labels", "properties": "properties"}
    counts = (f"{len(outcome.wording[part])} {noun}" for part, noun in parts.items())
    echo(f"{out}: {', '.join(counts)}")
    if outcome.dropped:
        echo(f"dropped, not in the graph any more: {', '.join(outcome.dropped)}")
    if outcome.written:
        _print_written(outcome.written)
    bare = find_bare_names(outcome.schema, outcome.skeleton, outcome.wording)
    for noun, names in (
        ("relations (^ backwards)", bare.relations),
        ("labels", bare.labels),
        ("properties", bare.properties),
    ):
        if names:
            echo(f"{noun} with nothing but what their names say: {', '.join(names)}")


def _print_written(written: WrittenPhrases) -> None:
    refused = written.refusals
    echo(
        f"from the hosted model: {written.kept} phrases; dropped: {refused.malformed} malformed, "
        f"{refused.taken} that mean something else too, {refused.misread} not understood when read"
    )
    if written.problem:
        echo(f"the hosted model: {written.problem}")
