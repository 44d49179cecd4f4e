"""What questions end in alike tells the node that their queries end in alike."""

from __future__ import annotations

import re

import pytest

from trellis.automata.cypher.state import MoveKind, TypedMove
from trellis.training.synthesis.noun_phrases import Phrase, find_places
from trellis.training.synthesis.whole import Moves, QuestionQueryPair, number_values

KINDS: dict[str, MoveKind] = {
    **dict.fromkeys(("list", "count"), "form"),
    **dict.fromkeys(("knows", "owns", "party to"), "relationship"),
    **dict.fromkeys(("name", "type", "title", "number", "age"), "filter"),
    "and": "branch",
}
VALUE = re.compile(r"v\d+")
NOUNS = frozenset(("people", "crimes", "someone"))


def said(moves: str) -> Moves:
    """Moves set apart by commas; what is no value (`v0`) and has no other kind is a label."""
    return tuple(
        TypedMove(f" {text}", KINDS.get(text) or ("value" if VALUE.fullmatch(text) else "label"))
        for text in moves.split(", ")
    )


def read(*given: str) -> list[QuestionQueryPair]:
    """Questions and queries, each `words | move, move`."""
    found = []
    for each in given:
        words, moves = each.split(" | ")
        found.append((tuple(words.split()), said(moves)))
    return found


def test_an_ending_that_comes_with_one_description_tells_the_node() -> None:
    given = read(
        "crimes that involve someone named v0 | list, crime, party to, person, name, v0",
        "how many cars has someone named v0 | count, car, owns, person, name, v0",
    )
    [[crime], [car]] = find_places(given, NOUNS)
    assert crime.phrase == car.phrase == Phrase(("someone", "named", "v0"), said("name, v0"))
    assert crime.words == ("crimes", "that", "involve")
    assert car.before == said("count, car, owns, person")


@pytest.mark.parametrize(
    "given",
    [
        (  # endings of one question each
            "crimes that involve someone named v0 | list, crime, party to, person, name, v0",
            "cars of people called v0 | list, car, owns, person, name, v0",
        ),
        (  # an ending that comes with several descriptions
            "crimes of someone with v0 | list, crime, party to, person, name, v0",
            "cars of someone with v0 | list, car, owns, person, owns, phone, number, v0",
        ),
    ],
)
def test_other_endings_tell_nothing(given: tuple[str, str]) -> None:
    assert find_places(read(*given), NOUNS) == [[], []]


def test_an_outer_node_is_told_by_more_words_than_an_inner_one() -> None:
    inner = "knows, person, name, v0"
    given = read(
        f"crimes of a friend of someone named v0 | list, crime, party to, person, {inner}",
        f"cars of a friend of someone named v0 | list, car, owns, person, {inner}",
        "cars of someone named v0 | list, car, owns, person, name, v0",
    )
    [[last, first], *_] = find_places(given, NOUNS)
    assert last.phrase.words == ("someone", "named", "v0")
    assert first.phrase.words == ("a", "friend", "of", "someone", "named", "v0")
    assert first.phrase.moves == said("knows, person, name, v0")


def test_what_comes_behind_one_relationship_alone_may_tell_that_too() -> None:
    """`The v0's friend` is no name of a person, though one comes with it each time."""
    given = read(
        "crimes of the v0 's friend | list, crime, party to, person, knows, person, name, v0",
        "cars of the v0 's friend | list, car, owns, person, knows, person, name, v0",
    )
    [[place], _] = find_places(given, NOUNS)
    assert place.phrase == Phrase(("the", "v0", "'s", "friend"), said("knows, person, name, v0"))


def test_a_node_described_in_the_middle_of_a_query_is_told_too() -> None:
    given = read(
        "v0 crimes in which people named v1 | list, crime, party to, person, name, v1, and, crime,"
        " type, v0",
        "cars of people named v0 | list, car, owns, person, name, v0",
    )
    [[place], _] = find_places(given, NOUNS)
    assert place.behind == said("and, crime, type, v0")
    words, moves = place.fill_place(Phrase(("people", "v0", "knows"), said("knows, person, v0")))
    assert words == ("v0", "crimes", "in", "which", "people", "v1", "knows")
    assert moves == said("list, crime, party to, person, knows, person, v1, and, crime, type, v0")


def test_values_are_numbered_in_the_order_of_the_text_and_names_like_them_stay() -> None:
    engine = TypedMove(" v7", "label")
    words, moves = ("v103 (person name)", "and", "v7"), said("name, v7, age, v103")
    numbered = ("v0 (person name)", "and", "v1"), (engine, *said("name, v1, age, v0"))
    assert number_values(words, (engine, *moves)) == numbered


def test_a_value_that_two_nodes_have_belongs_to_no_phrase() -> None:
    given = read(
        "crimes of someone named v0 | list, crime, title, v0, party to, person, name, v0",
        *["cars of someone named v0 | list, car, owns, person, name, v0"] * 5,
        *["friends of someone named v0 | list, person, knows, person, name, v0"] * 5,
    )
    [of_both, *others] = find_places(given, NOUNS)
    assert of_both == []
    assert all(len(each) == 1 for each in others)
