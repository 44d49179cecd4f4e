"""A path from an ordinary word is doubted where the question names something."""

from __future__ import annotations

import math

import pytest

from trellis.domain.decoding import Sentence
from trellis.domain.graph import Node, PathQuery, RelationPath, Step
from trellis.domain.links import Link, Mention
from trellis.domain.reply import Finding, GroundedNode
from trellis.steps.align.answer_types.passed_names import doubt_passed_names


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (("subtitles", "The Cuckoo"), "The Cuckoo"),
        (("sports", "1915"), "1915"),
        (("subtitles", "cuckoo"), "subtitles"),  # as the model says
        (("Finnish", "The Cuckoo"), "Finnish"),
    ],
)
def test_a_path_starts_from_what_the_question_names(texts: tuple[str, str], first: str) -> None:
    mentions = tuple(mention(text) for text in texts)
    sentences, _ = doubt_passed_names([path(0), path(1, score=-1)], FINDINGS, mentions)
    assert mentions[start_of(sentences[0])].text == first


def test_of_two_paths_that_meet_one_may_start_from_a_word() -> None:
    both = Sentence("", (), (PathQuery((relations(0), relations(1))),), -0.1, 1)
    mentions = mention("subtitles"), mention("The Cuckoo")
    [kept, other], _ = doubt_passed_names([both, path(0, score=-0.2)], FINDINGS, mentions)
    assert (kept.text, start_of(kept)) == ("", 0)
    assert other.score < kept.score + math.log(0.1)


FINDINGS = tuple(Finding("", 0.4, (GroundedNode(Node("2", "x"), ()),)) for _ in range(2))


def mention(text: str) -> Mention:
    return Mention(0, len(text), text, (Link(Node("1", text), 1.0, "exact"),))


def relations(at: int) -> RelationPath:
    return RelationPath(("1",), (Step("in_language"),), mention=at)


def path(at: int, score: float = -0.1) -> Sentence:
    return Sentence("", (), (PathQuery((relations(at),)),), score, 1)


def start_of(sentence: Sentence) -> int:
    [query, *_] = sentence.values
    assert isinstance(query, PathQuery)
    return query.paths[0].mention
