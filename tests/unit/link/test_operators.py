"""Words by which a question asks for more than a walk, and what is none."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.structures.cypher import CypherQuery
from trellis.linking.names.spans import Span, find_occurrences
from trellis.linking.questions.operators import find_joint_denial, find_operators, may_ask_whether
from trellis.steps.align.queries.said_operators import (
    ALL_OPERATORS,
    explain_unsaid_by_query,
    find_said_operators,
)
from trellis.steps.align.unsaid_operators import (
    describe_unsaid,
    explain_unsaid_by_relations,
    find_unsaid_operators,
)
from trellis.steps.describe.queries.read_meaning import read_meaning


def kinds(question: str, *names: str) -> list[str]:
    spans = [find_occurrences(question, name)[0] for name in names]
    return [each.kind for each in find_operators(question, spans)]


@pytest.mark.parametrize(
    ("question", "names", "expected"),
    [
        ("Which countries do not border Brazil?", ["Brazil"], ["negation"]),
        ("Who doesn't know Ann?", ["Ann"], ["negation"]),
        ("islands without a city", [], ["negation"]),
        ("countries that dont speak spanish", ["spanish"], ["negation"]),
        ("Which hotels have no pool?", [], ["negation"]),
        ("Which rivers are longer than the Rhine?", ["Rhine"], ["comparison"]),
        ("cities of over two million people", [], ["comparison"]),
        ("Which lakes are shared by four or more countries?", [], ["comparison"]),
        ("In which countries is Tamil or Malay official?", ["Tamil", "Malay"], ["choice"]),
        ("cities on the Loire or the Garonne", ["Loire", "Garonne"], ["choice"]),
        ("What is the longest river?", [], ["superlative"]),
        ("Which country has the most neighbours?", [], ["superlative"]),
        ("Which was the first mission to the Moon?", ["Moon"], ["order"]),
        ("Which country joined ASEAN last?", ["ASEAN"], ["order"]),
        ("Officer Kilpatrick, first name?", ["Kilpatrick"], []),
        ("Which films came out last year?", [], []),
        ("What is the average population of German cities?", ["German"], ["aggregate"]),
        ("What is the mean price of toys?", [], ["aggregate"]),
        ("Is Paris the capital of France?", ["Paris", "France"], ["yes-no"]),
        ("Can I pay in euros in Montenegro?", ["euros", "Montenegro"], ["yes-no"]),
        ("does the douro flow through italy", ["douro", "italy"], ["yes-no"]),
    ],
)
def test_operators_are_found(question: str, names: list[str], expected: list[str]) -> None:
    assert kinds(question, *names) == expected


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the capital of Kenya?", ["Kenya"]),
        ("Need Ann's badge no. asap", ["Ann"]),
        ("badge no of Ann", ["Ann"]),
        ("What does the sign mean?", []),
        ("Who directed Not One Less?", ["Not One Less"]),
        ("What sea or ocean is around Naha?", ["Naha"]),
        ("Is Estonia in some alliances or unions? List them.", ["Estonia"]),
        ("Kupang is a city on an island, namely?", ["Kupang"]),
        ("What lies west of the forest?", []),
        ("is claudius 's husband a man or a woman ?", ["claudius"]),
    ],
)
def test_what_asks_for_a_walk_has_no_operator(question: str, names: list[str]) -> None:
    assert kinds(question, *names) == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (n:A) RETURN n", set()),
        ("MATCH (n:A) WHERE n.x > $v0 RETURN n", {"comparison"}),
        ("MATCH (n:A) WHERE NOT EXISTS { (n)-[:R]->(:B) } RETURN n", {"negation"}),
        ("MATCH (n:A) WHERE n.x IN [1, 2] RETURN n", {"choice"}),
        ("MATCH (n:A) RETURN n ORDER BY n.x DESC LIMIT 1", {"superlative", "order", "comparison"}),
        ("MATCH (n:A) RETURN n LIMIT 3", {"order"}),
        ("MATCH (n:A) RETURN n.lastChecked", {"order"}),
        ("MATCH (n:A)-[:R]->(m:B) RETURN count(*) > 0", {"yes-no"}),
        ("MATCH (n:A {state: 'no suspect identified'}) RETURN n", {"negation"}),
        ("MATCH (n:A)-[:HAS_HIGHEST_POINT]->(m:B) RETURN m", {"superlative"}),
        ("MATCH (n:A)-[:HAS_POINT]->(m:B) RETURN m", set()),
        ("CALL db.labels()", set(ALL_OPERATORS)),
    ],
)
def test_what_a_query_says(query: str, said: set[str]) -> None:
    cypher = CypherQuery(query, {"v0": 3})
    assert find_said_operators(read_meaning(cypher)) == said


def test_an_answer_that_leaves_out_not_is_held_back_with_the_reason() -> None:
    question = "Which countries do not border Brazil?"
    at = question.index("Brazil")
    brazil = Mention(at, at + 6, "Brazil", (Link(Node("1", "Brazil"), 1.0, "exact"),))
    form = make_form(question, [brazil])
    unsaid = find_unsaid_operators(form, ())
    assert describe_unsaid([each.text for each in unsaid], "from Brazil: borders") == (
        "the question says “not”, and what was found does not: from Brazil: borders"
    )
    assert not find_unsaid_operators(form, {"negation"})


def mention(question: str, text: str, *targets: Node | StoredValue) -> Mention:
    at = question.index(text)
    return Mention(at, at + len(text), text, tuple(Link(each, 0.9, "exact") for each in targets))


LITERAL = StoredValue("", "", 4, "INTEGER")
DEPTH = StoredValue("Lake", "depth", 4.0, "FLOAT")
FILM = StoredValue("Film", "title", "Four")


@pytest.mark.parametrize(
    ("number", "meant", "expected"),
    [
        ("four", (), ["comparison"]),
        ("four", (LITERAL,), ["comparison"]),
        ("4", (DEPTH, LITERAL), ["comparison"]),
        ("four", (FILM, LITERAL), ["choice"]),
        ("four", (Node("1", "Four"),), ["choice"]),
    ],
)
def test_a_number_is_no_name_between_which_one_can_choose(
    number: str, meant: tuple[Node | StoredValue, ...], expected: list[str]
) -> None:
    question = f"Which lakes are shared by {number} or more countries?"
    mentions = [mention(question, number, *meant)] if meant else []
    unsaid = find_unsaid_operators(make_form(question, mentions), ())
    assert [each.kind for each in unsaid] == expected


def test_a_text_in_quotation_marks_says_no_operator() -> None:
    question = "Which titles contain 'not yet'?"
    quoted = mention(question, "not yet", StoredValue("", "", "not yet"))
    assert find_unsaid_operators(make_form(question, [quoted]), ()) == ()


BORDERS = "MATCH (n:Country)-[:BORDERS]->(m:Country WHERE m.name = $v0) RETURN n"
BORDERS_NOT = (
    "MATCH (n:Country), (m:Country WHERE m.name = $v0) "
    "WHERE NOT EXISTS { (n)-[:BORDERS]->(m) } RETURN n"
)
UNREADABLE = "CALL db.labels()"


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Which countries border Brazil?", [BORDERS, BORDERS_NOT, UNREADABLE]),
        ("Which countries do not border Brazil?", [BORDERS_NOT, UNREADABLE]),
        ("Which countries that do not border Brazil are the largest?", [UNREADABLE]),
    ],
)
def test_only_what_says_all_operators_is_an_answer(question: str, kept: list[str]) -> None:
    form = make_form(question, [mention(question, "Brazil", Node("1", "Brazil"))])
    meanings = {
        text: read_meaning(CypherQuery(text, {"v0": "Brazil"}))
        for text in (BORDERS, BORDERS_NOT, UNREADABLE)
    }
    assert [
        text
        for text, meaning in meanings.items()
        if not explain_unsaid_by_query(form, meaning, "countries")
    ] == kept


@pytest.mark.parametrize(
    ("question", "reading", "unsaid"),
    [
        ("Who produced films that Acme made in 2019?", "from Acme: made, then produced by", "2019"),
        ("Who produced films that Acme made?", "from Acme: made, then produced by", ""),
        ("What did 2019 bring to Acme?", "from 2019: year of, then made by", ""),
    ],
)
def test_a_number_that_paths_do_not_say_holds_them_back(
    question: str, reading: str, unsaid: str
) -> None:
    links = [mention(question, "Acme", Node("1", "Acme"))]
    reason = explain_unsaid_by_relations(make_form(question, links), reading)
    assert bool(reason) == bool(unsaid)
    assert f"“{unsaid}”" in reason or not unsaid


def test_a_number_of_a_name_is_said_by_the_name() -> None:
    question = "Who wrote Apollo 13?"
    links = [mention(question, "Apollo 13", Node("1", "Apollo XIII"))]
    form = make_form(question, links)
    assert not explain_unsaid_by_relations(form, "from Apollo XIII: written by")


@pytest.mark.parametrize(
    ("condition", "is_held_back"),
    [
        ("n.name <> 'Ann'", False),
        ("NOT EXISTS { MATCH (n)-[:KNOWS]->(:A {name: 'Ann'}) }", True),
    ],
)
def test_what_is_left_out_is_not_asked_of(condition: str, is_held_back: bool) -> None:
    meaning = read_meaning(CypherQuery(f"MATCH (n:A) WHERE {condition} RETURN n", {}))
    question = "Which ones are there, except for Ann?"
    reason = explain_unsaid_by_query(make_form(question), meaning, "those that know no Ann")
    said = "the question says “except for Ann”, and what was found does not: those that know no Ann"
    assert reason == (said if is_held_back else "")


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Which films have neither an award nor a studio?", "neither … nor"),
        ("Which films have no award and no studio?", "no … and no"),
        ("Who has directed no film and written no film?", "no … and no"),
        ("Which films have no award or studio?", "no … or"),
        ("Which films are without an award or a studio?", "no … or"),
        ("Which films have no award?", ""),
        ("Which films have no award that has no sponsor?", ""),
        ("Which films have no award but a studio or a prize?", ""),
        ("Is Ann or Bob without a studio?", ""),
    ],
)
def test_two_things_may_be_denied_at_once(question: str, form: str) -> None:
    assert find_joint_denial(question) == form


def test_a_name_denies_nothing() -> None:
    question = "Who wrote Neither Fish nor Fowl?"
    assert find_joint_denial(question, [Span(10, 31)]) == ""


@pytest.mark.parametrize(
    ("question", "names", "expected"),
    [
        ("Is Ann older than Bob?", ["Ann", "Bob"], True),
        ("did Ann ever meet Bob", ["Ann", "Bob"], True),
        ("Tell me whether Ann knows Bob", ["Ann", "Bob"], True),
        ("Aren't Ann and Bob married?", ["Ann", "Bob"], True),
        ("capital of Mongolia", ["Mongolia"], False),
        ("Which rivers are longer than the Mekong?", ["Mekong"], False),
        ("films with Ann", ["Ann"], False),
        ("songs by The Who Is", ["The Who Is"], False),
    ],
)
def test_only_a_question_with_a_verb_and_no_question_word_may_ask_whether(
    question: str, names: list[str], *, expected: bool
) -> None:
    spans = [find_occurrences(question, name)[0] for name in names]
    assert may_ask_whether(question, spans) == expected
