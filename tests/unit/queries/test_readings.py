"""How a query is read: what it asks for in plain English, and no two queries alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from random import Random

import pytest

from bench.made.cypher_sentences import make_random_sentence
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.items import LIST, WHETHER, ReturnItem
from trellis.automata.cypher.meaning.query import (
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryNode,
    QueryScope,
)
from trellis.automata.cypher.meaning.rendering import render_query
from trellis.automata.cypher.sentences.canonical import follow_moves, spell_query
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.describe.queries.describe_query import describe_query
from trellis.steps.describe.queries.read_meaning import describe_meaning, read_meaning
from unit.automata.cypher.cinema import cinema, kinds
from unit.automata.cypher.shop import shop

ATLAS = IndexedSchema(
    Schema(
        (
            LabelKind("City", 9, "name", kinds(name="STRING")),
            LabelKind("Continent", 6, "name", kinds(name="STRING")),
            LabelKind(
                "Country",
                9,
                "name",
                kinds(name="STRING", area="FLOAT", flags="LIST", population="STRING"),
            ),
            LabelKind("Organization", 9, "name", kinds(name="STRING")),
            LabelKind("Person", 9, "name", kinds(name="STRING", born="DATE")),
            LabelKind("River", 9, "name", kinds(name="STRING", length="INTEGER")),
        ),
        (
            RelationshipKind("BORDERS", "Country", "Country", 9),
            RelationshipKind("FLOWS_THROUGH", "River", "Country", 9),
            RelationshipKind("HAS_CAPITAL", "Country", "City", 9),
            RelationshipKind("IN_CONTINENT", "Country", "Continent", 9),
            RelationshipKind("KNOWS", "Person", "Person", 9),
            RelationshipKind("MEMBER_OF", "Country", "Organization", 9),
            RelationshipKind("VISITED", "Person", "City", 9),
        ),
        nodes=51,
        edges=63,
        fingerprint="atlas",
        relationship_properties={
            "VISITED": kinds(year="INTEGER", role="STRING", alone="BOOLEAN"),
        },
    )
)
_AFRICA = "MATCH (c:Country)-[:IN_CONTINENT]->(:Continent {name: 'Africa'})"
_OF_CONTINENTS = "MATCH (k:Continent)<-[:IN_CONTINENT]-(c:Country)"

READINGS = {
    f"{_AFRICA} WHERE NOT EXISTS {{ (c)-[:BORDERS]->(:Country {{name: 'Chad'}}) }} RETURN c": (
        "countries that are in continent Africa and do not border a country named Chad"
    ),
    "MATCH (c:Country) RETURN c ORDER BY c.area DESC LIMIT 3": (
        "the 3 largest countries (highest area)"
    ),
    f"{_AFRICA} RETURN c.name ORDER BY c.area SKIP 1 LIMIT 1": (
        "of countries that are in continent Africa: "
        "the name of the second smallest (second lowest area)"
    ),
    "MATCH (r:River)-[:FLOWS_THROUGH]->(:Country {name: 'Austria'}) RETURN count(DISTINCT r)": (
        "the number of rivers that flow through country Austria"
    ),
    f"{_OF_CONTINENTS} WITH k, count(DISTINCT c) AS n RETURN k.name, n": (
        "for each continent that a country is in: its name and the number of countries"
    ),
    f"{_OF_CONTINENTS} WITH k, count(DISTINCT c) AS n WHERE n > 9 RETURN k ORDER BY n LIMIT 2": (
        "for each continent that a country is in: the continent; "
        "only where the number of countries is greater than 9; "
        "ordered by the number of countries (lowest first); only the first 2"
    ),
    f"{_OF_CONTINENTS} RETURN k.name, collect(c.name)": (
        "for each name of continents that a country is in: "
        "the name of the continent and a list of the name of countries"
    ),
    "MATCH (c:Country) WHERE COUNT { (c)-[:BORDERS]->(:Country) } > 8 RETURN c": (
        "countries that border more than 8 countries"
    ),
    "MATCH (c:Country {name: 'Malta'})-[:MEMBER_OF]->(:Organization {name: 'Council of Europe'}) "
    "RETURN count(*) > 0": "whether country Malta is member of organization Council of Europe",
    "MATCH (c:Country {name: 'Malta'}) RETURN c.area > 100": (
        "whether there is a country named Malta whose area is greater than 100"
    ),
    "MATCH (r:River), (x:River {name: 'Rhine'}) WHERE r.length > x.length RETURN r.length": (
        "the length of rivers whose length is greater than that of river Rhine"
    ),
    "MATCH (p:Person)-[:KNOWS]->(:Person {name: 'Ann'}) RETURN p": "persons that know person Ann",
    "MATCH (p:Person)<-[:KNOWS]-(:Person {name: 'Ann'}) RETURN p": "persons that person Ann knows",
    "MATCH (p:Person)-[:KNOWS]-(:Person {name: 'Ann'}) RETURN p": (
        "persons that know (in either direction) person Ann"
    ),
    "MATCH (c:Country)-[:HAS_CAPITAL]-(:City {name: 'Paris'}) RETURN c": (
        "countries that have as capital city Paris"
    ),
    "MATCH (t:City)<-[:HAS_CAPITAL]-(c:Country) WHERE c.area > 5 RETURN t": (
        "cities that a country (whose area is greater than 5) has as capital"
    ),
    "MATCH (p:Person) WHERE p.name IN ['Ann', 'Tom and Jo'] RETURN p": (
        'persons named Ann or "Tom and Jo"'
    ),
    "MATCH (p:Person) WHERE NOT p.name IN ['Ann', 'Bob'] RETURN p": (
        "persons whose name is neither Ann nor Bob"
    ),
    "MATCH (p:Person) WHERE NOT toLower(p.name) CONTAINS 'ann' AND p.born IS NULL RETURN p": (
        'persons whose name in lower case does not contain "ann" and whose born is not known'
    ),
    "MATCH (p:Person) WHERE p.born < date('1990-01-01') RETURN avg(p.born.year)": (
        "the average year of born of persons whose born is before 1990-01-01"
    ),
    "MATCH (c:Country) WHERE 'red' IN c.flags AND size(c.flags) >= 3 RETURN DISTINCT c.name": (
        'the different values of the name of countries whose flags includes "red" '
        "and whose size of flags is at least 3"
    ),
    "MATCH (p:Person)-[v:VISITED]->(:City {name: 'Rome'}) WHERE v.year > 2000 RETURN p, v.year": (
        "for persons that visited (year is greater than 2000) city Rome: "
        'the person and the year of the "visited"'
    ),
    "MATCH (c:Country) OPTIONAL MATCH (c)-[:HAS_CAPITAL]->(t:City) RETURN c.name, t.name": (
        "for countries that optionally have as capital a city: "
        "the name of the country and the name of the city"
    ),
    "MATCH (p:Person)-[:KNOWS]->(q:Person)-[:KNOWS]->(r:Person) RETURN p": (
        "persons that know a person that knows a person"
    ),
    "MATCH (p:Person)-[:KNOWS]->(q:Person) MATCH (q)-[:KNOWS]->(r:Person) RETURN p": (
        "persons that know a person that knows a person; "
        '"knows" relationships 1 and 2 may be the same'
    ),
    "MATCH (p:Person)-[:KNOWS]->(q:Person), (q)-[:KNOWS]->(p) RETURN p": (
        "persons (person 1) that know a person that knows person 1"
    ),
    "MATCH (p:Person)-[:KNOWS]->(q:Person) RETURN q.name, q.born LIMIT 5": (
        "for persons (person 1) that a person knows: "
        "the name of person 1 and the born of person 1; any 5 of them"
    ),
    "MATCH (x)-[:KNOWS]->(:Person) RETURN x": "things of any kind that know a person",
    "MATCH (p:Person)-[v:VISITED]->(t:City) WHERE v.role = 'guest' AND v.alone = true RETURN t": (
        'cities that a person visited (role is "guest" and alone is true)'
    ),
    "MATCH (c:Country), (o:Country {name: 'Chad'}) "
    "WHERE toInteger(c.population) >= 5 AND c <> o AND c.name < o.name RETURN c.name": (
        "the name of countries (country 1) whose population (as a whole number) is at least 5, "
        "combined with every country named Chad "
        "(that is other than country 1 and whose name comes after that of country 1)"
    ),
    "MATCH (p:Person) RETURN p ORDER BY p.born DESC LIMIT 1": "the youngest person (latest born)",
    "MATCH (c:Country) WHERE c.name > 'Peru' RETURN c": "countries whose name comes after Peru",
    "MATCH (c:Country) RETURN c ORDER BY toFloat(c.population) / c.area DESC LIMIT 1": (
        "the country with the highest population (as a decimal number) divided by the area"
    ),
    "MATCH (c:Country) RETURN avg(toFloat(c.population) / c.area)": (
        "the average (population (as a decimal number) divided by the area) of countries"
    ),
    "MATCH (r:River)-[:FLOWS_THROUGH]->(c:Country) RETURN r.length / c.area": (
        "for rivers that flow through a country: "
        "the length of the river divided by the area of the country"
    ),
    "MATCH (c:Country) WITH c ORDER BY c.area DESC LIMIT 1 "
    "MATCH (c)-[:HAS_CAPITAL]->(t:City) RETURN t.name": (
        "the name of cities that the largest country (highest area) has as capital"
    ),
    "MATCH (c:Country) WITH c ORDER BY c.area DESC SKIP 1 LIMIT 1 "
    "MATCH (c)-[:BORDERS]->(d:Country) RETURN c.name, d.name": (
        "for the second largest country (country 1) (second highest area) "
        "(if it is one that borders a country (country 2)): "
        "the name of country 1 and the name of country 2"
    ),
    "MATCH (r:River) WITH r ORDER BY r.length DESC LIMIT 3 "
    "MATCH (r)-[:FLOWS_THROUGH]->(c:Country) RETURN DISTINCT c": (
        "the different countries that one of the 3 longest rivers (highest length) flows through"
    ),
    "MATCH (r:River) WITH r ORDER BY r.length DESC LIMIT 3 "
    "MATCH (r)-[:FLOWS_THROUGH]->(:Country {name: 'Chad'}) RETURN count(DISTINCT r)": (
        "the number of the 3 longest rivers (highest length) "
        "(only those that flow through country Chad)"
    ),
    "MATCH (p:Person)-[:VISITED]->(t:City) WHERE p.born IS NOT NULL "
    "WITH p, count(DISTINCT t) AS n ORDER BY n DESC LIMIT 5 "
    "MATCH (p)-[:KNOWS]->(q:Person) RETURN q": (
        "persons that one of the 5 persons (whose born is known and that visited a city) "
        "with the highest number of cities knows"
    ),
    "MATCH (p:Person)-[:VISITED]->(t:City) WITH p ORDER BY p.born LIMIT 5 "
    "MATCH (p)-[:KNOWS]->(q:Person) RETURN q": (
        "persons that one of the 5 matches of persons (that visited a city) "
        "with the earliest born knows"
    ),
    "MATCH (c:Country)-[:IN_CONTINENT]->(:Continent {name: 'Africa'}) "
    "WITH c ORDER BY c.area DESC LIMIT 1 "
    "MATCH (c)-[:MEMBER_OF]->(:Organization {name: 'OPEC'}) RETURN count(*) > 0": (
        "whether the largest country (that is in continent Africa; highest area) "
        "is one that is member of organization OPEC"
    ),
}


@pytest.mark.parametrize("cypher", READINGS)
def test_a_query_is_said_in_plain_english(cypher: str) -> None:
    assert describe_meaning(read_meaning(CypherQuery(cypher)), ATLAS) == READINGS[cypher]


def test_what_the_language_does_not_say_has_no_reading() -> None:
    assert describe_meaning(read_meaning(CypherQuery("MATCH (n) DELETE n")), ATLAS) == ""


def test_values_that_are_said_alike_are_all_named() -> None:
    values = [StoredValue("Person", "name", "Ann"), StoredValue("Person", "name", "Anne")]
    named = QueryNode("Person", (QueryFilter("name", "=", (0, 1)),))
    query = QueryGraph((named,), (), (ReturnItem(LIST, 0, ""),))
    assert describe_query(query, values, ATLAS) == "persons named Ann or else Anne"


def test_a_condition_of_several_relationships_is_one() -> None:
    nodes = (QueryNode("Country"), QueryNode("City", scope=1), QueryNode("Continent", scope=1))
    edges = (
        QueryEdge(0, 1, "HAS_CAPITAL", "out", scope=1),
        QueryEdge(0, 2, "IN_CONTINENT", "out", scope=1),
    )
    query = QueryGraph(nodes, edges, (ReturnItem(WHETHER, 0, ""),), scopes=(QueryScope("none"),))
    assert describe_query(query, (), ATLAS) == (
        "whether there is a country for which this is not so: "
        "(that has as capital a city and is in a continent)"
    )


@pytest.mark.slow
@pytest.mark.parametrize("make_language", [shop, cinema])
def test_different_queries_are_read_differently(
    make_language: Callable[[], CypherLanguage],
) -> None:
    language = make_language()
    values = [value.stored for value in language.linked_values]
    texts: dict[str, set[str]] = defaultdict(set)
    for seed in range(150):
        _, state = make_random_sentence(language, Random(seed))
        try:
            query = follow_moves(language, spell_query(language, state.query)).query
        except CypherReadError:
            continue  # it has no canonical sentence to be told from others by
        reading = describe_query(query, values, language.known)
        texts[reading].add(str(render_query(query, values)))
    assert len(texts) > 100
    assert "" not in texts
    assert [reading for reading, queries in texts.items() if len(queries) > 1] == []


@pytest.mark.slow
@pytest.mark.parametrize("make_language", [shop, cinema])
def test_a_query_that_was_run_is_read_as_what_was_said(
    make_language: Callable[[], CypherLanguage],
) -> None:
    language = make_language()
    values = [value.stored for value in language.linked_values]
    same, unread = 0, 0
    for seed in range(150):
        _, state = make_random_sentence(language, Random(seed))
        meaning = read_meaning(language.values(state)[0])
        if meaning is None:
            unread += 1
            continue
        said = describe_query(state.query, values, language.known)
        same += describe_meaning(meaning, language.known) == said
    assert unread < 0.03 * 150  # such as sums of years by which first nodes are ordered
    assert same > 0.95 * 150
