"""An answer in plain text, its facts as numbered footnotes, and its names read back from such text.

Used where a program expects sentences: chat interfaces and agents.
"""

from __future__ import annotations

import re

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
_MOST_FACTS = 20
_MOST_NEAREST = 3

_MARKS = re.compile(r"(?: \[\d+\])+$")
_FOOTNOTES = re.compile(r"^(?:\[1\] |Asked as: |Understood as: )", re.MULTILINE)


def write_answer_text(reply: ReplyBody) -> str:
    """The answer, its facts as `[1]`, and how the question was understood, each apart."""
    facts = [f"[{number}] {_flatten(path)}" for number, path in enumerate(reply.paths, 1)]
    more = len(facts) - _MOST_FACTS
    asked = [f"Asked as: {_flatten(reply.asked)}"] if reply.asked else []
    reading = [f"Understood as: {_flatten(reply.reading)}"] if reply.reading else []
    parts = (
        _write_claim(reply),
        "\n".join([*facts[:_MOST_FACTS], *([f"… and {more} more facts"] if more > 0 else [])]),
        "\n".join([*asked, *reading]),
    )
    return "\n\n".join(filter(None, parts))


def read_answer_names(text: str) -> tuple[str, ...]:
    """The names of an answer that `write_answer_text` wrote; of other texts, lines that are none.

    Whoever uses them looks them up.
    """
    match = _FOOTNOTES.search(text)
    head = text[: match.start()] if match else text
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    listed = [line[2:] for line in lines if line.startswith("- ")] or read_markdown_names(lines)
    return tuple(_MARKS.sub("", line) for line in (listed or lines[:1]))


def _write_claim(reply: ReplyBody) -> str:
    """What is claimed, or why nothing is."""
    if reply.abstained:
        return _write_silence(reply)
    if reply.verdict:
        return f"{reply.verdict.capitalize()}.{_write_marks(reply.answers[:1])}"
    if not reply.answers:
        return "None: nothing in this graph matches."
    wording = [_flatten(reply.wording)] if reply.wording else []
    count = [] if reply.count is None or len(reply.answers) == 1 else [f"{reply.count}:"]
    if table := AnswerTable.of(reply):
        return "\n\n".join([*wording, *count, *_write_table(table, reply)])
    if len(reply.answers) == 1 and not wording:
        return _write_answer(reply.answers[0])
    listed = [f"- {_write_answer(answer)}" for answer in reply.answers[:_MOST_ANSWERS]]
    cut = tell_cut(len(listed), count_answers(reply))
    return "\n".join([*wording, *count, *listed, *([f"… {cut}"] if cut else [])])


def _write_table(table: AnswerTable, reply: ReplyBody) -> list[str]:
    """The rows as a table with the footnotes of its answers, and how many there are."""
    marks = {answer.id or answer.name: _write_marks([answer]) for answer in reply.answers}
    firsts = [row[0] for row in table.rows[:_MOST_ANSWERS]]
    behind = [marks.get(identify_cell(cell), "") for cell in firsts]
    cut = tell_cut(len(firsts), table.row_count)
    written = write_markdown_table(table, _MOST_ANSWERS, behind)
    return [written, *([f"… {cut}"] if cut else [])]


def _write_silence(reply: ReplyBody) -> str:
    if reply.held_back:
        return f"No answer: {_flatten(reply.held_back)}."
    nearest = reply.nearest.answers[:_MOST_NEAREST] if reply.nearest else []
    if nearest:
        names = ", ".join(_flatten(answer.name) for answer in nearest)
        return f"Not sure enough to answer. What came nearest: {names}."
    return "Not in this graph, as far as was tried."


def _write_answer(answer: AnswerBody) -> str:
    return f"{_flatten(answer.name)}{_write_marks([answer])}"


def _write_marks(answers: list[AnswerBody]) -> str:
    """The footnotes of answers: ` [1] [2]`."""
    numbers = sorted({path + 1 for answer in answers for path in answer.paths})
    return "".join(f" [{number}]" for number in numbers if number <= _MOST_FACTS)


def _flatten(text: str) -> str:
    """The text on one line, so that no name can look like a footnote."""
    return " ".join(text.split())
