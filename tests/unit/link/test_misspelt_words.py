"""Words one slip from one that was meant are read as it; names and English words are not."""

from __future__ import annotations

import pytest

from memory_atlas import load_atlas
from memory_graph import MemoryGraph
from trellis.domain.graphs.graph import Node
from trellis.engines.embeddings import list_english_words
from trellis.steps.link.vocabulary.misspelt_words import (
    asks_nothing,
    is_other_language,
    list_own_words,
    read_misspelt_words,
)


async def read(question: str, graph: MemoryGraph | None = None) -> str:
    known = list_english_words()
    return (await read_misspelt_words(question, graph or load_atlas(), known)).text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "read_as"),
    [
        ("captial of Germany", "capital of Germany"),
        ("Captial of Germany", "Capital of Germany"),
        ("what is the captial of germany", "what is the capital of germany"),
        ("Whcih countires border Kenya?", "Which countries border Kenya?"),
        ("What is the popluation of Nairobi?", "What is the population of Nairobi?"),
        ("What is the currancy of Kenya?", "What is the currency of Kenya?"),
        ("Which rivrs flow through Germany?", "Which rivers flow through Germany?"),
        ("Waht is the higest moutain in Japan?", "What is the highest mountain in Japan?"),
        ("official langauge of Kenya", "official language of Kenya"),
    ],
)
async def test_a_slip_is_read_as_what_was_meant(said: str, read_as: str) -> None:
    assert await read(said) == read_as


async def test_what_was_read_otherwise_is_told() -> None:
    spelt = await read_misspelt_words("captial of Germany", load_atlas(), list_english_words())
    assert [it.describe() for it in spelt.words] == ["“captial” was read as “capital”"]


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Kenya?",
        "Is there a capitol in Nairobi?",
        "Where is the skipper of the ship?",
        "Which skippers sail the lake?",
        "What is the capital of Captial?",  # it has the shape of a name
        "Was ist die Hauptstadt von Deutschland?",
        "Quelle est la capitale de l'Ouganda ?",
        "xqzzt of Germany",
        "首都はどこですか",
    ],
)
async def test_all_else_stays(question: str) -> None:
    assert await read(question) == question


async def test_a_name_of_the_graph_stays() -> None:
    graph = MemoryGraph(
        [Node("4:a:0", "captial", ("Band",)), Node("4:a:1", "The Capital", ("Song",))],
        [(1, "HAS_CAPITAL", 0)],
    )
    assert await read("which song is by captial", graph) == "which song is by captial"


async def test_without_a_list_of_words_nothing_is_changed() -> None:
    question = "captial of Germany"
    assert (await read_misspelt_words(question, load_atlas(), frozenset())).text == question


@pytest.mark.parametrize(
    ("text", "greets", "foreign"),
    [
        ("hello", True, False),
        ("Hi, how are you?", False, False),
        ("help me please", True, False),
        ("Was ist die Hauptstadt von Deutschland?", False, True),
        ("Quelle est la capitale de l'Ouganda ?", False, True),
        ("Welche Länder grenzen an Kenia?", False, True),
        ("¿Cuál es la capital de Kenia?", False, True),
        ("What is the capital of Kenya?", False, False),
        ("Who founded Acme Corporation?", False, False),
        ("Who painted the ceiling?", False, False),
    ],
)
async def test_greetings_and_other_languages_are_told(
    text: str, greets: bool, foreign: bool
) -> None:
    own = list_own_words(await load_atlas().schema())
    assert (asks_nothing(text), is_other_language(text, own, list_english_words())) == (
        greets,
        foreign,
    )
