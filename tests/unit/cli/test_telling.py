"""What a console shows of a reply without answers: why there are none."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from trellis.cli.answering.telling import (
    show_answers,
    show_short_answer,
    show_whole_answer,
    wait_for_answer,
)
from trellis.cli.terminal import Terminal
from trellis.domain.graphs.facts import Fact, PropertyFact
from trellis.domain.graphs.graph import Node
from trellis.domain.replies.reply import Answer, CandidateOutcome, Reply
from trellis.wire.answer_text import write_answer_text
from trellis.wire.bodies import ReplyBody
from trellis.wire.events import AnswerEvent, ChainEvent, LinksEvent, QuestionEvent

NEAREST = tuple(Answer(Node("", name), 0.4 - 0.1 * at) for at, name in enumerate("abcd"))
TRIED = (CandidateOutcome("list river", -1.0, 2),)


def show(reply: Reply) -> str:
    out = io.StringIO()
    show_answers(ReplyBody.of("1", reply), Terminal(file=out, highlight=False, width=40))
    return out.getvalue()


def abstain(nearest: tuple[Answer, ...] = (), held_back: str = "") -> Reply:
    return Reply(
        "?", "raft", (), (), 0.1, True, candidates=TRIED, nearest=nearest, held_back=held_back
    )


@pytest.mark.parametrize(
    ("reply", "headline"),
    [
        (abstain(held_back="the question says “[not]”"), "No answer: the question says “[not]”"),
        (abstain(NEAREST, "no length is known for Po"), "No answer: no length is known for Po"),
        (abstain(NEAREST), "Not sure enough to answer (10%); nearest: a, b, c; tried:"),
        (
            abstain((Answer(Node("", "Rio [Sul]"), 0.4),)),
            "Not sure enough to answer (10%); nearest: Rio [Sul]; tried:",
        ),
        (abstain(), "Not in this graph, as far as was tried:"),
    ],
)
def test_a_reply_without_answers_says_why(reply: Reply, headline: str) -> None:
    assert show(reply) == f"{headline}\n  list river: 2 found\n"


def test_what_came_nearest_shows_what_its_text_says() -> None:
    answer = Answer(Node("", "Clip [One]"), 0.4, excerpt="A lamp that\nclips [on] books.")
    headline, excerpt, _ = show(abstain((answer, Answer(Node("", "Po"), 0.3)))).splitlines()
    assert headline == "Not sure enough to answer (10%); nearest: Clip [One], Po; tried:"
    assert excerpt == "  Clip [One]: “A lamp that clips [on] books.”"


def test_a_reply_of_nothing_says_so_in_its_own_sentence() -> None:
    none = Reply("?", "raft", (), (), 0.9, False)
    for tried in ((), TRIED):
        assert show(replace(none, candidates=tried)) == "None: nothing in this graph matches\n"
    assert show(replace(none, wording="A and B are not connected.")) == (
        "A and B are not connected.\n"
    )


def test_a_short_answer_tells_the_first_of_what_was_tried() -> None:
    tried = tuple(CandidateOutcome(f"way {i}", -0.1, None) for i in range(9))
    out = io.StringIO()
    show_short_answer(
        ReplyBody.of("1", replace(abstain(), candidates=tried)), Terminal(file=out, highlight=False)
    )
    assert out.getvalue().splitlines()[1:] == ["  way 0", "  way 1", "  way 2"]


def test_texts_are_quoted_and_are_no_wall_of_words() -> None:
    texts = [
        PropertyFact(Node(f"n{i}", f"Book {i}"), "text", f"Line {i}.\n" + "word " * 55, 5_000, i)
        for i in range(9)
    ]
    facts = tuple(Fact.of_statements((), (each,)) for each in texts)
    quoted = Answer(Node("", texts[0].value), 0.9, (0,))
    reply = ReplyBody.of("1", Reply("?", "graphraft", (quoted,), facts, 0.9, False))
    out = io.StringIO()
    show_whole_answer(reply, Terminal(file=out, highlight=False, width=4_000))
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("“Line 0.")
    shown = [line for line in lines if line.startswith("  Book ")]
    assert len(shown) == 9
    assert shown[1].startswith("  Book 1 -text-> “…Line 1. word word")
    assert shown[1].endswith("…” (from character 1 of 5,000)")
    assert {len(line) for line in shown[5:]} == {202}
    assert write_answer_text(reply).startswith("“Line 0. word")


async def test_a_terminal_shows_each_triple_as_it_is_chosen() -> None:
    triples = [("Her", "directed_by", "X1"), ("X1", "spouse", "X2")]
    reply = ReplyBody.of("1", abstain())

    async def tell() -> AsyncGenerator[QuestionEvent]:
        yield LinksEvent(links=[])
        yield ChainEvent(triples=triples[:1], has_ended=False)
        yield ChainEvent(triples=triples, has_ended=False)
        yield ChainEvent(triples=triples, has_ended=True)
        yield AnswerEvent(answer=reply)

    out = io.StringIO()
    console = Terminal(file=out, force_terminal=True, no_color=True, width=80)
    assert await wait_for_answer(tell(), console, tells_steps=True) == reply
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out.getvalue())
    assert "1. Her -directed_by-> X1" in shown
    assert shown.count("2. X1 -spouse-> X2") == 1
