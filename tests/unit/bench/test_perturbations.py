"""The questions of the linking benchmark are what their kinds say, and are judged as said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.database.linking import are_all_found, link_questions
from bench.made.names import make_names
from bench.made.perturbations import (
    CHANGES,
    GraphNames,
    NameSpan,
    PerturbedQuestion,
    generate_questions,
)
from memory_graph import MemoryGraph
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.linking.text import bare_words, name_key

NAMES = [*make_names(400), "Zoë Saldaña", "Jean-Luc Picard", "Marta Braun", "Marta Braun", "Sunny"]
NODES = [Node(f"n{i}", name) for i, name in enumerate(NAMES)]


def make_questions(seed: int = 1) -> list[PerturbedQuestion]:
    return list(generate_questions(GraphNames(NODES), 20, seed))


QUESTIONS = make_questions()


def said(*kinds: str) -> Iterator[tuple[str, str]]:
    """Each name as the questions of some kinds say it, and as it stands."""
    names = {node.id: node.name for node in NODES}
    for one in QUESTIONS:
        if one.kind in kinds:
            yield from ((one.question[p.start : p.end], names[min(p.nodes)]) for p in one.spans)


def test_the_same_seed_gives_the_same_questions() -> None:
    assert make_questions() == QUESTIONS
    assert make_questions(2) != QUESTIONS


def test_every_kind_is_there() -> None:
    others = {"partial", "long sentence", "two names", "ambiguous"}
    assert {one.kind for one in QUESTIONS} == set(CHANGES) | others


@pytest.mark.parametrize("kind", sorted(set(CHANGES) - {"as it stands"}))
def test_names_are_changed_and_no_other_names(kind: str) -> None:
    keys = {name_key(name) for name in NAMES}
    for text, name in said(kind):
        assert text != name
        assert name_key(text) == name_key(name) or name_key(text) not in keys


@pytest.mark.parametrize(
    ("kind", "letters"), [("insert", 1), ("delete", -1), ("swap", 0), ("replace", 0)]
)
def test_a_typo_is_one_edit_in_one_word(kind: str, letters: int) -> None:
    for text, name in said(kind):
        assert len(text) == len(name) + letters
        pairs = zip(text.split(" "), name.split(" "), strict=True)
        assert sum(a != b for a, b in pairs) == 1


def test_accents_and_marks_are_all_that_such_kinds_change() -> None:
    kinds = ("accents left out", "accents added", "marks left out", "lower case", "upper case")
    for text, name in said(*kinds):
        assert "".join(bare_words(text)) == "".join(bare_words(name))


def test_a_part_of_a_name_is_in_no_other() -> None:
    for text, name in said("partial"):
        assert [other for other in NAMES if text in other.replace("-", " ").split()] == [name]


def test_an_ambiguous_name_wants_all_its_nodes_and_two_names_want_both() -> None:
    for one in QUESTIONS:
        assert one.kind != "ambiguous" or all(len(place.nodes) > 1 for place in one.spans)
        assert one.kind != "two names" or len(one.spans) == 2


def mention(start: int, end: int, *ids: str) -> Mention:
    links = tuple(Link(Node(i, i), 1.0, "exact") for i in ids)
    return Mention(start, end, "", links)


@pytest.mark.parametrize(
    ("mentions", "first", "five"),
    [
        ([mention(0, 3, "a", "b")], True, True),
        ([mention(0, 3, "b", "x", "a")], False, True),
        ([mention(0, 3, "a", "x")], False, False),
        ([mention(4, 9, "a", "b")], False, False),
        ([mention(0, 3, "x", "y", "z", "v", "a", "b")], False, False),
        ([], False, False),
    ],
)
def test_a_name_is_found_where_it_stands_with_all_its_nodes(
    mentions: list[Mention], first: bool, five: bool
) -> None:
    places = [NameSpan(0, 4, frozenset("ab"))]
    assert (are_all_found(places, mentions, 1), are_all_found(places, mentions, 5)) == (first, five)


async def test_the_benchmark_asks_all_questions() -> None:
    graph = MemoryGraph(NODES[:60], [])
    asked = await link_questions(graph, GraphNames(NODES[:60]), count_per_kind=3)
    assert all(one.found_first for one in asked if one.question.kind == "as it stands")
    assert {one.question.kind for one in asked} >= {*CHANGES, "partial"}
    assert all(one.found_first <= one.found_in_five and one.seconds > 0 for one in asked)
