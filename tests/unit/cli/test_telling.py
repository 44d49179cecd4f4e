"""What a console shows of a reply without answers: why there are none."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from trellis.cli.telling import show_answers
from trellis.domain.graph import Node
from trellis.domain.reply import Answer, CandidateOutcome, Reply
from trellis.wire.bodies import ReplyBody

NEAREST = tuple(Answer(Node("", name), 0.4 - 0.1 * at) for at, name in enumerate("abcd"))
TRIED = (CandidateOutcome("list river", -1.0, 2),)


def show(reply: Reply) -> str:
    out = io.StringIO()
    show_answers(ReplyBody.of("1", reply), Console(file=out, highlight=False, width=40))
    return out.getvalue()


def abstain(nearest: tuple[Answer, ...] = (), held_back: str = "") -> Reply:
    return Reply(
        "?", "raft", (), (), 0.1, True, candidates=TRIED, nearest=nearest, held_back=held_back
    )


@pytest.mark.parametrize(
    ("reply", "headline"),
    [
        (abstain(held_back="the question says “[not]”"), "Held back: the question says “[not]”"),
        (abstain(NEAREST, "no length is known for Po"), "Held back: no length is known for Po"),
        (
            abstain(NEAREST),
            "Not sure enough to answer; nearest: a (0.40), b (0.30), c (0.20); tried:",
        ),
        (
            abstain((Answer(Node("", "Rio [Sul]"), 0.4),)),
            "Not sure enough to answer; nearest: Rio [Sul] (0.40); tried:",
        ),
        (abstain(), "Not in this graph, as far as was tried:"),
    ],
)
def test_a_reply_without_answers_says_why(reply: Reply, headline: str) -> None:
    assert show(reply) == f"{headline}\n  list river: 2 found\n"


def test_a_reply_that_claims_none_says_so() -> None:
    none = Reply("?", "raft", (), (), 0.9, False, candidates=TRIED)
    assert show(none) == "None: nothing in this graph matches\n"
