"""Chains, patterns, assertions and schema graphs by the reader: whatever it has learnt, what it
says is in their languages, and it says nothing else than walks that meet."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from typing import Any

import pytest

from chain_worlds import chain_world
from small_reader import make_reader
from small_schemas import build_schema
from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.chains.language import ChainOptions
from trellis.automata.chains.opening import Chains, open_chains
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.automata.reader import Reader
from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.automata.schema_graphs.language import SchemaGraphLanguage
from trellis.domain.errors import WrongTaskError
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.engines.reader import ReaderModel
from trellis.models.reader.folder import SHIPPED_READER
from trellis.steps.retrieve.paths.wider_paths import SCHEMA_PATHS, widen_trie

ALL = Search(width=3_000)
TYPES = ("bornIn", "place.located_in")
WORDS = ("born in", "located in")
NONE = PatternWords()


def read(
    reader: ReaderModel, language: Any, question: str, search: Search = ALL
) -> Sequence[Sentence]:
    """The reader's sentences, each of which the language must say as well, with the same values."""
    [sentences] = asyncio.run(reader.decode([Prompt("", question, "")], [language], search))
    check = Reader(language)
    for sentence in sentences:
        assert check.read_text(sentence.text).values == sentence.values, sentence.text
    return sentences


def add_up(sentences: Sequence[Sentence]) -> float:
    return sum(math.exp(sentence.score) for sentence in sentences)


@pytest.mark.parametrize("seed", range(30))
def test_chains_are_walks_that_meet(seed: int) -> None:
    world = chain_world(seed, rendering="relations", most_triples=2)
    sentences = read(make_reader(), world.open(), "ENT1 or ENT2")
    assert add_up(sentences) <= 1 + 1e-4
    for sentence in sentences:
        [chain] = sentence.values
        assert chain.has_ended
        assert {path.mention for path in chain.paths} == _list_said_mentions(sentence.text)


def _list_said_mentions(text: str) -> set[int]:
    return {int(number) - 1 for number in re.findall(r"(?:^| ; )ENT(\d+)", text)}


def draw_mentions(*labels: str) -> list[Mention]:
    """Mentions of nodes, one of each label."""
    nodes = [Node(f"n{number}", f"N{number}", (label,)) for number, label in enumerate(labels)]
    return [Mention(0, 0, node.name, (Link(node, 1.0, "exact"),)) for node in nodes]


def draw_walks(*labels: str, types: Sequence[str] = TYPES) -> Walks:
    """The paths over a schema whose types all lead from things to things."""
    schema = build_schema("Thing", *(f"Thing {name} Thing" for name in types))
    return widen_trie(schema, draw_mentions(*labels), SCHEMA_PATHS)


@pytest.mark.slow
@pytest.mark.parametrize("mentions", [1, 2])
def test_patterns_and_assertions_say_each_pair_of_walks_once(mentions: int) -> None:
    question, names = "who knows ENT1 ?", PatternWords(TYPES)
    walks = draw_walks(*["Thing"] * mentions)
    pattern = PatternLanguage(mentions, names, NONE, most_triples=2, walks=walks)
    words = PatternWords(WORDS)
    assertion = AssertionLanguage(mentions, words, most_assertions=2, walks=walks)
    steps = 4
    count = mentions * (steps + steps**2) + (steps**2 if mentions == 2 else 0)
    for language in (pattern, assertion):
        sentences = read(make_reader(), language, question)
        assert len({sentence.values for sentence in sentences}) == count
        assert len(sentences) == count


def test_relations_without_words_are_in_patterns_alone() -> None:
    types = ("__", "KNOWS", '"')
    walks, words = draw_walks("Thing", types=types), PatternWords(("knows",))
    patterns = PatternLanguage(1, PatternWords(types), NONE, most_triples=1, walks=walks)
    assertions = AssertionLanguage(1, words, most_assertions=1, walks=walks)
    assert len(read(make_reader(), patterns, "who knows ENT1 ?")) == 2 * len(types)
    assert {sentence.text for sentence in read(make_reader(), assertions, "who knows ENT1 ?")} == {
        '"ENT1" knows [ENT1] ? [ENT1] precision',
        '[ENT1] knows "ENT1" ? [ENT1] precision',
    }


def test_a_mention_of_no_label_of_the_schema_is_not_said() -> None:
    walks = draw_walks("Other")
    language = PatternLanguage(1, PatternWords(TYPES), NONE, walks=walks)
    assert read(make_reader(), language, "who knows ENT1 ?") == []


@pytest.mark.parametrize(
    "language",
    [
        PatternLanguage(1, PatternWords(TYPES), NONE),
        AssertionLanguage(1, PatternWords(free_tokens=4)),
    ],
    ids=["patterns over no schema", "any words"],
)
def test_other_languages_are_refused(language: Any) -> None:
    with pytest.raises(WrongTaskError, match="does not do task ''"):
        read(make_reader(), language, "where was ENT1 born ?")


FAMILY = [
    ("Ann", "WROTE", "Dusk"),
    ("Bo", "WROTE", "Dawn"),
    ("Ann", "SPOUSE", "Bo"),
    ("Ann", "BORN_IN", "Oslo"),
    ("Bo", "BORN_IN", "Oslo"),
    ("Bo", "BORN_IN", "Bergen"),
]
RELATIONS = ("BORN_IN", "SPOUSE", "WROTE")


SCHEMA = build_schema(
    "Book Person Town", "Person BORN_IN Town", "Person SPOUSE Person", "Person WROTE Book"
)


def open_family(name: str) -> Chains:
    names = sorted({end for head, _, tail in FAMILY for end in (head, tail)})
    numbers = {name: number for number, name in enumerate(names)}
    triples = sorted((numbers[head], name, numbers[tail]) for head, name, tail in FAMILY)
    whole = build_adjacency(names, names, triples)
    read = cut_neighbourhood(whole, [numbers[name]], 3)
    starts = [Start(" ENT1", (read.nodes.index(name),), 0)]
    return open_chains(read, starts, ChainOptions(revisit="any"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "name", "label", "chain", "pattern", "assertions"),
    [
        (
            "where was the author of ENT1 born ?",
            "Dusk",
            "Book",
            "ENT1 <- WROTE -> BORN_IN =",
            "ENT1 <- WROTE <- UNKNOWN 1 -> BORN_IN -> ASKED",
            '[ENT1] wrote "ENT1" ; [ENT1] born in [ENT2] ? [ENT2] precision',
        ),
        (
            "who is the spouse of ENT1 ?",
            "Ann",
            "Person",
            "ENT1 -> SPOUSE =",
            "ENT1 -> SPOUSE -> ASKED",
            '"ENT1" spouse [ENT1] ? [ENT1] precision',
        ),
    ],
)
def test_the_shipped_reader_says_what_is_asked_in_each_language(
    question: str, name: str, label: str, chain: str, pattern: str, assertions: str
) -> None:
    reader, search = ReaderModel.load(SHIPPED_READER), Search(width=3)
    walks = widen_trie(SCHEMA, draw_mentions(label), SCHEMA_PATHS)
    patterns = PatternLanguage(1, PatternWords(RELATIONS), NONE, walks=walks)
    asserted = AssertionLanguage(1, PatternWords(("born in", "spouse", "wrote")), walks=walks)
    said = [
        read(reader, language, question, search)[0].text
        for language in (open_family(name), patterns, asserted)
    ]
    assert said == [chain, pattern, assertions]


@pytest.mark.parametrize(
    ("text", "pairs", "graph"),
    [
        ('"ENT1" born in [ENT1]', [(0, 1)], '"ENT1" -> BORN_IN -> [ENT1]'),
        (
            '[ENT1] wrote "ENT1" ; [ENT1] born in [ENT2]',
            [(1, 0), (1, 2)],
            '[ENT1] -> WROTE -> "ENT1" ; [ENT1] -> BORN_IN -> [ENT2]',
        ),
    ],
)
def test_a_schema_graph_has_the_relations_of_its_assertions(
    text: str, pairs: list[tuple[int, int]], graph: str
) -> None:
    kinds = RelationKinds(RELATIONS, ("",), tuple((i, 0, 0) for i in range(3)))
    language = SchemaGraphLanguage(1, tuple(pairs), pairs[-1][1], kinds)
    sentences = read(make_reader(), language, text)
    assert sentences[0].text == graph
    assert add_up(sentences) == pytest.approx(1.0, abs=1e-4)


def test_a_schema_graph_turns_a_relation_that_its_labels_forbid() -> None:
    kinds = RelationKinds(("WROTE",), ("Book", "Writer"), ((0, 1, 0),))
    domains = frozenset({1}), frozenset({0, 1})
    language = SchemaGraphLanguage(1, ((1, 0),), 1, kinds, domains)
    [sentence] = read(make_reader(), language, '[ENT1] wrote "ENT1"')
    assert sentence.text == '[ENT1] <- WROTE <- "ENT1"'
