"""Queries as JSON trees: for servers that obey a JSON schema, and neither masks nor a grammar."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fastapi import Response

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import find_named_moves
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.words.bound_values import NamedValue, number_values
from trellis.automata.reader import SentenceReading
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.domain.models.prompt import Prompt, PromptMessage
from trellis.engines.chats.chat import ChatFormat
from trellis.engines.chats.json_lines import JsonReader
from trellis.engines.chats.json_queries.form import QUERY_JSON, read_query_json, write_query_json
from trellis.engines.chats.json_queries.schema import build_query_schema
from trellis.engines.chats.query_reader import QueryReader
from unit.automata.cypher.cinema import CINEMA, VALUES, kinds
from unit.decoding.hosted import AnswerBody, Body, Written, write
from unit.decoding.test_hosted_queries import ACTED, CARD, PROMPT, SAID
from unit.decoding.test_hosted_queries import VALUES as ASKED

PROOF = '{"parts": ["trellis-7"]}'

PERSON, FILM, COUNTRY = (
    {"name": name, "label": label}
    for name, label in (("n0", "Person"), ("n1", "Film"), ("n2", "Country"))
)
PLAYED = {"from": "n0", "type": "ACTED_IN", "direction": "out", "to": "n1"}
ANN = {"node": "n0", "property": "name", "operator": "=", "value": "v0"}
EARLY = {"node": "n1", "property": "year", "operator": "<", "value": "v1"}
TITLE = {"function": "", "node": "n1", "property": "title"}
WHOLE_FILM = {"function": "", "node": "n1", "property": ""}


def tree(*returned: Body, **parts: Any) -> Body:
    """A whole tree of the films that people acted in; `parts`: what is other than in that."""
    empty: Body = {"nodes": [PERSON, FILM], "match": [PLAYED], "where": [], "distinct": False}
    items = [*(returned or (WHOLE_FILM,))]
    return {**empty, "return": items, "order": [], "limit": 0, "cypher": "", **parts}


ASKED_TREE = tree(TITLE, where=[ANN, EARLY])
NEWEST = {"function": "", "node": "n1", "property": "year", "descending": True}
MADE = {"from": "n1", "type": "MADE_IN", "direction": "out", "to": "n2"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (tree(where=[ANN]), "list film acted in person name v0"),
        (ASKED_TREE, SAID),
        (tree(distinct=True), "list distinct film acted in person"),
        (tree({**WHOLE_FILM, "function": "count distinct"}), "count film acted in person"),
        (tree(nodes=[FILM], match=[], order=[NEWEST], limit=3), "list film highest 3 year"),
        (
            tree(
                nodes=[FILM, {**PERSON, "label": ""}],
                match=[{**PLAYED, "from": "n1", "direction": "in", "to": "n0"}],
            ),
            "list film acted in person",
        ),
        (tree(nodes=[PERSON, FILM, COUNTRY]), "list film acted in person"),
        (
            tree(nodes=[PERSON, FILM, COUNTRY], match=[PLAYED, MADE]),
            "list film acted in person and film made in country",
        ),
        (tree(cypher=ACTED), SAID),
    ],
)
def test_a_tree_is_the_sentence_that_says_it(body: Body, said: str) -> None:
    language = CypherLanguage(CINEMA, ASKED)
    read = JsonReader(QUERY_JSON, QueryReader(language)).read_text(json.dumps(body))
    assert isinstance(read, SentenceReading), read
    assert read.text.strip() == said


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "it returns nothing"),
        ({**tree(), "return": []}, "it returns nothing"),
        (tree(nodes=[PERSON]), "'n1' is none of its nodes"),
        (tree(nodes=[PERSON, {**FILM, "name": "n0"}]), "two nodes have one name"),
        (tree(match=[{"from": "n0", "type": "ACTED_IN", "direction": "out"}]), "match 0 to"),
        (tree(where=[{**ANN, "operator": "=~"}]), "where 0 operator"),
        (tree(limit=-1), "limit"),
        (tree(match=[PLAYED] * 99), "match"),
        (tree(nodes=3), "nodes"),
    ],
)
def test_a_tree_that_says_no_query_is_told_why(body: Body, reason: str) -> None:
    with pytest.raises(CypherReadError) as raised:
        read_query_json(body)
    assert reason in raised.value.problem


WRITTEN = (
    "MATCH (p:Person) RETURN p",
    "MATCH (p:Person)-[:ACTED_IN]->(f:Film) WHERE p.name = $v0 AND f.year >= $v1 RETURN f.title",
    "MATCH (f:Film)-[:MADE_IN]->(c:Country) WHERE c.name = $v3 RETURN count(DISTINCT f)",
    "MATCH (f:Film) WHERE f.released > $v2 RETURN f.title ORDER BY f.year DESC LIMIT 3",
    "MATCH (p:Person)-[:KNOWS]-(q:Person) WHERE q.born < $v4 RETURN DISTINCT p.name",
    "MATCH (p:Person)-[:BORN_IN]->(c:Country) RETURN c.name, count(p)",
    "MATCH (p:Person) WHERE NOT EXISTS { (p)-[:ACTED_IN]->(:Film) } RETURN p",
    "MATCH (p:Person) OPTIONAL MATCH (p)-[:ACTED_IN]->(f:Film) RETURN p, f",
    "MATCH (p:Person)-[:ACTED_IN]->(f:Film) WITH p, count(f) AS n WHERE n > $v4 RETURN p",
)


@pytest.mark.parametrize("text", WRITTEN)
def test_an_example_means_as_a_tree_what_it_means_as_cypher(text: str) -> None:
    values = (*number_values(VALUES), NamedValue("v4", StoredValue("", "", 1950, "INTEGER")))
    language = CypherLanguage(CINEMA, values)
    told = json.loads(write_query_json(text))
    assert set(told) == set(build_query_schema(language)["properties"])
    moves = find_named_moves(language, read_query_json(told))
    assert moves == find_named_moves(language, text)
    is_wide = any(word in text for word in ("EXISTS", "OPTIONAL", "WITH"))
    assert bool(told["cypher"]) == is_wide
    assert bool(told["nodes"]) != is_wide


def test_odd_names_come_back_as_they_are() -> None:
    odd = "a `b` \\u0060) RETURN 1 //"
    labels = (LabelKind(odd, 3, odd, kinds(**{odd: "STRING"})),)
    schema = Schema(labels, (RelationshipKind(odd, odd, odd, 3),), 3, 3, "odd")
    language = CypherLanguage(schema, number_values([StoredValue(odd, odd, "x")]))
    nodes = [{"name": f"n{at}", "label": odd} for at in range(2)]
    said = tree(
        nodes=nodes,
        match=[{"from": "n0", "type": odd, "direction": "out", "to": "n1"}],
        where=[{"node": "n1", "property": odd, "operator": "=", "value": "v0"}],
        **{"return": [{"function": "", "node": "n0", "property": odd}]},
    )
    moves = find_named_moves(language, read_query_json(said))
    [query] = language.values(follow_moves(language, moves))
    assert query.params == {"v0": "x"}


def test_the_schema_has_the_names_of_the_graph_and_no_others() -> None:
    schema = build_query_schema(CypherLanguage(CINEMA, ASKED))

    def list_names(part: str, name: str) -> list[str]:
        names: list[str] = schema["properties"][part]["items"]["properties"][name]["enum"]
        return names

    assert list_names("nodes", "label") == ["", "Country", "Film", "Person"]
    assert list_names("match", "type") == ["ACTED_IN", "BORN_IN", "KNOWS", "LIKES", "MADE_IN"]
    assert list_names("where", "property") == ["born", "name", "released", "title", "year"]
    assert list_names("where", "value") == ["v0", "v1"]
    assert "where" not in build_query_schema(CypherLanguage(CINEMA))["properties"]


def test_a_schema_of_more_names_than_servers_take_lists_the_short_lists() -> None:
    many = tuple(RelationshipKind(f"T{at}", "Film", "Film", 1) for at in range(2_000))
    wide = replace(CINEMA, relationships=many)
    properties = build_query_schema(CypherLanguage(wide, ASKED))["properties"]
    assert properties["match"]["items"]["properties"]["type"] == {"type": "string"}
    assert "Film" in properties["nodes"]["items"]["properties"]["label"]["enum"]


async def decode(answer: AnswerBody, prompt: Prompt = PROMPT) -> Written:
    """What a server's model writes, where the server is asked for its means first."""
    language = CypherLanguage(CINEMA, ASKED, RenderingOptions(rendering="cypher"))
    chat = ChatFormat(192, QueryReader, QUERY_JSON)
    return await write(answer, prompt, language, chat, CARD, width=2, fixed_means=None)


def is_proof(body: Body) -> bool:
    return "parts" in body["response_format"]["json_schema"]["schema"]["properties"]


def obey(*answers: str | Response) -> Callable[[Body], Any]:
    """A server that obeys a schema, and knows no grammar; its model writes these answers."""
    left = iter(answers)

    def answer(body: Body) -> Any:
        if "response_format" not in body:
            return "Hello!"
        return PROOF if is_proof(body) else next(left)

    return answer


async def test_a_server_that_obeys_a_schema_is_asked_for_a_tree() -> None:
    system = PromptMessage("system", ("Translate into Cypher.",))
    example = PromptMessage("assistant", (" MATCH (p:Person)", " WHERE p.name = $v0", " RETURN p"))
    asked = PromptMessage("user", ("in which films was v0 before v1?",))
    chat = replace(PROMPT, messages=(system, asked, example, asked))
    written = await decode(obey(json.dumps(ASKED_TREE)), chat)
    assert written.model.known_means == "json"
    [query] = written.sentences[0].values
    assert query.params == {"v0": "secret Ann", "v2": 1990}
    told = written.requests[-1]["messages"]
    assert told[0]["content"].startswith("Translate into Cypher.\n\nWrite the query as one JSON")
    assert json.loads(told[2]["content"])["where"] == [ANN]
    assert "secret" not in json.dumps(written.requests)
    listed = written.requests[-1]["response_format"]["json_schema"]["schema"]["properties"]
    assert "ACTED_IN" in listed["match"]["items"]["properties"]["type"]["enum"]


async def test_what_a_tree_cannot_say_here_goes_back_once_with_the_reason() -> None:
    wrong = tree(where=[{**ANN, "node": "n1", "property": "title"}])
    written = await decode(obey(json.dumps(wrong), json.dumps(ASKED_TREE)))
    assert len(written.texts) == 1
    told = written.told(-1)
    assert "v0 is a name of Person or a name of Country, not a title of Film" in told
    assert "response_format" in written.requests[-1]
    assert written.tally == {"read": 1, "sent_back": 1, "dropped": 0}


@pytest.mark.slow
@pytest.mark.parametrize("twice", ['{"nodes": [', json.dumps(tree(cypher="MATCH (n) DELETE n"))])
async def test_what_is_no_query_twice_is_dropped(twice: str) -> None:
    written = await decode(obey(twice, twice))
    assert (written.texts, written.tally["dropped"]) == ([], 1)


@pytest.mark.slow
@pytest.mark.parametrize("reply", [ACTED, f"```cypher\n{ACTED}\n```", "1. " + ACTED])
async def test_a_reply_that_is_no_json_is_read_as_text(reply: str) -> None:
    written = await decode(obey(reply))
    assert len(written.texts) == 1
    assert is_proof(written.requests[-2])  # nothing went back


async def test_json_in_a_fence_is_read() -> None:
    written = await decode(obey(f"```json\n{json.dumps(ASKED_TREE, indent=1)}\n```"))
    assert len(written.texts) == 1


REFUSED = '{"error": {"message": "this response_format is not supported"}}'


async def test_a_server_that_refuses_a_response_format_is_asked_for_text() -> None:
    def answer(body: Body) -> Any:
        return Response(REFUSED, 400) if "response_format" in body else ACTED

    written = await decode(answer)
    assert (written.model.known_means, len(written.texts)) == ("text", 1)
    assert sum("response_format" in body for body in written.requests) == 1


async def test_a_schema_that_a_server_refuses_for_its_size_costs_one_call() -> None:
    def answer(body: Body) -> Any:
        if "response_format" not in body:
            return ACTED
        return PROOF if is_proof(body) else Response(REFUSED, 400)

    written = await decode(answer)
    assert (written.model.known_means, len(written.texts)) == ("json", 1)
    assert ["response_format" in body for body in written.requests[-2:]] == [True, False]
    assert "JSON" not in json.dumps(written.requests[-1])


async def test_a_server_that_ignores_a_response_format_is_read() -> None:
    written = await decode(lambda _: ACTED)
    assert (written.model.known_means, len(written.texts)) == ("text", 1)
