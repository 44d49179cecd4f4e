"""The rendering `cypher`: the same queries, said as ordinary Cypher that runs as it stands."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from bench.made.cypher_sentences import make_random_sentence
from trellis.automata.codec import decode_language, encode_language
from trellis.automata.cypher.grammar.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import find_canonical_moves, find_named_moves
from trellis.automata.cypher.sentences.canonical import follow_moves, spell_query
from trellis.automata.cypher.words.bound_values import NamedValue, number_values
from trellis.automata.reader import Departure, Reader, SentenceReading
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.reachable import ReachablePath, ReachablePaths
from unit.automata.cypher.cinema import CINEMA
from unit.automata.cypher.cinema import VALUES as LINKED
from unit.automata.cypher.pairs import read_pairs
from unit.automata.cypher.schemas import SchemaWorld, schema_worlds
from unit.automata.cypher.shop import SHOP, VALUES
from unit.automata.kinds import vocabulary
from unit.automata.laws import seeds
from unit.automata.test_laws import law

CLAUSES = RenderingOptions(rendering="cypher")


def cinema() -> CypherLanguage:
    return CypherLanguage(CINEMA, number_values(LINKED), CLAUSES)


def shop() -> CypherLanguage:
    return CypherLanguage(SHOP, number_values(VALUES), CLAUSES)


MEANT = {
    "MATCH (f:Film) RETURN f": "MATCH (x0:`Film`)\nRETURN x0",
    "MATCH (p:Person)-[:ACTED_IN]->(f:Film) WHERE f.year = $v1 RETURN p.name": (
        "MATCH (x0:`Person`)-[:`ACTED_IN`]->(x1:`Film` WHERE x1.`year` = $v1)\nRETURN x0.`name`"
    ),
    "MATCH (f:Film) WHERE f.released < date($v2) AND f.title IS NOT NULL RETURN count(f)": (
        "MATCH (x0:`Film` WHERE x0.`released` < date($v2) AND x0.`title` IS NOT NULL)\n"
        "RETURN count(x0)"
    ),
    "MATCH (p:Person)-[:KNOWS]-(p2:Person) WHERE NOT p2.name IN [$v0, $v3] RETURN p": None,
    "MATCH (f:Film)<-[:ACTED_IN]-(p:Person), (f)<-[:ACTED_IN]-(p2:Person) RETURN DISTINCT f": (
        "MATCH (x0:`Film`)<-[:`ACTED_IN`]-(x1:`Person`), (x0)<-[:`ACTED_IN`]-(x2:`Person`)\n"
        "RETURN DISTINCT x0"
    ),
    "MATCH (p:Person) WHERE NOT EXISTS { MATCH (p)-[:ACTED_IN]->(f:Film) } RETURN p": (
        "MATCH (x0:`Person`)\nWHERE NOT EXISTS { MATCH (x0)-[:`ACTED_IN`]->(x1:`Film`) }\nRETURN x0"
    ),
    "MATCH (p:Person) WHERE p.born > $v4 OPTIONAL MATCH (p)-[:LIKES]->(f:Film) RETURN p, f": (
        "MATCH (x0:`Person` WHERE x0.`born` > $v4)\n"
        "OPTIONAL MATCH (x0)-[:`LIKES`]->(x1:`Film`)\nRETURN x0, x1"
    ),
    "MATCH (c:Country)<-[:MADE_IN]-(f:Film) RETURN c, count(f) ORDER BY count(f) DESC LIMIT 1": (
        "MATCH (x0:`Country`)<-[:`MADE_IN`]-(x1:`Film`)\n"
        "RETURN x0, count(x1)\nORDER BY count(x1) DESC\nLIMIT 1"
    ),
    "MATCH (c:Country)<-[:MADE_IN]-(f:Film) WITH c, min(f.year) AS num RETURN c ORDER BY num ASC": (
        "MATCH (x0:`Country`)<-[:`MADE_IN`]-(x1:`Film`)\n"
        "WITH x0, min(x1.`year`) AS c0\nRETURN x0\nORDER BY c0 ASC"
    ),
    "MATCH (f:Film) WITH f ORDER BY f.year DESC LIMIT 3 MATCH (f)<-[:LIKES]-(p:Person) RETURN p": (
        "MATCH (x0:`Film`)\nWITH x0\nORDER BY x0.`year` IS NULL, x0.`year` DESC\nLIMIT 3\n"
        "MATCH (x0)<-[:`LIKES`]-(x1:`Person`)\nRETURN x1"
    ),
    "MATCH (p:Person)-[:KNOWS]->(p2:Person)-[:KNOWS]->(p) RETURN count(*) > 0": (
        "MATCH (x0:`Person`)-[:`KNOWS`]->(x1:`Person`)-[:`KNOWS`]->(x0)\nRETURN count(*) > 0"
    ),
    "MATCH (p:Person)<-[:ACTED_IN]-(f:Film) RETURN p": None,
    "MATCH (f:Film) WHERE f.born = $v4 RETURN f": None,
    "MATCH (f:Film) RETURN sum(f.title)": None,
    "MATCH (f:Film) RETURN f DELETE f": None,
}


@pytest.mark.parametrize("text", MEANT)
def test_a_text_means_its_query_or_leaves_the_language(text: str) -> None:
    reading = Reader(cinema()).read_text(text)
    if MEANT[text] is None:
        assert isinstance(reading, Departure)
        assert reading.alternatives
    else:
        assert isinstance(reading, SentenceReading)
        assert [query.text for query in reading.values] == [MEANT[text]]


def test_a_departure_names_what_could_have_been_written() -> None:
    reading = Reader(cinema()).read_text("MATCH (p:Person)-[:ACTED_BY]->(f:Film) RETURN p")
    assert isinstance(reading, Departure)
    assert reading.alternatives[0] == ")-[:ACTED_IN]->("


IN_ANY_STYLE = read_pairs("""
match (x:Film)<-[:ACTED_IN]-(y {name: "Ann"}) return x.title as t
    MATCH (f:Film)<-[:ACTED_IN]-(p:Person) WHERE p.name = $v0 RETURN f.title
MATCH (a:Person)-[:BORN_IN]->(b) WITH b, count(*) AS n WHERE n > 1990 RETURN b.name
    MATCH (c:Country)<-[:BORN_IN]-(p:Person) WITH c, count(p) AS num WHERE num > $v1 RETURN c.name
MATCH (p:Person)-[:ACTED_IN]-(f)-[:MADE_IN]-(c) WHERE c.name = 'Peru' RETURN p
    MATCH (p:Person)-[:ACTED_IN]->(f:Film)-[:MADE_IN]->(c:Country) WHERE c.name = $v3 RETURN p
MATCH (f:Film) WHERE f.year >= 1990 AND NOT (f)<-[:LIKES]-() RETURN f LIMIT 5
    MATCH (f:Film) WHERE f.year >= $v1 AND NOT EXISTS { MATCH (f)<-[:LIKES]-(p:Person) } RETURN f
    LIMIT 5
""")


@pytest.mark.parametrize(("cypher", "sentence"), IN_ANY_STYLE.items())
def test_cypher_in_any_style_comes_to_one_sentence(cypher: str, sentence: str) -> None:
    values = [*number_values(LINKED), NamedValue("v1", StoredValue("", "", 1990, "INTEGER"))]
    language = CypherLanguage(CINEMA, values, CLAUSES)
    assert "".join(find_canonical_moves(language, cypher)) == f" {sentence}"


SAID_TWICE = read_pairs("""
show film title acted in person name v0
    MATCH (f:Film)<-[:ACTED_IN]-(p:Person) WHERE p.name = $v0 RETURN f.title
list film highest 3 year made in country name v3
    MATCH (f:Film)-[:MADE_IN]->(c:Country) WHERE c.name = $v3 RETURN f ORDER BY f.year DESC LIMIT
    3
list country made in film each country highest by count film
    MATCH (c:Country)<-[:MADE_IN]-(f:Film) WITH c, count(DISTINCT f) AS num RETURN c ORDER BY num
    DESC LIMIT 1
""")


@pytest.mark.parametrize("brief", SAID_TWICE)
def test_a_brief_sentence_has_one_in_cypher_and_back(brief: str) -> None:
    wordy = CypherLanguage(CINEMA, number_values(LINKED))
    reading = Reader(wordy).read_text(brief)
    assert isinstance(reading, SentenceReading)
    moves = find_canonical_moves(cinema(), reading.values[0].text, reading.values[0].params)
    assert "".join(moves) == f" {SAID_TWICE[brief]}"
    query = follow_moves(cinema(), moves).query
    again = follow_moves(wordy, spell_query(wordy, query)).query
    assert spell_query(cinema(), again) == moves


@pytest.mark.slow
@law
@given(schema_worlds(), seeds)
def test_a_canonical_sentence_reads_as_its_query_as_it_stands(
    world: SchemaWorld, seed: int
) -> None:
    """The reader of Cypher in any style knows nothing of how sentences are made."""
    options = replace(world.options, rendering="cypher")
    values = number_values([value.stored for value in world.values])
    language = CypherLanguage(world.schema, values, options)
    if language.is_empty():
        return
    _, state = make_random_sentence(language, Random(seed))
    try:
        moves = spell_query(language, state.query)
    except CypherReadError:
        assert world.options.is_wide
        return
    assert find_named_moves(language, "".join(moves)) == moves


@pytest.mark.slow
def test_nearly_all_sentences_of_one_rendering_have_one_in_the_other() -> None:
    brief = CypherLanguage(SHOP, number_values(VALUES))
    spelled = 0
    for seed in range(60):
        _, state = make_random_sentence(brief, Random(seed))
        try:
            moves = spell_query(shop(), state.query)
        except CypherReadError:
            continue
        said = follow_moves(shop(), moves)
        assert len(shop().values(said)) == len(brief.values(state))
        spelled += 1
    assert spelled >= 45


def test_the_rendering_travels() -> None:
    language = decode_language(encode_language(shop()))
    assert isinstance(language, CypherLanguage)
    assert language.options == CLAUSES
    text = " MATCH (s:Shop)-[:SELLS]->(p:Product) WHERE p.price > $v2 RETURN s"
    assert isinstance(Reader(language).read_text(text), SentenceReading)


def test_only_what_a_value_reaches_can_be_said_of_it() -> None:
    """The pattern is said first, and then the values that its nodes can have."""
    paths = (ReachablePath((Step("ACTED_IN"),), ("Film",), 3, 2),)
    grounding = [Grounding(0, ReachablePaths(paths), 1)]
    language = CypherLanguage(CINEMA, number_values(LINKED), CLAUSES, grounding)
    reader = Reader(language)
    acted = "MATCH (f:Film)<-[:ACTED_IN]-(p:Person) WHERE p.name = $v0 RETURN f"
    liked = "MATCH (f:Film)<-[:LIKES]-(p:Person) WHERE p.name = $v0 RETURN f"
    assert isinstance(reader.read_text(acted), SentenceReading)
    assert isinstance(reader.read_text(liked), Departure)
    assert isinstance(reader.read_text(liked.replace("$v0", "$v3")), Departure)


def test_values_of_the_schema_are_literals() -> None:
    """They stand in a sentence as they stand in the graph."""
    values = [
        NamedValue("it's open", StoredValue("Film", "title", "It's open")),
        NamedValue("v0", StoredValue("Film", "year", 1990, "INTEGER")),
    ]
    language = CypherLanguage(CINEMA, values, CLAUSES)
    (query,) = language.values(
        follow_moves(
            language, find_canonical_moves(language, "MATCH (f:Film {year: 1990}) RETURN f")
        )
    )
    assert query.params == {"v1": 1990}
    reading = Reader(language).read_text("MATCH (f:Film) WHERE f.title = 'it\\'s open' RETURN f")
    assert isinstance(reading, SentenceReading)
    assert [each.params for each in reading.values] == [{"v0": "It's open"}]


def test_a_sentence_is_mostly_spelled_as_the_whole_text_is() -> None:
    """Moves end where tokenizers divide words from marks."""
    words = vocabulary("bytes-500")
    language, alike = cinema(), 0
    for seed in range(40):
        moves, _ = make_random_sentence(language, Random(seed))
        spelled = [token for move in moves for token in words.encode(move)]
        assert TokenAutomaton(language, words).start()
        alike += tuple(spelled) == words.encode("".join(moves))
    assert alike >= 10
