"""Linking as the asker sees it: which names of the graph a question is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import pytest

from trellis.domain.errors import UnknownTopicError
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention, NodeName
from trellis.linking.names.candidates import MOST_LINKS, fuse_links
from trellis.linking.names.closeness import measure_closeness
from trellis.linking.names.spellings import make_spelling_keys
from trellis.linking.text import name_key
from trellis.steps.link.link import link_mentions, link_topics
from trellis.steps.link.mask_mentions import mask_mentions


class Names:
    """The naming side of a graph: its nodes, found by key and by likeness of spelling."""

    def __init__(self, *names: str) -> None:
        self.nodes = [Node(str(number), name) for number, name in enumerate(names)]
        self.calls: list[str] = []

    async def find_by_key(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        self.calls.append("exact")
        named = {key: [n for n in self.nodes if name_key(n.name) == key] for key in keys}
        return {key: nodes for key, nodes in named.items() if nodes}

    async def find_by_spelling(self, keys: Sequence[str]) -> Mapping[str, Sequence[NodeName]]:
        self.calls.append("also")
        named = {key: [n for n in self.nodes if key in make_spelling_keys(n.name)] for key in keys}
        return {key: [NodeName(n, n.name) for n in nodes] for key, nodes in named.items() if nodes}

    async def search_by_text(self, texts: Sequence[str], limit: int) -> Sequence[Sequence[Link]]:
        self.calls.append("text")
        return [self._like(text, limit) for text in texts]

    def _like(self, text: str, limit: int) -> list[Link]:
        words = name_key(text).split()
        return [
            Link(node, measure_closeness(text, node.name), "text")
            for node in self.nodes
            if any(get_close_matches(word, name_key(node.name).split()) for word in words)
        ][:limit]

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(f"linking has no use for {name}")


FILMS = (
    "What's Eating Gilbert Grape",
    "Gilbert",
    "Mr. & Mrs. Smith",
    "Smith",
    "9 to 5",
    "(500) Days of Summer",
    "Summer",
    "Yours, Mine and Ours",
    "The Woods",
    "In the Woods",
    "Schindler's List",
    "Up",
    "It",
    "What",
    "Film",
    "director",
    "star",
    "Airplane",
    "Airplane!",
)
PEOPLE = (
    "frank_lloyd_wright",
    "andrea_BARZAGLI",
    "andrea",
    "FC_Porto",
    "Portugal",
    "Albert Einstein",
)
PLACES = ("France", "Germany", "Côte d'Ivoire", "Kansas City", "北京")
GRAPH = (*FILMS, *PEOPLE, *PLACES)
WORDING = ("film", "director", "star", "directed", "which", "movie", "player", "actors")


async def names(question: str, *graph: str, wording: Sequence[str] = WORDING) -> list[str]:
    mentions = await link_mentions(question, Names(*(graph or GRAPH)), None, wording)
    return [mention.links[0].node.name for mention in mentions]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who is in What's Eating Gilbert Grape", ["What's Eating Gilbert Grape"]),
        ("who is in What’s Eating Gilbert Grape?", ["What's Eating Gilbert Grape"]),
        ("who directed Mr. & Mrs. Smith's sequel?", ["Mr. & Mrs. Smith"]),
        ("9 to 5, when was it released", ["9 to 5"]),
        ("is “(500) Days of Summer” a film?", ["(500) Days of Summer"]),
        ("which star is in Yours, Mine and Ours", ["Yours, Mine and Ours"]),
        ("the director of schindler's list?", ["Schindler's List"]),
        ("what is frank_lloyd_wright 's kid ?", ["frank_lloyd_wright"]),
        ("what is frank lloyd wright's kid ?", ["frank_lloyd_wright"]),
        ("which Portugal player plays for FC Porto ?", ["Portugal", "FC_Porto"]),
        ("WHO IS FROM FRANCE OR GERMANY", ["France", "Germany"]),
        ("who wrote Airplane!", ["Airplane!"]),
        ("who wrote Airplane?", ["Airplane"]),
        ("北京在哪里?", ["北京"]),
    ],
)
async def test_names_are_found_as_people_write_them(question: str, expected: list[str]) -> None:
    assert await names(question) == expected


TAGS = ("old", "seen", "writing", "subtitles", "The Man", "Everything", "Purple Noon", "Tampopo")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who did the writing on films from the director of Purple Noon?", ["Purple Noon"]),
        ("Has the man who directed Tampopo written any films?", ["Tampopo"]),
        ("everything Tampopo won", ["Tampopo"]),
        ("how old is Tampopo", ["Tampopo"]),
        ("is Tampopo with subtitles", ["Tampopo", "subtitles"]),
        ("which films are old", ["old"]),
        ("who made The Man and Tampopo", ["The Man", "Tampopo"]),
    ],
)
async def test_ordinary_words_give_way_to_names(question: str, expected: list[str]) -> None:
    assert await names(question, *TAGS) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which actors starred in The Woods", ["The Woods"]),
        ("which actors starred in the woods", ["In the Woods"]),
        ("who is in Schindler's List", ["Schindler's List"]),
    ],
)
async def test_a_name_written_as_it_stands_wins_then_the_longest(
    question: str, expected: list[str]
) -> None:
    assert await names(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What director has the star of Airplane", ["Airplane"]),
        ("what kind of film is Film", ["Film"]),
        ("which movie is about a director", ["director"]),
        ("which director made It", ["It"]),
        ("which star is in Up", ["Up"]),
        ("what is what", ["What"]),
    ],
)
async def test_wording_yields_to_names_and_stands_where_there_is_none(
    question: str, expected: list[str]
) -> None:
    assert await names(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how old is Andrea Barzalgi ?", ["andrea_BARZAGLI"]),
        ("who is from Frnace", ["France"]),
        ("rivers of Cote d'Ivoire", ["Côte d'Ivoire"]),
        ("what did Einstein find", ["Albert Einstein"]),
        ("which rivers cross France and Germny", ["France", "Germany"]),
        ("who is in Schindlers List", ["Schindler's List"]),
    ],
)
async def test_what_is_nearly_a_name_is_searched_by_likeness(
    question: str, expected: list[str]
) -> None:
    assert await names(question) == expected


INNER = ("Parade", "Privates on Parade", "Invasion U.S.A.", "invasion", "usa", "The Dead")
INNER += ("The Dead Girl", "girls", "carwash", "The Bikini Carwash Company", "Movie 43")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Prvates on Parade was made by whom", ["Privates on Parade"]),
        ("who made Invasion USA", ["Invasion U.S.A."]),
        ("who made The Dead Girls", ["The Dead Girl"]),
        ("who made the bikini carwash compuny", ["The Bikini Carwash Company"]),
        ("which movie has the invasion", ["invasion"]),
        ("who is in The Dead and Parade", ["The Dead", "Parade"]),
    ],
)
async def test_names_inside_a_name_yield_to_it(question: str, expected: list[str]) -> None:
    assert await names(question, *INNER, wording=("made",)) == expected


@pytest.mark.parametrize(
    "question", ["", "?", "   ", "who directed Zorblax Qvyx", "the director of Qvyx"]
)
async def test_nothing_is_found_where_nothing_is_meant(question: str) -> None:
    assert await names(question) == []


async def test_exact_names_cost_no_search_by_likeness() -> None:
    graph = Names(*GRAPH)
    await link_mentions("which Portugal player plays for FC_Porto ?", graph, None, WORDING)
    assert set(graph.calls) == {"exact", "also"}


async def test_all_nodes_of_a_name_are_kept_exact_case_first() -> None:
    twins = ["Smith"] * (MOST_LINKS + 5)
    (mention,) = await link_mentions("who is Smith", Names("smith", *twins), None)
    assert [one.how for one in mention.links] == ["exact-case"] * len(twins)
    assert {one.score for one in mention.links} == {1.0}


async def test_spans_are_in_order_and_never_overlap() -> None:
    question = "France, Kansas City and FC Porto against Germany or (500) Days of Summer's star"
    mentions = await link_mentions(question, Names(*GRAPH), None)
    assert [question[m.start : m.end] for m in mentions] == [m.text for m in mentions]
    ends = [0, *(m.end for m in mentions)]
    assert all(end <= m.start for end, m in zip(ends, mentions, strict=False))
    assert all(0 < one.score <= 1 for m in mentions for one in m.links)


def test_meaning_counts_only_where_it_is_the_same_thing() -> None:
    states, czechia = Node("1", "United States"), Node("2", "Czechia")
    assert fuse_links("USA", (), [Link(states, 0.9, "vector")])[0].how == "vector"
    assert fuse_links("Prague", (), [Link(czechia, 0.78, "vector")]) == ()


async def test_given_topics_are_nodes_by_name_at_their_place() -> None:
    question = "who is in The Woods or frank lloyd wright's film star?"
    topics = ["frank_lloyd_wright", "star", "The Woods"]
    mentions = await link_topics(question, topics, Names("the woods", *GRAPH))
    assert [m.text for m in mentions] == ["The Woods", "frank lloyd wright", "star"]
    assert [[one.node.name for one in m.links] for m in mentions] == [
        ["The Woods"],
        ["frank_lloyd_wright"],
        ["star"],
    ]


async def test_given_prefers_the_place_in_the_names_own_case() -> None:
    (mention,) = await link_topics("what kind of film is Film", ["Film"], Names(*GRAPH))
    assert mask_mentions("what kind of film is Film", [mention]) == "what kind of film is ENT1"


async def test_a_given_topic_that_the_text_does_not_say_stands_at_its_end() -> None:
    question = "who lives there"
    assert await link_topics(question, ["FRANCE"], Names(*GRAPH)) == (
        Mention(15, 15, "FRANCE", (Link(Node("25", "France"), 1.0, "given"),)),
    )


async def test_an_unknown_topic_is_said() -> None:
    with pytest.raises(UnknownTopicError, match="'Atlantis'"):
        await link_topics("where is Atlantis", ["Atlantis"], Names(*GRAPH))


async def test_an_adjective_tells_of_a_country_unless_it_is_a_name() -> None:
    """`German` is Germany where nothing is called German."""
    assert await names_of("Which German clubs are there?", "Germany", "Peru") == ["Germany"]
    assert await names_of("Which Costa Rican clubs are there?", "Costa Rica") == ["Costa Rica"]
    assert await names_of("Which German films are there?", "Germany", "German") == ["German"]
    assert await names_of("Which polish is best?", "Poland") == []


async def names_of(question: str, *names: str) -> list[str]:
    mentions = await link_mentions(question, Names(*names), None)
    return [mention.best.node.name for mention in mentions if mention.links]
