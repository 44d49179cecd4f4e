"""Kinds of things that questions ask for, and of which the graph has none."""

from __future__ import annotations

import pytest

from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.engines.embeddings import SentenceEmbedder
from trellis.steps.align.answer_types.foreign_kind import explain_foreign_kind
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

CITY = LabelKind("City", 9, "name", (PropertyKind("population", "INTEGER"),))
KINDS = (CITY, *(LabelKind(name, 9, "name") for name in ("Country", "River", "Language", "Person")))
RELATIONS = (
    RelationshipKind("FLOWS_THROUGH", "River", "Country", 9),
    RelationshipKind("SPEAKS", "Person", "Language", 9),
    RelationshipKind("LIES_IN", "City", "Country", 9),
)
WORDS = SchemaVocabulary(Schema(KINDS, RELATIONS, 45, 27, "kinds"))
WORDING = frozenset(("which", "gardens", "river"))
MINILM = SentenceEmbedder()


async def explain(
    question: str, words: SchemaVocabulary = WORDS, wording: frozenset[str] = WORDING
) -> str:
    return await explain_foreign_kind(question, (), words, wording, MINILM)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which crops grow in the delta?", "crops"),
        ("How many films were shot in the capital?", "films"),
        ("Give me the newspapers printed in the north", "newspapers"),
        ("Near which city does the river end, and which vaccinations do I need?", "vaccinations"),
    ],
)
async def test_what_the_graph_has_none_of_is_told(question: str, noun: str) -> None:
    told = f"the question asks for “{noun}”, and the graph has nothing of the kind"
    assert await explain(question) == told


@pytest.mark.parametrize(
    "question",
    [
        "Which towns lie by the river?",
        "Which nations are there?",
        "Which settlement is largest?",  # what people call a city, too
        "Which gardens are there?",  # a word that the model learnt
        "Which doctors speak it?",  # persons may be anything
        "Which thing is it?",
        "Which film river is that?",  # a river
        "Which film or city is that?",
        "How many inhabitants does it have?",
        "Where do crops grow?",  # nobody asks for them
    ],
)
async def test_what_the_graph_may_have_is_not(question: str) -> None:
    assert await explain(question) == ""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which communist countries are there?", "which countries are “communist”"),
        ("How many jewish towns lie by the river?", "which towns are “jewish”"),
        ("Which foreign countries are there?", ""),
        ("What two countries share the river?", ""),
        ("Which seven countries share it?", ""),
        ("Which further cities lie by the river?", ""),
        ("Which largest cities lie by the river?", ""),
        ("Which gardens city is it?", ""),  # a word that the model learnt
        ("Which populous cities are there?", ""),
        ("Which speaking persons are there?", ""),
        ("Which city has communist persons?", ""),
    ],
)
async def test_a_word_that_nobody_can_read_narrows_what_is_asked_for(
    question: str, told: str
) -> None:
    reason = await explain(question)
    assert told in reason
    assert bool(reason) is bool(told)


THINGS = SchemaVocabulary(
    Schema(
        (CITY, LabelKind("Union", 9, "name")),
        (RelationshipKind("MEMBER_OF", "City", "Union", 9),),
        *(18, 9, "things"),
    )
)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Who is the mayor of the city?", "mayor"),
        ("who was the prime minister in 1990", "minister"),
        ("Who are the members of the union?", ""),
        ("Who is the largest?", ""),
        ("Who is a member?", ""),
    ],
)
async def test_persons_are_foreign_where_there_are_none(question: str, noun: str) -> None:
    assert (
        (noun in await explain(question, THINGS)) if noun else not await explain(question, THINGS)
    )
    assert not await explain(question)  # there are persons, of any kind


async def test_nothing_is_foreign_where_too_little_is_known() -> None:
    question = "Which crops grow in the delta?"
    assert await explain(question, wording=frozenset()) == ""
    triples = SchemaVocabulary(Schema((LabelKind("Entity", 9, "name"),), (), 9, 0, "triples"))
    assert await explain(question, triples) == ""
    assert await explain_foreign_kind(question, (), WORDS, WORDING, None) == ""
