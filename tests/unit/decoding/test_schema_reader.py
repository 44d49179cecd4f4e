"""Paths that are read by what a graph calls its own relations."""

from __future__ import annotations

import math

import pytest

from memory_graph import MemoryGraph
from trellis.domain.decoding import Search, Sentence
from trellis.domain.errors import WrongTaskError
from trellis.domain.links import Link, Mention
from trellis.domain.prompt import Prompt
from trellis.engines.schema_reader import SchemaReader
from trellis.steps.retrieve.paths.path_prompt import build_path_prompt
from trellis.steps.retrieve.paths.retrieve_trie import retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings

GRAPH = MemoryGraph.of(
    [
        ("Ada Ames", "lives_in", "Oslo"),
        ("Ada Ames", "spouse", "Bo Byrne"),
        ("Bo Byrne", "profession", "painter"),
        ("Bo Byrne", "lives_in", "Bergen"),
        ("Acme", "founded_by", "Ada Ames"),
        ("Acme", "date_founded", "1999"),
        ("Acme", "based_in", "Lisbon"),
        ("Zeta", "founded_by", "Ada Ames"),
        ("Zeta", "based_in", "Oslo"),
    ]
)
READER = SchemaReader(None)


async def read(question: str, *topics: str, width: int = 10) -> list[Sentence]:
    mentions = [
        Mention(at, at + len(topic), topic, (Link(node, 1.0, "exact-case"),))
        for topic in topics
        for at in [question.index(topic)]
        for node in GRAPH.nodes
        if node.name == topic
    ]
    settings = READER.card.settings(PathSettings)
    language = await retrieve_trie(GRAPH, mentions, settings, 1_000)
    prompt = build_path_prompt(question, mentions)
    [sentences] = await READER.decode([prompt], [language], Search(width=width))
    return list(sentences)


@pytest.mark.parametrize(
    ("question", "topics", "text"),
    [
        ("Where does Ada Ames live?", ("Ada Ames",), " ENT1 -> lives_in"),
        (
            "What is the profession of Ada Ames 's husband?",
            ("Ada Ames",),
            " ENT1 -> spouse -> profession",
        ),
        ("Who founded Acme?", ("Acme",), " ENT1 -> founded_by"),
        ("What was founded by Ada Ames?", ("Ada Ames",), " ENT1 <- founded_by"),
        (
            "What is based in Oslo and was founded by Ada Ames?",
            ("Oslo", "Ada Ames"),
            " ENT1 <- based_in & ENT2 <- founded_by",
        ),
    ],
)
async def test_relations_are_read_by_their_words(
    question: str, topics: tuple[str, ...], text: str
) -> None:
    sentences = await read(question, *topics)
    assert sentences[0].text == text, [(s.text, round(s.score, 2)) for s in sentences]


async def test_probabilities_are_those_among_all_paths() -> None:
    every = await read("Where does Ada Ames live?", "Ada Ames", width=1_000)
    assert math.isclose(sum(math.exp(each.score) for each in every), 1.0, abs_tol=1e-9)
    assert len({each.text for each in every}) == len(every)
    assert await read("Where does Ada Ames live?", "Ada Ames", width=2) == every[:2]


async def test_nothing_is_read_where_nothing_is_linked() -> None:
    assert await read("Where does she live?") == []


async def test_other_tasks_are_refused() -> None:
    with pytest.raises(WrongTaskError, match="trellis train --task cypher"):
        await READER.decode([Prompt("cypher", "Who?", "Query")], [None], Search())
