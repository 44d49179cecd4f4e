"""Linking by other names, in other scripts, and among nodes of one name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory_graph import MemoryGraph
from trellis.domain.errors import UnknownTopicError
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.linking.names.candidates import LinkedSpan, choose_spans
from trellis.linking.names.spans import find_occurrences, parse_question
from trellis.steps.link.fit import count_fitting_words
from trellis.steps.link.link import link_mentions, link_topics

PLACES = (
    ("Netherlands", "Country", ("NL", "Holland")),
    ("United Arab Emirates", "Country", ("AE", "UAE", "Emirates")),
    ("Italy", "Country", ("IT", "+39")),
    ("Armenia", "Country", ("AM",)),
    ("Euro", "Currency", ("EUR",)),
    ("Republic of the Congo", "Country", ("Congo",)),
    ("Congo", "River", ()),
    ("Brazzaville", "City", ()),
    ("Island", "Film", ()),
    ("Ina", "Person", ()),
    ("서울", "City", ()),
    ("กรุงเทพ", "City", ()),
    ("Москва", "City", ()),
    ("हिन्दी", "Language", ()),
    ("4/08/2017", "Day", ()),
    ("8/04/2017", "Day", ()),
    ("24/12/2017", "Day", ()),
    ("1,234", "House", ()),
    ("Rocky II", "Film", ()),
    ("Kansas City", "City", ()),
    ("Springfield", "City", ()),
    ("Springfield", "Film", ()),
    ("Springfield", "City", ()),
    ("Atlantic Ocean", "Ocean", ()),
    ("Ada Braun", "Person", ()),
    ("Eva Braun", "Person", ()),
    ("Otto Braun", "Person", ()),
)
TRIPLES = (
    (5, "HAS_CAPITAL", 7),
    (6, "FLOWS_INTO", 23),
    (20, "IN_COUNTRY", 0),
    (21, "DIRECTED_BY", 9),
    (22, "IN_COUNTRY", 2),
    (25, "WON", 23),
)


def atlas() -> MemoryGraph:
    nodes = [Node(f"n{i}", name, (label,)) for i, (name, label, _) in enumerate(PLACES)]
    aliases = {f"n{i}": also for i, (_, _, also) in enumerate(PLACES)}
    return MemoryGraph(nodes, TRIPLES, aliases=aliases)


async def mentions(question: str, wording: Sequence[str] = ()) -> tuple[Mention, ...]:
    return await link_mentions(question, atlas(), None, wording)


async def firsts(question: str) -> list[str]:
    return [mention.links[0].node.name for mention in await mentions(question)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what is the capital of the UAE?", ["United Arab Emirates"]),
        ("what is the capital of holland", ["Netherlands"]),
        ("which countries border the Emirates' neighbours", ["United Arab Emirates"]),
        ("who pays with the EUR in NL", ["Euro", "Netherlands"]),
        ("is it in IT or not", ["Italy"]),
        ("what is in Hollnd?", ["Netherlands"]),
        ("서울은 어디에 있습니까", ["서울"]),
        ("กรุงเทพอยู่ที่ไหน", ["กรุงเทพ"]),
        ("где находится МОСКВА?", ["Москва"]),
        ("who speaks हिन्दी", ["हिन्दी"]),
        ("what happened on December 24, 2017?", ["24/12/2017"]),
        ("what happened on 04/08/2017?", ["4/08/2017"]),
        ("what happened on 08/04/2017?", ["8/04/2017"]),
        ("who lives in 1234", ["1,234"]),
        ("who made Rocky 2", ["Rocky II"]),
        ("which of the Kansas Cities is older", ["Kansas City"]),
    ],
)
async def test_nodes_are_found_by_all_that_calls_them(question: str, expected: list[str]) -> None:
    assert await firsts(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "is it so?",  # Italy is IT
        "what am i to do",  # Armenia is AM
        "WHO IS IT AND WHERE AM I",  # capitals say nothing here
        "who is land",  # no island
        "who is in a film",  # no Ina
        "what is 39",  # no dialling code
    ],
)
async def test_nothing_is_called_so_by_chance(question: str) -> None:
    links = [one for mention in await mentions(question) for one in mention.links]
    called = {one.node.name for one in links if one.how in ("alias", "spelling")}
    assert not called & {"Italy", "Armenia", "Island", "Ina"}


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("what is the capital of Congo", "Republic of the Congo", "Congo"),
        ("where does the Congo flow into the sea", "Congo", "Republic of the Congo"),
    ],
)
async def test_an_ambiguous_name_keeps_all_nodes_the_fitting_first(
    question: str, first: str, second: str
) -> None:
    (mention,) = [m for m in await mentions(question) if m.text == "Congo"]
    assert [one.node.name for one in mention.links] == [first, second]
    assert mention.links[0].score >= mention.links[1].score


async def test_equal_fit_leaves_a_tie() -> None:
    (mention,) = await mentions("in which country is Springfield")
    labels = [one.node.labels[0] for one in mention.links]
    scores = [one.score for one in mention.links]
    assert labels == ["City", "City", "Film"]
    assert scores[0] == scores[1] > scores[2] >= 0.9 * scores[0]


async def test_a_part_of_several_names_keeps_them_all_the_fitting_first() -> None:
    (mention,) = await mentions("what has Braun won")
    names = [one.node.name for one in mention.links]
    assert (names[0], set(names)) == ("Eva Braun", {"Eva Braun", "Ada Braun", "Otto Braun"})


async def test_no_word_that_fits_leaves_all_as_they_were() -> None:
    (mention,) = await mentions("tell me about Springfield")
    assert [one.score for one in mention.links] == [1.0, 1.0, 1.0]


async def test_given_topics_may_be_aliases_and_other_spellings() -> None:
    given_ones = await link_topics("where is the UAE", ["UAE", "kansascity"], atlas())
    names = [[one.node.name for one in mention.links] for mention in given_ones]
    assert names == [["United Arab Emirates"], ["Kansas City"]]
    with pytest.raises(UnknownTopicError, match="'Atlantis'"):
        await link_topics("where is Atlantis", ["UAE", "Atlantis"], atlas())


async def test_a_date_of_two_readings_keeps_both() -> None:
    (mention,) = await mentions("what happened on August 4, 2017?")
    assert {one.node.name for one in mention.links} == {"4/08/2017", "8/04/2017"}
    assert mention.links[0].score == mention.links[1].score


def test_a_name_with_a_word_beside_it_yields_to_the_name_alone() -> None:
    asked = parse_question("Which packages does perl recommend?")
    places = [find_occurrences(asked.text, text)[0] for text in ("perl", "perl recommend")]
    links = (
        Link(Node("n0", "perl", ("Package",)), 0.9, "exact-case"),
        Link(Node("n1", "Perl", ("Language",)), 0.74, "vector"),
    )
    spans = [
        LinkedSpan(span, (link,), asked.count_features(span))
        for span, link in zip(places, links, strict=True)
    ]
    assert [linked.span for linked in choose_spans(spans)] == places[:1]


async def test_a_name_is_trusted_more_than_an_alias() -> None:
    named, also = await mentions("is the Netherlands more than Holland?")
    assert (named.links[0].how, also.links[0].how) == ("exact-case", "alias")
    assert named.score > also.score


@pytest.mark.parametrize(
    ("words", "labels", "relations", "fits"),
    [
        (("capital",), ("Country",), ("HAS_CAPITAL",), 1),
        (("flow", "rivers"), ("River",), ("FLOWS_INTO",), 2),
        (("countries", "bordering"), ("Country",), ("BORDERS",), 2),
        (("directed",), ("Film",), ("directedBy",), 1),
        (("cap", "sea"), ("Country",), ("HAS_CAPITAL",), 0),
        ((), ("Country",), ("HAS_CAPITAL",), 0),
    ],
)
def test_fit_counts_words_near_labels_and_relations(
    words: Sequence[str], labels: Sequence[str], relations: Sequence[str], fits: int
) -> None:
    assert count_fitting_words(words, labels, relations) == fits


@pytest.mark.parametrize("word", ["we've", "haven't", "can't", "who’s", "they're", "won't"])
def test_function_words_may_be_contracted(word: str) -> None:
    atom = parse_question(f"anybody {word}").atoms[1]
    assert atom.is_function_word


@pytest.mark.parametrize("word", ["o'clock", "rock'n'roll", "d'Artagnan", "ain"])
def test_other_words_with_apostrophes_are_words(word: str) -> None:
    assert not any(atom.is_function_word for atom in parse_question(f"anybody {word}").atoms)
