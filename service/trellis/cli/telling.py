"""Answers for people: progress while a question is answered, then the answer and its evidence."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from trellis.steps.paths.path_prompt import placeholder
from trellis.steps.queries.value_mentions import value_name
from trellis.wire.bodies import Answered, CandidateBody, MentionBody
from trellis.wire.events import Answer, Candidates, Links, Told

_MOST_SHOWN = 20
_MOST_TRIED = 3


async def told(telling: AsyncGenerator[Told], console: Console) -> Answered:
    """The answer; on a terminal, what is known so far is shown while it is on its way."""
    linked: list[MentionBody] = []
    with console.status("linking names") as status:
        async with aclosing(telling):
            async for event in telling:
                if isinstance(event, Answer):
                    return event.answer
                if isinstance(event, Links):
                    linked = event.links
                if console.is_terminal:
                    status.update(_progress(event, linked, console))
    raise AssertionError("a question ends in its answer or in an error")


def _progress(event: Told, linked: Sequence[MentionBody], console: Console) -> str:
    """Show what a step found; gives what comes next."""
    if isinstance(event, Links):
        for mention in linked:
            best = mention.links[0]
            kinds = ", ".join(best.labels) + (f".{best.property}" if best.property else "")
            kind = f" ({kinds})" if kinds else ""
            _dim(console, f"{mention.text} → {best.name}{kind}")
        return "writing paths"
    if isinstance(event, Candidates):
        for tried in event.candidates[:_MOST_TRIED]:
            _dim(console, f"{said(tried.text, linked)}  {math.exp(tried.score):.0%}")
        return "weighing the evidence"
    return "wording the answer"


def _dim(console: Console, text: str) -> None:
    console.print(f"[dim]{escape(text)}[/]", soft_wrap=True)


def show(answer: Answered, console: Console) -> None:
    """The whole answer."""
    show_answers(answer, console)
    if answer.cypher:
        console.print(f"[dim]{escape(answer.cypher)}[/]", highlight=False)
        console.print(f"[dim]{escape(str(answer.params or {}))}[/]", highlight=False)
    show_evidence(answer, console)
    for note in answer.notes:
        console.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)
    console.print(times(answer))


def show_answers(answer: Answered, console: Console) -> None:
    """The names, or what was tried where there are none."""
    if answer.abstained:
        console.print("[bold]Not in this graph[/], as far as was tried:")
        for tried in answer.candidates[:_MOST_SHOWN]:
            console.print(f"  {escape(_came_to(tried, answer.mentions))}", soft_wrap=True)
    elif not answer.answers:
        console.print("[bold green]None[/]: nothing in this graph matches")
    for one in answer.answers[:_MOST_SHOWN]:
        console.print(f"[bold green]{escape(one.name)}[/]  {one.score:.2f}", soft_wrap=True)
    _rest(console, len(answer.answers))
    if answer.wording:
        console.print(escape(answer.wording))


def show_evidence(answer: Answered, console: Console) -> None:
    """The paths that the answer stands on."""
    for path in answer.paths[:_MOST_SHOWN]:
        console.print(f"  {escape(path)}", soft_wrap=True)
    _rest(console, len(answer.paths))


def said(sentence: str, linked: Sequence[MentionBody]) -> str:
    """A sentence of the model with the question's names in place of `ENT1`, …, or `v0`, …"""
    texts = {_name(index, mention): mention.text for index, mention in enumerate(linked)}
    return " ".join(texts.get(word, word) for word in sentence.split(" ")).strip()


def _name(index: int, mention: MentionBody) -> str:
    """How sentences call a mention: of a node, or of a value."""
    is_value = any(link.property for link in mention.links)
    return value_name(index) if is_value else placeholder(index)


def _came_to(tried: CandidateBody, linked: Sequence[MentionBody]) -> str:
    """A candidate, and what became of it where that is known."""
    rows = None if tried.answers is None else f"{tried.answers} found"
    came = tried.problem or rows
    return said(tried.text, linked) + (f": {came}" if came else "")


def times(answer: Answered) -> Table:
    """Where the time went."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("step")
    table.add_column("ms", justify="right")
    table.add_column("share", justify="right")
    total = sum(step.seconds for step in answer.steps)
    for step in answer.steps:
        share = step.seconds / total if total else 0.0
        table.add_row(step.name, f"{step.seconds * 1000:.1f}", f"{share:.0%}")
    table.add_row("all", f"{total * 1000:.1f}", "")
    return table


def _rest(console: Console, count: int) -> None:
    if count > _MOST_SHOWN:
        console.print(f"  … and {count - _MOST_SHOWN} more (--json shows all)")
