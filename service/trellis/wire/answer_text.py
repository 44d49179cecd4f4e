"""An answer in plain text, its facts as numbered footnotes, and its names read back from such text.

Used where a program expects sentences: chat interfaces and agents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby, zip_longest

from trellis.domain.printable import escape_controls
from trellis.wire.bodies import AnswerBody, ReplyBody
from trellis.wire.cells import identify_cell
from trellis.wire.tables import (
    AnswerTable,
    count_answers,
    read_markdown_names,
    tell_cut,
    write_markdown_table,
)

_MOST_ANSWERS = 50
_MOST_FACTS = 20  # of all answers, beyond the first one of each
_MOST_MARKS = 5
_MOST_BESIDE = 5
_MOST_NEAREST = 3

_MARKS = re.compile(r"(?: \[\d+\](?:–\[\d+\])?)+$")
_FOOTNOTES = re.compile(r"^(?:\[1\] |Asked as: |Understood as: )", re.MULTILINE)


def write_answer_text(reply: ReplyBody) -> str:
    """The answer, its facts as `[1]`, and how the question was understood, each apart."""
    shown = _choose_facts(reply)
    marks = {fact: number for number, fact in enumerate(shown, 1)}
    facts = [f"[{number}] {_flatten(reply.paths[fact])}" for fact, number in marks.items()]
    total = max(reply.facts_total or 0, len(reply.paths))
    cut = [f"({len(shown):,} of {total:,} facts shown)"] if total > len(shown) else []
    asked = [f"Asked as: {_flatten(reply.asked)}"] if reply.asked else []
    reading = [f"Understood as: {_flatten(reply.reading)}"] if reply.reading else []
    parts = (
        _write_claim(reply, marks),
        "\n".join([*facts, *cut]),
        "\n".join([*asked, *reading]),
    )
    return "\n\n".join(filter(None, parts))


def _choose_facts(reply: ReplyBody) -> list[int]:
    """The numbers of the facts that are shown: in rounds, one of each answer, then those that no
    answer cites."""
    listed = reply.answers[:_MOST_ANSWERS]
    rounds = zip_longest(*(answer.paths for answer in listed))
    cited = dict.fromkeys(path for turn in rounds for path in turn if path is not None)
    all_cited = {path for answer in reply.answers for path in answer.paths}
    beside = [path for path in range(len(reply.paths)) if path not in all_cited]
    kept = list(cited)[: max(_MOST_FACTS, len(listed))]
    return [*sorted(kept), *beside[:_MOST_BESIDE]]


def read_answer_names(text: str) -> tuple[str, ...]:
    """The names of an answer that `write_answer_text` wrote; of other texts, lines that are none.

    Whoever uses them looks them up.
    """
    match = _FOOTNOTES.search(text)
    head = text[: match.start()] if match else text
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    listed = [line[2:] for line in lines if line.startswith("- ")] or read_markdown_names(lines)
    return tuple(_MARKS.sub("", line) for line in (listed or lines[:1]))


def _write_claim(reply: ReplyBody, marks: Mapping[int, int]) -> str:
    """What is claimed, or why nothing is."""
    if reply.abstained:
        return _write_silence(reply)
    wording = [_flatten(reply.wording)] if reply.wording else []
    if reply.verdict:
        verdict = f"{reply.verdict.capitalize()}.{_write_marks(reply.answers[:1], marks)}"
        return "\n".join([verdict, *wording])
    if not reply.answers:
        return "\n".join(wording or ["None: nothing in this graph matches."])
    count = [] if reply.count is None or len(reply.answers) == 1 else [f"{reply.count}:"]
    if table := AnswerTable.of(reply):
        return "\n\n".join([*wording, *count, *_write_table(table, reply, marks)])
    if len(reply.answers) == 1 and not wording:
        return _write_answer(reply.answers[0], reply, marks)
    shown = reply.answers[:_MOST_ANSWERS]
    listed = [f"- {_write_answer(answer, reply, marks)}" for answer in shown]
    cut = tell_cut(len(listed), count_answers(reply))
    return "\n".join([*wording, *count, *listed, *([f"… {cut}"] if cut else [])])


def _write_table(table: AnswerTable, reply: ReplyBody, numbers: Mapping[int, int]) -> list[str]:
    """The rows as a table with the footnotes of its answers, and how many there are."""
    marks = {answer.id or answer.name: _write_marks([answer], numbers) for answer in reply.answers}
    firsts = [row[0] for row in table.rows[:_MOST_ANSWERS]]
    behind = [marks.get(identify_cell(cell), "") for cell in firsts]
    cut = tell_cut(len(firsts), table.row_count)
    written = write_markdown_table(table, _MOST_ANSWERS, behind)
    return [written, *([f"… {cut}"] if cut else [])]


def _write_silence(reply: ReplyBody) -> str:
    if reply.held_back:
        choices = [f"{each.name} ({each.distinction})" for each in reply.choices]
        listed = f": {_flatten('; '.join(choices))}" if choices else ""
        return f"No answer: {_flatten(reply.held_back)}{listed}."
    nearest = reply.nearest.answers[:_MOST_NEAREST] if reply.nearest else []
    if nearest:
        names = ", ".join(_flatten(answer.name) for answer in nearest)
        return f"Not sure enough to answer. What came nearest: {names}."
    return "Not in this graph, as far as was tried."


def _write_answer(answer: AnswerBody, reply: ReplyBody, marks: Mapping[int, int]) -> str:
    apart = f" ({answer.distinction})" if answer.distinction else ""
    name = f"“{answer.name}”" if reply.is_quote(answer) else answer.name
    return f"{_flatten(name + apart)}{_write_marks([answer], marks)}"


def _write_marks(answers: list[AnswerBody], marks: Mapping[int, int]) -> str:
    """The footnotes of answers: ` [1] [2]`."""
    numbers = {marks[path] for answer in answers for path in answer.paths if path in marks}
    runs = [list(run) for _, run in groupby(enumerate(sorted(numbers)), lambda at: at[1] - at[0])]
    return "".join(_write_run([number for _, number in run]) for run in runs)


def _write_run(numbers: Sequence[int]) -> str:
    """Consecutive footnotes: ` [1] [2] [3]`, or ` [1]–[9]` where there are many."""
    if len(numbers) > _MOST_MARKS:
        return f" [{numbers[0]}]–[{numbers[-1]}]"
    return "".join(f" [{number}]" for number in numbers)


def _flatten(text: str) -> str:
    """The text on one line, so that no name can look like a footnote, or act in a terminal."""
    return escape_controls(" ".join(text.split()))
