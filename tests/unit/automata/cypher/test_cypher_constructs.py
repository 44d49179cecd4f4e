"""All that the wide language says beside patterns: each construct in anybody's style comes to one
sentence, which means the same; what cannot be said is refused with the reason."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from bench.made.cypher_sentences import make_random_sentence
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import find_canonical_moves, find_linked_literals
from trellis.automata.cypher.sentences.canonical import follow_moves, spell_query
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.reader import Reader, SentenceReading
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from unit.automata.cypher.cinema import CINEMA
from unit.automata.cypher.cinema import VALUES as CINEMA_VALUES
from unit.automata.cypher.pairs import read_pairs
from unit.automata.cypher.shop import SHOP, shop
from unit.automata.laws import seeds
from unit.automata.test_laws import law

SAID = read_pairs("""
MATCH (c:Customer) RETURN c.name ORDER BY COUNT { (c)-[:BOUGHT]->(:Product) } DESC LIMIT 1
    show customer name maybe bought product each customer highest by count all product
MATCH (c:Customer) RETURN c.name, COUNT { (c)-[:BOUGHT]->() } AS n ORDER BY n DESC
    show customer name maybe bought product count all product each customer descending count all
    product
MATCH (c:Customer) WHERE c.name = 'Ann' OR c.name = 'Bob' RETURN c
    list customer name v0 or v1
MATCH (c:Customer) WHERE c.name IN ['Ann', 'Bob'] RETURN c.name, c.age
    show customer name name v0 or v1 show customer age
MATCH (c:Customer) WHERE NOT c.name IN ['Ann', 'Bob'] RETURN c
    list customer name <> v0 or v1
MATCH (c:Customer) WHERE c.name <> 'Ann' AND c.age IS NOT NULL RETURN c
    list customer age is known name <> v0
MATCH (p:Product) WHERE p.name CONTAINS 'ann' RETURN p.name
    show product name name contains v4
MATCH (p:Product) WHERE NOT toLower(p.name) STARTS WITH 'ann' RETURN p.name
    show product name lower case of name not starts with v4
MATCH (c:Customer) WHERE 'ann' IN c.tags RETURN c.name, size(c.tags) AS n ORDER BY n DESC LIMIT 7
    show customer name highest 7 size of tags tags has v4 show customer size of tags
MATCH (p:Product) WHERE p.made.year > 3 RETURN p.made.month
    show product month of made year of made > v3
MATCH (c:Customer)-[b:BOUGHT]->(p:Product) WHERE b.quantity > 3 AND b.on >= date('2020-01-01')
RETURN c.name, b.quantity
    show customer name bought where on >= v5 where quantity > v3 product show [bought] quantity
MATCH (c:Customer)-[b:BOUGHT {quantity: 3}]->(:Product) RETURN sum(b.quantity)
    find customer bought where quantity v3 product sum [bought] quantity
MATCH (c:Customer) WHERE NOT (c)-[:BOUGHT]->(:Product) RETURN c
    list customer without bought product
MATCH (c:Customer) WHERE NOT EXISTS { (c)-[:BOUGHT]->(p:Product) WHERE p.price < 9.5 } RETURN c
    list customer without bought product price < v2
MATCH (c:Customer) WHERE EXISTS { MATCH (c)-[:KNOWS]-(:Customer {name: 'Bob'}) } RETURN c.name
    show customer name having knows customer name v1
MATCH (c:Customer) WHERE COUNT { (c)-[:BOUGHT]->() } > 3 RETURN c
    list customer many > v3 bought product
MATCH (c:Customer) OPTIONAL MATCH (c)-[:BOUGHT]->(p:Product) RETURN c.name, count(p) AS n
    show customer name maybe bought product count all product
MATCH (c:Customer)-[:BOUGHT]->(p:Product) WITH c, count(p) AS n WHERE n > 3 RETURN c.name, n ORDER
BY n DESC, c.name LIMIT 5
    show customer name bought product count all product each customer only count all product > v3
    highest 5 count all product then ascending show customer name
MATCH (c:Customer)-[:BOUGHT]->(p) RETURN c ORDER BY p.price DESC, c.name SKIP 1 LIMIT 1
    list customer bought product second highest product price then ascending customer name
MATCH (s:Shop)-[:SELLS]->(p:Product) WITH s, p ORDER BY p.price RETURN s.name, p.name
    show shop name sells product show product name ascending product price
MATCH (p:Product) WITH p ORDER BY p.price DESC LIMIT 1 MATCH (s:Shop)-[:SELLS]->(p) RETURN s.name
    show shop name sells product keep highest price
MATCH (c:Customer)-[b:BOUGHT]->(p:Product) WITH p, sum(b.quantity) AS sold ORDER BY sold DESC
LIMIT 3 MATCH (s:Shop)-[:SELLS]->(p) RETURN DISTINCT s.name
    show distinct shop name sells product among bought customer keep highest 3 by sum [bought]
    quantity
MATCH (a:Customer {name: 'Ann'}), (b:Customer) WHERE b.age > a.age RETURN b.name
    show customer name besides customer age < that of customer age name v0
MATCH (a:Customer {name: 'Ann'})-[:KNOWS]-(b)-[:KNOWS]-(c:Customer) WHERE a <> c AND NOT
(a)-[:KNOWS]-(c) RETURN c.name
    show customer name knows customer knows customer name v0 is not customer without knows same
    customer
MATCH (a:Customer {name: 'Ann'}), (b:Customer {name: 'Bob'}) RETURN EXISTS { (a)-[:KNOWS]-(b) }
    whether customer name v0 besides customer name v1 having knows same customer
MATCH (a:Customer {name: 'Ann'}), (b:Customer {name: 'Bob'}) RETURN a.age > b.age
    whether customer name v0 besides customer age < that of customer age name v1
MATCH (c:Customer)-[b:BOUGHT]->(p:Product) RETURN c.name, sum(b.quantity * p.price) AS spent ORDER
BY spent DESC
    show customer name bought product sum [bought] quantity times product price descending sum
    [bought] quantity times product price
MATCH (a:Customer)-[:BOUGHT]->(p:Product), (a)-[:KNOWS]-(b:Customer)-[:BOUGHT]->(p) RETURN a, b
    list customer bought product another customer knows customer bought same product list customer
    2
MATCH (c:Customer) RETURN c.name, collect(c.tags)
    show customer name collect customer tags
""")


@pytest.mark.parametrize("cypher", SAID)
def test_a_construct_comes_to_its_one_sentence(cypher: str) -> None:
    moves = find_canonical_moves(shop(), cypher)
    assert "".join(moves) == f" {SAID[cypher]}"
    (query,) = shop().values(follow_moves(shop(), moves))
    assert find_canonical_moves(shop(), query.text, query.params) == moves


@pytest.mark.parametrize(
    ("sentence", "cypher"),
    [
        (
            "list customer name v0 or v1",
            "MATCH (x0:`Customer` WHERE x0.`name` IN [$v0, $v1])\nRETURN x0",
        ),
        (
            "list customer name <> v0 or v1",
            "MATCH (x0:`Customer` WHERE NOT x0.`name` IN [$v0, $v1])\nRETURN x0",
        ),
        (
            "list customer without bought product price < v2",
            "MATCH (x0:`Customer`)\n"
            "WHERE NOT EXISTS { MATCH (x0)-[:`BOUGHT`]->(x1:`Product` WHERE x1.`price` < $v2) }\n"
            "RETURN x0",
        ),
        (
            "show customer name bought product count all product each customer "
            "only count all product > v3",
            "MATCH (x0:`Customer`)-[:`BOUGHT`]->(x1:`Product`)\n"
            "WITH x0, count(x1) AS c0\nWHERE c0 > $v3\nRETURN x0.`name`, c0",
        ),
        (
            "show shop name sells product keep highest price",
            "MATCH (x1:`Product`)\nWITH x1\nORDER BY x1.`price` IS NULL, x1.`price` DESC\nLIMIT 1\n"
            "MATCH (x0:`Shop`)-[:`SELLS`]->(x1)\nRETURN x0.`name`",
        ),
        (
            "show customer name besides customer age < that of customer age name v0",
            "MATCH (x0:`Customer`)\nMATCH (x1:`Customer` WHERE x1.`name` = $v0)\n"
            "WHERE x1.`age` < x0.`age`\nRETURN x0.`name`",
        ),
        (
            "whether customer name v0 knows customer name v1",
            "MATCH (x0:`Customer` WHERE x0.`name` = $v0)-[:`KNOWS`]-"
            "(x1:`Customer` WHERE x1.`name` = $v1)\nRETURN count(*) > 0",
        ),
        (
            "show customer name bought where quantity > v3 product show [bought] quantity",
            "MATCH (x0:`Customer`)-[r0:`BOUGHT` WHERE r0.`quantity` > $v3]->(x1:`Product`)\n"
            "RETURN x0.`name`, r0.`quantity`",
        ),
    ],
)
def test_a_sentence_means_its_query(sentence: str, cypher: str) -> None:
    reading = Reader(shop()).read_text(f" {sentence}")
    assert isinstance(reading, SentenceReading)
    assert [query.text for query in reading.values] == [cypher]


REFUSED = read_pairs("""
MATCH (c:Customer) WHERE c.name = 'Ann' OR c.age = 3 RETURN c
    OR joins different properties, which cannot be said
MATCH (c:Customer)-[:KNOWS*1..3]-(d) RETURN d
    the query has '*' at offset 26, where one relationship of one type is read
MATCH (c:Customer)-[:KNOWS|BOUGHT]-(d) RETURN d
    the query has '|' at offset 26, where one relationship of one type is read
MATCH (c:Customer) UNWIND c.tags AS t RETURN t
    the items of a list (UNWIND), at offset 19, cannot be said
MATCH (c:Customer) RETURN c UNION MATCH (p:Product) RETURN p
    two queries joined by UNION, at offset 28, cannot be said
MATCH (c:Customer) RETURN CASE WHEN c.age > 3 THEN 1 ELSE 0 END
    a choice (CASE), at offset 26, cannot be said
MATCH (c:Customer)-[:KNOWS]-(d) WITH c, count(d) AS n RETURN avg(n)
    something is made of groups that cannot be said
MATCH (c:Customer) WITH avg(c.age) AS a MATCH (d:Customer) WHERE d.age > a RETURN d
    a query can go on from groups or from some rows only if these are the first of one node in one
    order
MATCH (c:Customer) RETURN c.tags[0]
    the query has '[' at offset 32, where no item or slice of a list is read
MATCH (c:Customer) WHERE c.age > 4 RETURN c
    4 is no linked value of Customer's age
MATCH (c:Customer)-[:KNOWS]-(d) RETURN COUNT { (c)-[:BOUGHT]->() }
    a number of matches can be returned of one node only
MATCH (c:Customer) RETURN count(c, c)
    count(…) takes one argument, and has 2
MATCH (c:Customer) RETURN sum()
    sum(…) takes one argument, and has 0
MATCH (c:Customer) WHERE toLower(c.name) = toLower() RETURN c
    tolower(…) takes one argument, and has 0
MATCH (c:Customer) RETURN *
    RETURN * cannot be said: name what is returned
MATCH (c:Customer) RETURN c.name + c.age
    behind ' show customer name' the language has no ' plus'
MATCH (c:Customer) RETURN c ORDER BY c
    an order by the whole of a node cannot be said
MATCH (c:Customer) RETURN c SKIP 3
    rows can be left out only before a number of rows
""")


@pytest.mark.parametrize(("cypher", "problem"), REFUSED.items())
def test_what_cannot_be_said_is_refused_with_the_reason(cypher: str, problem: str) -> None:
    with pytest.raises(CypherReadError) as caught:
        find_canonical_moves(shop(), cypher)
    assert caught.value.problem == problem


def test_literals_that_belong_to_no_property_are_linked_by_their_type() -> None:
    cypher = (
        "MATCH (c:Customer)-[b:BOUGHT {quantity: 2}]->(p:Product) "
        "WHERE p.name CONTAINS 'oat' AND p.made.year = 2020 AND 'new' IN c.tags "
        "AND b.on < date('2021-01-01') AND c.name = 'Ann' RETURN c"
    )
    assert set(find_linked_literals(SHOP, cypher)) == {
        StoredValue("", "", 2, "INTEGER"),
        StoredValue("", "", "oat", "STRING"),
        StoredValue("", "", 2020, "INTEGER"),
        StoredValue("", "", "new", "STRING"),
        StoredValue("", "", "2021-01-01", "DATE"),
        StoredValue("Customer", "name", "Ann"),
    }


def test_numbers_that_are_stored_as_texts_are_compared_as_numbers() -> None:
    seconds = PropertyKind("seconds", "STRING", examples=("12", "7"))
    schema = Schema((LabelKind("Call", 2, None, (seconds,)),), (), 2, 0, "calls")
    cypher = "MATCH (c:Call) WHERE toInteger(c.seconds) > 10 RETURN avg(toInteger(c.seconds))"
    language = CypherLanguage(schema, number_values(find_linked_literals(schema, cypher)))
    moves = find_canonical_moves(language, cypher)
    assert "".join(moves) == " average call integer of seconds integer of seconds > v0"


@pytest.mark.slow
@law
@given(seeds)
def test_a_canonical_sentence_means_what_it_was_spelled_for(seed: int) -> None:
    """Of a few sentences whose nodes could be of no label, none is canonical."""
    language = shop()
    _, state = make_random_sentence(language, Random(seed))
    try:
        moves = spell_query(language, state.query)
    except CypherReadError:
        return
    canonical = follow_moves(language, moves)
    assert spell_query(language, canonical.query) == moves


@pytest.mark.slow
def test_nearly_all_sentences_have_a_canonical_one() -> None:
    language = shop()
    spelled = 0
    for seed in range(200):
        _, state = make_random_sentence(language, Random(seed))
        try:
            spell_query(language, state.query)
        except CypherReadError:
            continue
        spelled += 1
    assert spelled >= 190


def test_a_narrow_language_says_none_of_this() -> None:
    narrow = CypherLanguage(SHOP, shop().linked_values, RenderingOptions(is_wide=False))
    new = {"or", "without", "having", "many", "maybe", "where", "besides", "only", "keep", "is"}
    constructs = [cypher for cypher in SAID if new & set(SAID[cypher].split())]
    assert len(constructs) > 15
    for cypher in constructs:
        with pytest.raises(CypherReadError):
            find_canonical_moves(narrow, cypher)


def test_a_combined_number_is_returned_once() -> None:
    """The database refuses two columns of one name."""
    language = CypherLanguage(CINEMA, number_values(CINEMA_VALUES), RenderingOptions())
    once = (" sum", " person", " born", " plus", " person", " born")
    follow_moves(language, (*once, *once[:3], " minus", *once[4:]))
    with pytest.raises(CypherReadError, match="has no ' born'"):
        follow_moves(language, (*once, *once))


def test_an_order_behind_a_combined_number_is_offered_once() -> None:
    language = CypherLanguage(CINEMA, number_values(CINEMA_VALUES), RenderingOptions())
    said = " show", " person", " born", " minus", " person", " born"
    state = language.start()
    for text in said:
        state = language.follow(state, list(language.moves(state).texts).index(text))
    texts = list(language.moves(state).texts)
    assert texts.count(" highest") == 1
    assert len({*texts}) == len(texts)
