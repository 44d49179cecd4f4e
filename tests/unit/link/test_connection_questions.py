"""Which questions ask for nothing but the connection of two things."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from trellis.linking.names.spans import Span
from trellis.linking.questions.connections import (
    ConnectionRequest,
    read_connection_request,
    speaks_of_connection,
)


def read(marked: str, own_words: Sequence[str] = ()) -> ConnectionRequest | None:
    """What a question asks whose names stand in brackets."""
    text, names = "", []
    for part in re.split(r"(\[[^]]*\])", marked):
        bare = part.strip("[]")
        names += [Span(len(text), len(text) + len(bare))] if part.startswith("[") else []
        text += bare
    return read_connection_request(text, names, own_words) if speaks_of_connection(text) else None


@pytest.mark.parametrize(
    "question",
    [
        "How is [Ann Lee] connected to [Bob]?",
        "how are [ann lee] and [bob] related to each other",
        "What connects [Ann Lee] and [Bob]?",
        "What links [Ann Lee] to [Bob]?",
        "What is the relationship between [Ann Lee] and [Bob]?",
        "Show me the shortest path from [Ann Lee] to [Bob].",
        "Please explain how [Ann Lee] is tied to [Bob]",
        "[Ann Lee] and [Bob]: how are they linked?",
        "In which way are [Ann Lee] and [Bob] associated with one another?",
        "Connection between [Ann Lee] and [Bob]",
    ],
)
def test_a_word_for_a_connection_and_two_names_ask_for_it(question: str) -> None:
    request = read(question)
    assert request is not None
    assert not request.asks_whether
    assert not request.unknown_names


@pytest.mark.parametrize(
    "question",
    [
        "Is there a connection between [Ann Lee] and [Bob]?",
        "Are [Ann Lee] and [Bob] related?",
        "Tell me whether [Ann Lee] is linked with [Bob]",
        "Does any path exist from [Ann Lee] to [Bob]?",
    ],
)
def test_some_ask_whether_there_is_one(question: str) -> None:
    request = read(question)
    assert request is not None
    assert request.asks_whether


@pytest.mark.parametrize(
    "question",
    [
        "Which countries are connected by [the Rhine]?",
        "What is [Ann Lee] connected to?",
        "How many paths connect [Ann Lee] and [Bob]?",
        "Who directed films related to [Ann Lee] and [Bob]?",
        "How is [Ann Lee] not related to [Bob]?",
        "How is [Ann Lee] connected to films of [Bob]?",
        "How are rivers related to countries?",
        "How is [Ann Lee] related to her boss?",
        "Who is the oldest relative of [Ann Lee] and [Bob]?",
        "Which rivers do [Ann Lee] and [Bob] share?",
        "What language do [Ann Lee] and [Bob] have in common?",
        "Do [Ann Lee] and [Bob] share a border?",
        "How many things do [Ann Lee] and [Bob] share?",
        "What do [Ann Lee] and [Bob] not share?",
        "who wrote films that share directors with the film [Dusk]",
        "What do rivers and lakes have in common?",
        "What does [Ann Lee] have in common with her sister?",
        "What do [Ann Lee] and [Bob] have?",
    ],
)
def test_whatever_else_a_question_says_makes_it_another(question: str) -> None:
    assert read(question) is None


@pytest.mark.parametrize(
    ("question", "asks_whether"),
    [
        ("What do [Ann Lee] and [Bob] have in common?", False),
        ("what have [ann lee] and [bob] in common", False),
        ("What do [Ann Lee] and [Bob] share?", False),
        ("Which things do [Ann Lee] and [Bob] share?", False),
        ("What does [Ann Lee] share with [Bob]?", False),
        ("What is common to both [Ann Lee] and [Bob]?", False),
        ("List everything that [Ann Lee], [Bob] and [Cid] have in common.", False),
        ("Do [Ann Lee] and [Bob] have anything in common?", True),
        ("Is there something that [Ann Lee] and [Bob] share?", True),
    ],
)
def test_what_names_share_is_asked_for_as_well(question: str, asks_whether: bool) -> None:
    request = read(question)
    assert request is not None
    assert request.asks_shared
    assert request.asks_whether == asks_whether


def test_more_than_two_names_are_connected_where_all_are_known() -> None:
    request = read("How are [Ann Lee], [Bob] and [Cid] related?")
    assert request is not None
    assert not request.asks_shared
    assert read("How are [Ann Lee], [Bob] and Zork related?") is None


def test_words_in_the_place_of_a_name_are_unknown_names() -> None:
    request = read("How is [Ann Lee] connected to Jean-Luc d’Arc?")
    assert request is not None
    assert request.unknown_names == ("Jean-Luc d’Arc",)
    request = read("How are Zork and Blah Blub connected?")
    assert request is not None
    assert request.unknown_names == ("Zork", "Blah Blub")
    assert read("How is [Ann Lee] connected to films?", own_words=["films"]) is None


@pytest.mark.parametrize(
    ("question", "may_mean_relation"),
    [
        ("Is [Ann Lee] related to [Bob]?", True),
        ("What relates [Ann Lee] to [Bob]?", True),
        ("How is [Ann Lee] related to [Bob]?", False),
        ("Is there a relation between [Ann Lee] and [Bob]?", False),
        ("Is [Ann Lee] linked to [Bob]?", False),
    ],
)
def test_a_verb_may_mean_a_relation_of_the_graph(question: str, may_mean_relation: bool) -> None:
    request = read(question)
    assert request is not None
    assert request.may_mean_relation(["related", "to"]) == may_mean_relation
