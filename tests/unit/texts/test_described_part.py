"""Which part of a question describes a node, where the rest asks for what is related to it."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.linking.names.spans import Span
from trellis.steps.align.described_part import (
    describes_several,
    find_described_part,
    shift_mentions,
)

_NAME = (PropertyKind("name", "STRING"),)
SCHEMA = Schema(
    tuple(LabelKind(label, 9, "name", _NAME) for label in ("Package", "Team", "Section", "Source")),
    (
        RelationshipKind("MAINTAINED_BY", "Package", "Team", 9),
        RelationshipKind("DEPENDS_ON", "Package", "Package", 9),
        RelationshipKind("IN_SECTION", "Package", "Section", 9),
    ),
    *(36, 27, "packages"),
)


def find(question: str, *names: str) -> str | None:
    """The part of a question that describes a package; `names`: what it says as it is stored."""
    mentions = [
        Mention(start, start + len(name), name, (Link(value, 1.0, "exact-case"),))
        for name in names
        for start in [question.index(name)]
        for value in [StoredValue("Package", "name", name)]
    ]
    part = find_described_part(make_form(question, mentions, SCHEMA), ("Package",))
    return question[part.start : part.end] if part else None


@pytest.mark.parametrize(
    ("question", "part"),
    [
        (
            "Which team maintains the tool that turns subtitles into other formats?",
            "the tool that turns subtitles into other formats",
        ),
        (
            "Which packages does the planner for model railways depend on?",
            "the planner for model railways",
        ),
        (
            "Which section is a viewer of the inside of brains in?",
            "a viewer of the inside of brains",
        ),
        (
            "Which team maintains the package with a window for old calculators?",
            "the package with a window for old calculators",
        ),
        ("the teams that maintain a clock with a cuckoo", "a clock with a cuckoo"),
        ("Which teams maintain tools that turn subtitles?", "tools that turn subtitles"),
        ("Which teams maintain packages for model railways?", "packages for model railways"),
    ],
)
def test_a_part_begins_with_its_article_and_ends_before_the_verb(question: str, part: str) -> None:
    assert find(question) == part


@pytest.mark.parametrize(
    "question",
    [
        "Which team maintains tool turning subtitles into other formats?",  # no article
        "Which team maintains the tool?",  # it describes nothing
        "Which packages of the cheerful kind draw clocks?",  # the rest says no relation
        "Who paints and sings beside the tool that turns subtitles upside down?",
        "Which packages depend on a clock. What draws cuckoos?",
        "a clock with a cuckoo",
    ],
)
def test_other_questions_have_no_such_part(question: str) -> None:
    assert find(question) is None


@pytest.mark.parametrize(
    ("part", "is_several"),
    [
        ("tools that turn subtitles", True),
        ("the old tools that turn subtitles", True),
        ("the tool that turns subtitles", False),
        ("the clocks with a cuckoo", True),
        ("a clock with cuckoos", False),
    ],
)
def test_a_plural_describes_several_nodes(part: str, is_several: bool) -> None:
    assert describes_several(part) == is_several


def test_what_a_name_says_describes_nothing() -> None:
    assert find("Which team maintains the old lamp?", "old lamp") is None
    question = "Which team maintains the tool for lamps written around qt?"
    assert find(question, "qt") == "the tool for lamps written around qt"
    question = "Which team maintains the program with which a tailor drafts patterns?"
    assert find(question, "program") == "the program with which a tailor drafts patterns"
    question = "What is the team that maintains a tool for subtitles?"
    assert find(question) == "a tool for subtitles"


def test_names_inside_a_part_are_names_of_the_part() -> None:
    mention = Mention(25, 27, "qt", (Link(StoredValue("Package", "name", "qt"), 1.0, "exact"),))
    before = Mention(0, 5, "Which", mention.links)
    [inside] = shift_mentions((before, mention), Span(21, 30))
    assert (inside.start, inside.end, inside.text) == (4, 6, "qt")
