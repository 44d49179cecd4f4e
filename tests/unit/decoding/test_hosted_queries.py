"""A hosted model that writes queries: what it is told, and what its Cypher means here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat_server import scripted
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_named_moves
from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.automata.grammars.query_grammar import write_query_grammar
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import RelationshipKind, Schema
from trellis.domain.models.card import ModelCard
from trellis.engines.chats.chat import ChatFormat
from trellis.engines.chats.json_queries.form import QUERY_JSON
from trellis.engines.chats.query_reader import QueryReader
from trellis.steps.retrieve.queries.query_prompt import build_masked_query_prompt
from trellis.steps.retrieve.queries.settings import CypherSettings
from unit.automata.cypher.cinema import CINEMA
from unit.automata.test_query_grammar import compile_to_pattern
from unit.decoding.hosted import AnswerBody, Body, Written, write

VALUES = (
    NamedValue("v0", StoredValue("Person", "name", "secret Ann")),
    NamedValue("v0", StoredValue("Country", "name", "secret land")),
    NamedValue("v1", StoredValue("Film", "year", 1990, "INTEGER")),
)
CARD = ModelCard.of("m", CypherSettings())
QUERIES = ChatFormat(192, QueryReader)
PROMPT = build_masked_query_prompt(
    "in which films was v0 (person name, country name) before v1 (film year)?"
)
ACTED = "MATCH (f:Film)<-[:ACTED_IN]-(p:Person) WHERE p.name = $v0 AND f.year < $v1 RETURN f.title"
SAID = "show film title year < v1 acted in person name v0"


async def decoded(answer: AnswerBody, schema: Schema = CINEMA) -> Written:
    return await write(answer, PROMPT, CypherLanguage(schema, VALUES), QUERIES, CARD)


@pytest.mark.parametrize(
    "written",
    [
        ACTED,
        f"```cypher\n{ACTED};\n```",
        f"1. {ACTED}",
        ACTED.replace(" WHERE p.name = $v0 AND", " WHERE").replace(
            "Person)", "Person {name: $v0})"
        ),
        "MATCH (b:Person {name: $v0})-[:ACTED_IN]->(a:Film WHERE a.year < $v1) RETURN a.title",
        SAID,
    ],
)
async def test_cypher_in_any_style_is_the_one_sentence_that_means_it(written: str) -> None:
    spoken = await decoded(scripted(written))
    assert len(spoken.requests) == 1
    [sentence] = spoken.sentences
    [query] = sentence.values
    assert query.params == {"v0": "secret Ann", "v2": 1990}
    assert "WHERE" in query.text


async def test_what_means_nothing_here_goes_back_once_with_the_reason() -> None:
    wrong = "MATCH (f:Film)<-[:STARRED_IN]-(p:Person) WHERE p.name = $v0 RETURN f"
    right = "MATCH (f:Film)<-[:ACTED_IN]-(p:Person) WHERE p.name = $v0 RETURN f"
    spoken = await decoded(scripted(f"{wrong}\n{ACTED}", right))
    told = spoken.told(1)
    assert "STARRED_IN" in told
    assert ACTED not in told
    assert [text.split()[0] for text in spoken.texts] == ["list", "show"]
    assert spoken.tally == {"read": 2, "sent_back": 1, "dropped": 0}


@pytest.mark.parametrize(
    "harm",
    [
        "MATCH (n) DETACH DELETE n",
        "MATCH (p:Person) WHERE p.name = $v0 SET p.name = 'x' RETURN p",
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        "MATCH (p:Person) WHERE p.name = 'somebody' RETURN p",
        "CALL db.labels()",
    ],
)
async def test_what_the_language_has_not_is_never_run(harm: str) -> None:
    spoken = await decoded(scripted(harm, harm))
    assert (spoken.texts, spoken.tally["dropped"]) == ([], 1)


async def test_nothing_is_asked_where_nothing_can_be_said() -> None:
    empty = Schema((), (), 0, 0, "nothing")
    spoken = await decoded(scripted(), empty)
    assert (spoken.texts, spoken.requests) == ([], [])


WIDE_VALUES = (
    NamedValue("v0", StoredValue("Person", "name", "Ann")),
    NamedValue("v1", StoredValue("Film", "year", 2, "INTEGER")),
    NamedValue("v1", StoredValue("", "", 2, "INTEGER")),
)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "MATCH (f:Film) WHERE NOT (f)<-[:ACTED_IN]-(:Person {name: $v0}) RETURN f",
            "list film without acted in person name v0",
        ),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(f:Film) WITH p, count(f) AS n WHERE n > $v1 RETURN p",
            "list person acted in film only count all film > v1",
        ),
        (
            "MATCH (f:Film) RETURN f ORDER BY f.year DESC LIMIT $v1",
            "list film highest 2 year",
        ),
        (
            "MATCH (p:Person {name: $v0})-[:ACTED_IN]->(f:Film) RETURN count(f) > 0",
            "whether person name v0 acted in film",
        ),
    ],
)
async def test_a_hosted_model_writes_all_that_can_be_said(written: str, said: str) -> None:
    language = CypherLanguage(CINEMA, WIDE_VALUES)
    spoken = await write(scripted(written), PROMPT, language, QUERIES, CARD)
    assert spoken.texts == [said]


SPREAD = """Here is the query:
```cypher
// films before the year
MATCH (f:Film)<-[:ACTED_IN]-(p:Person)
WHERE p.name = $v0  // the person
  AND f.year < $v1
RETURN f.title;
```
It answers the question."""


async def test_a_query_over_several_lines_is_read_without_fences_and_comments() -> None:
    spoken = await decoded(scripted(SPREAD))
    assert spoken.texts == [SAID]
    assert len(spoken.requests) == 1


async def test_the_retry_is_told_what_a_value_is_a_value_of() -> None:
    wrong = "MATCH (f:Film) WHERE f.title = $v0 RETURN f"
    spoken = await decoded(scripted(wrong, ACTED))
    assert spoken.texts == [SAID]
    told = spoken.told(1)
    assert "v0 is a name of Person or a name of Country, not a title of Film" in told


async def decode_led(language: CypherLanguage, written: str) -> Written:
    """What comes of a server that obeys a grammar, if its model wants to write a text."""

    def answer(body: Body) -> str:
        grammar = body.get("grammar", "")
        if "trellis-7" in grammar:
            return "trellis-7"
        is_inside = bool(grammar) and bool(compile_to_pattern(grammar).fullmatch(written))
        return written if is_inside or not grammar else "MATCH (f:Film) RETURN f"

    chat = ChatFormat(192, QueryReader, QUERY_JSON, write_query_grammar)
    return await write(answer, PROMPT, language, chat, CARD, width=1, fixed_means=None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "written",
    [
        ACTED,
        "MATCH (f:Film) WHERE NOT EXISTS { MATCH (f)<-[:ACTED_IN]-(p:Person) } RETURN f.title",
        "MATCH (p:Person)-[:ACTED_IN]->(f:Film) WITH p, count(f) AS num WHERE num > $v1 RETURN p",
        "MATCH (p:Person) OPTIONAL MATCH (p)-[:ACTED_IN]->(f:Film) RETURN p, f",
    ],
)
async def test_a_grammar_says_all_of_cypher_that_is_read(written: str) -> None:
    literal = NamedValue("v1", StoredValue("", "", 1990, "INTEGER"))
    language = CypherLanguage(CINEMA, (*VALUES, literal))
    spoken = await decode_led(language, written)
    assert spoken.model.known_means == "gbnf"
    assert spoken.texts == ["".join(find_named_moves(language, written)).strip()]
    assert "ACTED_IN" in spoken.requests[-1]["grammar"]


@pytest.mark.slow
async def test_what_a_grammar_lets_pass_and_the_language_does_not_is_sent_back() -> None:
    wrong = "MATCH (f:Film) WHERE p.name = $v0 RETURN f"
    spoken = await decode_led(CypherLanguage(CINEMA, VALUES), wrong)
    assert spoken.texts == []
    assert "'p' is no" in spoken.told(-1)


async def test_a_schema_without_a_grammar_is_asked_for_text() -> None:
    many = tuple(RelationshipKind(f"TYPE_{at}", "Film", "Film", 1) for at in range(3_000))
    wide = replace(CINEMA, relationships=(*CINEMA.relationships, *many))
    spoken = await decode_led(CypherLanguage(wide, VALUES), ACTED)
    assert (spoken.model.known_means, spoken.texts) == ("gbnf", [SAID])
    assert "grammar" not in spoken.requests[-1]
