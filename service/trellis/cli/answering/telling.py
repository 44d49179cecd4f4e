"""Shows answers on a console: progress during a question, then the answer and its evidence."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Literal

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from trellis.cli.terminal import Terminal
from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.steps.link.values.value_mentions import value_name
from trellis.wire.bodies import CandidateBody, MentionBody, NodeChoiceBody, OpinionBody, ReplyBody
from trellis.wire.events import (
    AnswerEvent,
    CandidatesEvent,
    ChainEvent,
    LinksEvent,
    OpinionEvent,
    PlaceEvent,
    QuestionEvent,
)
from trellis.wire.tables import AnswerTable, count_answers, cut_text, tell_cut

_MOST_SHOWN = 20
_MOST_TRIED = 3
_MOST_NEAREST = 3
_MOST_WHOLE = 5  # paths; many texts would be a wall of words


async def wait_for_answer(
    events: AsyncGenerator[QuestionEvent], console: Console, *, tells_steps: bool
) -> ReplyBody:
    """Follow the events of a question until its answer; a terminal shows which step is under way.

    `tells_steps`: whether it shows what each found, too.
    """
    mentions: list[MentionBody] = []
    with console.status("linking names") as status:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, AnswerEvent):
                    return event.answer
                if isinstance(event, LinksEvent):
                    mentions = event.links
                if console.is_terminal:
                    told = console if tells_steps else Terminal(quiet=True)
                    status.update(_show_event(event, mentions, told))
    raise AssertionError("a question ends in its answer or in an error")


def _show_event(event: QuestionEvent, mentions: Sequence[MentionBody], console: Console) -> str:
    """Show what a step found; returns the name of the next step."""
    if isinstance(event, PlaceEvent):
        return f"waiting, {event.words}"
    if isinstance(event, LinksEvent):
        for mention in mentions:
            best = mention.links[0]
            kinds = ", ".join(best.labels) + (f".{best.property}" if best.property else "")
            kind = f" ({kinds})" if kinds else ""
            _print_dim(console, f"{mention.text} → {best.name}{kind}")
        return "writing paths"
    if isinstance(event, ChainEvent):
        if event.triples and not event.has_ended:
            head, relation, tail = event.triples[-1]
            _print_dim(console, f"{len(event.triples)}. {head} -{relation}-> {tail}")
        return "reasoning"
    if isinstance(event, OpinionEvent):
        _print_dim(console, _describe_opinion(event.opinion))
        return "asking other methods"
    if isinstance(event, CandidatesEvent):
        for candidate in event.candidates[:_MOST_TRIED]:
            _print_dim(
                console,
                f"{insert_names(candidate.text, mentions)}  {math.exp(candidate.score):.0%}",
            )
        return "weighing the evidence"
    return "wording the answer"


def _describe_opinion(opinion: OpinionBody) -> str:
    """What a method came to, in one line."""
    stance = opinion.stance.replace("_", " ")
    sure = f" at {opinion.confidence:.2f}" if opinion.stance in ("answered", "none") else ""
    return f"{opinion.method}: {stance}{sure}, {opinion.seconds:.2f} s"


def _print_dim(console: Console, text: str) -> None:
    console.print(f"[dim]{escape(text)}[/]", soft_wrap=True)


def list_answer_lines(answer: ReplyBody) -> list[str]:
    """What is claimed, a line each and nothing else: rows with tabs, names, or a sentence."""
    if answer.abstained:
        return []
    if table := AnswerTable.of(answer):
        return ["\t".join(row) for row in table.write_rows(len(table.rows))]
    names = [" ".join(node.name.split()) for node in answer.answers]
    return names or ([answer.wording] if answer.wording else [])


def show_short_answer(answer: ReplyBody, console: Console) -> None:
    """Print the answer with the first of its facts, or of what was tried, and its notes."""
    show_answers(answer, console, most_tried=_MOST_TRIED)
    show_evidence(answer, console, most=_MOST_WHOLE)
    _print_notes(answer, console)


def _print_notes(answer: ReplyBody, console: Console) -> None:
    for note in answer.notes:
        console.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)


def show_whole_answer(answer: ReplyBody, console: Console) -> None:
    """Print the answer with its query, evidence, notes and times."""
    show_answers(answer, console)
    if answer.cypher:
        for line in _split_query(answer.cypher):
            console.print(f"[dim]{escape(line)}[/]", highlight=False)
        console.print(f"[dim]{escape(str(answer.params or {}))}[/]", highlight=False)
    show_evidence(answer, console)
    if answer.chosen:
        said = "; ".join(_describe_opinion(each) for each in answer.chosen.methods)
        _print_dim(console, f"{answer.chosen.reason} ({said})")
    _print_notes(answer, console)
    console.print(build_times_table(answer))


def _split_query(query: str) -> list[str]:
    """The lines of a query; a newline in a quoted name of it begins none."""
    lines: list[str] = []
    for line in query.split("\n"):
        if lines and lines[-1].count("`") % 2:
            lines[-1] += f"\n{line}"
        else:
            lines.append(line)
    return lines


def show_answers(answer: ReplyBody, console: Console, most_tried: int = _MOST_SHOWN) -> None:
    """Print how the question was understood, and the names of the answer; or the candidates that
    were tried if there is none, at most `most_tried`."""
    if answer.asked:
        _print_dim(console, f"asked as: {answer.asked}")
    if answer.reading:
        _print_dim(console, f"understood as: {answer.reading}{_tell_confidence(answer)}")
    if answer.abstained:
        console.print(_describe_silence(answer), soft_wrap=True)
        _print_excerpts(answer, console)
        if answer.choices:
            _print_choices(answer.choices, console)
            return
        for candidate in answer.candidates[:most_tried]:
            console.print(
                f"  {escape(_describe_candidate(candidate, answer.mentions))}", soft_wrap=True
            )
    elif not answer.answers and not answer.wording:
        console.print("[bold green]None[/]: nothing in this graph matches")
    if table := AnswerTable.of(answer):
        _print_table(table, console)
    else:
        _print_names(answer, console)
    if answer.wording:
        console.print(escape(answer.wording))


def _tell_confidence(answer: ReplyBody) -> str:
    """How sure an answer is, which is never wholly; nothing where there is none."""
    return "" if answer.abstained else f" ({min(answer.confidence, 0.99):.0%} sure)"


def _print_names(answer: ReplyBody, console: Console) -> None:
    shown = answer.answers[:_MOST_SHOWN]
    for node in shown:
        apart = f" ({node.distinction})" if node.distinction else ""
        said = f"“{node.name}”" if answer.is_quote(node) else node.name
        name = f"[bold green]{escape(said)}[/]{escape(apart)}"
        console.print(name, soft_wrap=True)
    _print_cut(console, len(shown), count_answers(answer), len(answer.answers))


def _print_choices(choices: Sequence[NodeChoiceBody], console: Console) -> None:
    """The nodes that may be meant, numbered, with the ids by which one is chosen."""
    for number, choice in enumerate(choices, 1):
        meant = escape(f"{choice.name} ({choice.distinction})")
        topic = escape(f"--topics {choice.id}")
        console.print(f"  {number}. {meant}  [dim]{topic}[/]", soft_wrap=True)


def _print_table(table: AnswerTable, console: Console) -> None:
    """The first rows, aligned: numbers to the right; a console that is too narrow wraps cells."""
    drawn = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for place, name in enumerate(table.columns):
        side: Literal["left", "right"] = "right" if table.is_number_column(place) else "left"
        style = "bold green" if place == 0 else ""
        drawn.add_column(escape(cut_text(name)), justify=side, style=style, overflow="fold")
    shown = table.write_rows(_MOST_SHOWN)
    for row in shown:
        drawn.add_row(*map(escape, row))
    console.print(drawn)
    _print_cut(console, len(shown), table.row_count, len(table.rows))


def _print_cut(console: Console, shown: int, total: int, held: int) -> None:
    """How many there are where not all are shown, and how to see those that the answer holds."""
    if cut := tell_cut(shown, total):
        console.print(f"  … {cut}{' (--json shows more)' if held > shown else ''}")


def _print_excerpts(answer: ReplyBody, console: Console) -> None:
    """What the texts of described nodes say that only came nearest, on a line each."""
    for node in answer.nearest.answers[:_MOST_NEAREST] if answer.nearest else ():
        if node.excerpt:
            _print_dim(console, f"  {node.name}: “{cut_text(' '.join(node.excerpt.split()))}”")


def _describe_silence(answer: ReplyBody) -> str:
    """Why there is no answer: it was held back, it is not sure enough, or nothing was found."""
    if answer.held_back:
        return f"[bold]No answer[/]: {escape(answer.held_back)}"
    nearest = answer.nearest.answers[:_MOST_NEAREST] if answer.nearest else []
    if nearest:
        names = ", ".join(node.name for node in nearest)
        sure = f"[bold]Not sure enough to answer[/] ({answer.confidence:.0%})"
        return f"{sure}; nearest: {escape(names)}; tried:"
    return "[bold]Not in this graph[/], as far as was tried:"


def show_evidence(answer: ReplyBody, console: Console, most: int = _MOST_SHOWN) -> None:
    """Print the paths that support the answer, at most `most`: the first ones whole, long ones
    behind them cut."""
    for number, path in enumerate(answer.paths[:most]):
        line = " ".join(path.split()) if number < _MOST_WHOLE else cut_text(path)
        console.print(f"  {escape(line)}", soft_wrap=True)
    shown, total = len(answer.paths[:most]), len(answer.paths)
    if max(total, answer.facts_total or 0) > shown:
        rest = " (--json shows more)" if total > shown else ""
        console.print(f"  {shown} of {max(total, answer.facts_total or 0):,} facts shown{rest}")


def insert_names(sentence: str, mentions: Sequence[MentionBody]) -> str:
    """A sentence of the model, its placeholders (`ENT1`, `v0`) replaced by the question's names."""
    texts = {
        _choose_placeholder(index, mention): mention.text for index, mention in enumerate(mentions)
    }
    return " ".join(texts.get(word, word) for word in sentence.split(" ")).strip()


def _choose_placeholder(index: int, mention: MentionBody) -> str:
    """The placeholder of a mention in the model's sentences, by whether it is a value or a node."""
    is_value = any(link.property for link in mention.links)
    return value_name(index) if is_value else mention_placeholder(index)


def _describe_candidate(candidate: CandidateBody, mentions: Sequence[MentionBody]) -> str:
    """A candidate's sentence, with its problem or its number of answers if it was run."""
    rows = None if candidate.answers is None else f"{candidate.answers} found"
    outcome = candidate.problem or rows
    return insert_names(candidate.text, mentions) + (f": {outcome}" if outcome else "")


def build_times_table(answer: ReplyBody) -> Table:
    """A table of the milliseconds and the share of each step."""
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
