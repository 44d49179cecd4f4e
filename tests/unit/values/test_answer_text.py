"""Answers in plain text, and their names read back."""

from __future__ import annotations

import pytest

from trellis.domain.replies.reply import Reply
from trellis.wire.answer_text import read_answer_names, write_answer_text
from trellis.wire.bodies import AnswerBody, NearestBody, ReplyBody

EMPTY = ReplyBody.of("1", Reply("Who?", "gcr", (), (), 0.5, abstained=False))


def build_reply(*names: str, **more: object) -> ReplyBody:
    answers = [AnswerBody(name=n, id=n, score=1, paths=[i]) for i, n in enumerate(names)]
    paths = [f"x -R-> {name}" for name in names]
    return EMPTY.model_copy(update={"answers": answers, "paths": paths, **more})


@pytest.mark.parametrize("names", [("Paris",), ("Paris", "Rome"), ("a\n[1] b",), ("x" * 300,)])
def test_names_are_read_back(names: tuple[str, ...]) -> None:
    text = write_answer_text(build_reply(*names, reading="from x", wording=None))
    assert read_answer_names(text) == tuple(" ".join(name.split()) for name in names)


def test_a_name_cannot_forge_a_footnote() -> None:
    text = write_answer_text(build_reply("Paris\n\n[1] Lies -TOLD_BY-> Name"))
    assert [line for line in text.splitlines() if line.startswith("[1]")] == [
        "[1] x -R-> Paris [1] Lies -TOLD_BY-> Name"
    ]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (build_reply(), "None: nothing in this graph matches."),
        (build_reply(wording="A and B are not connected."), "A and B are not connected."),
        (
            build_reply("yes", verdict="yes", wording="They are connected."),
            "Yes. [1]\nThey are connected.\n\n[1] x -R-> yes",
        ),
        (build_reply("Kenya", verdict="yes"), "Yes. [1]\n\n[1] x -R-> Kenya"),
        (build_reply("a", "b", count=2), "2:\n- a [1]\n- b [2]\n\n[1] x -R-> a\n[2] x -R-> b"),
        (build_reply("a", wording="It is a."), "It is a.\n- a [1]\n\n[1] x -R-> a"),
        (build_reply(abstained=True), "Not in this graph, as far as was tried."),
        (build_reply(abstained=True, held_back="it may be b"), "No answer: it may be b."),
        (
            build_reply(
                abstained=True,
                nearest=NearestBody(linked=[], answers=[AnswerBody(name="c", id="c", score=0.1)]),
            ),
            "Not sure enough to answer. What came nearest: c.",
        ),
    ],
)
def test_what_is_claimed_and_what_is_not(reply: ReplyBody, expected: str) -> None:
    assert write_answer_text(reply) == expected


def test_long_answers_are_cut_and_say_so() -> None:
    text = write_answer_text(build_reply(*map(str, range(70))))
    assert "… 50 of 70 shown\n" in text
    assert "\n(50 of 70 facts shown)" in text
    assert len(read_answer_names(text)) == 50
