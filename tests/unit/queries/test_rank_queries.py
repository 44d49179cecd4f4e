"""Which candidate is believed: what it says of the question's values, and what came back."""

from __future__ import annotations

import math
from typing import Any

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.models.decoding import Sentence
from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.steps.conclude.queries.rank_queries import choose_query, list_said_once
from trellis.steps.ground.queries.answer_cells import find_single_number, list_answers
from trellis.steps.ground.queries.run_queries import QueryRun

KIM = StoredValue("Officer", "name", "Kim")
SAID = Mention(0, 3, "Kim", (Link(KIM, 1.0, "exact"),))
STAYS = Mention(0, 3, "Kim", (Link(KIM, 1.0, "words"),))


def sentence(text: str, chance: float) -> Sentence:
    return Sentence(text, (), (), math.log(chance), 1)


def run(text: str, chance: float, *rows: Any, columns: int = 1) -> QueryRun:
    names = tuple(map(str, range(columns)))
    return QueryRun(text, math.log(chance), CypherQuery(text), Rows(names, rows))


@pytest.mark.parametrize(
    ("text", "target", "said"),
    [
        ("list crime name v0", KIM, [0]),
        ("list crime", KIM, []),
        ("list crime name v0 and name v0", KIM, []),
        ("list river longest first 5", StoredValue("", "", 5, "INTEGER"), [0]),
        ("list river length over v0", StoredValue("", "", 5, "INTEGER"), [0]),
        ("list river longest first 5", StoredValue("", "", 5.0, "FLOAT"), []),
        ("list river longest first 5", StoredValue("River", "number", 5, "INTEGER"), []),
        ("list river longest first 5", StoredValue("", "", "5"), []),
    ],
)
def test_a_mention_is_used_by_its_name_or_as_a_number_of_rows(
    text: str, target: StoredValue, said: list[int]
) -> None:
    mention = Mention(0, 3, "any", (Link(target, 1.0, "exact"),))
    assert list_said_once(make_form("any", (mention,)), text) == said


def test_candidates_that_give_the_same_rows_share_their_probability() -> None:
    runs = [run("a", 0.4, ("x",)), run("b", 0.3, ("y",)), run("c", 0.2, ("y",))]
    chosen = choose_query(make_form("which?"), runs)
    assert chosen
    assert (chosen.run.text, round(chosen.belief, 6)) == ("b", 0.5)


@pytest.mark.parametrize(
    ("second", "stands"), [(("x",), "list crime name v0"), (("y",), "list crime")]
)
def test_of_those_with_the_same_rows_one_stands_that_says_what_is_named(
    second: tuple[str], stands: str
) -> None:
    runs = [run("list crime", 0.5, ("x",)), run("list crime name v0", 0.3, second)]
    chosen = choose_query(make_form("Kim", (SAID,)), runs)
    assert chosen
    assert chosen.run.text == stands


CALLED = "MATCH (p:Phone)<-[:{}]-(:Call {{on: '1'}}) RETURN {}"


def test_nodes_and_what_names_them_are_one_answer() -> None:
    phone = LabelKind("Phone", 9, "number", (PropertyKind("number", "STRING"),))
    call = LabelKind("Call", 9, None, (PropertyKind("on", "STRING"),))
    calls = [RelationshipKind(each, "Call", "Phone", 9) for each in ("TO", "FROM")]
    schema = Schema((phone, call), tuple(calls), 18, 18, "calls")
    ann = Node("1", "12", ("Phone",), {"number": "12"})
    runs = [
        run(CALLED.format("TO", "p"), 0.3, (Node("2", "34"),)),
        run(CALLED.format("FROM", "p"), 0.2, (ann,)),
        run(CALLED.format("FROM", "DISTINCT p.number"), 0.25, ("12",)),
    ]
    asked = make_form("which?", (), schema)
    chosen, apart = choose_query(asked, runs), choose_query(make_form("which?"), runs)
    assert chosen
    assert apart
    assert (chosen.run, round(chosen.belief, 6)) == (runs[2], 0.45)
    assert (apart.run, round(apart.belief, 6)) == (runs[0], 0.3)


@pytest.mark.parametrize("rows", [(), ((None,),), ((0,),), (([],),)])
def test_nothing_gives_way_to_something(rows: tuple[Any, ...]) -> None:
    chosen = choose_query(make_form("which?"), [run("a", 0.8, *rows), run("b", 0.1, ("y",))])
    assert chosen
    assert chosen.run.text == "b"


def test_a_number_is_given_where_one_is_asked_for() -> None:
    runs = [run("a", 0.5, ("x",)), run("b", 0.4, (3,))]
    how_many, which = (
        choose_query(make_form("How many are there?"), runs),
        choose_query(make_form("Which are there?"), runs),
    )
    assert how_many
    assert which
    assert (how_many.run.text, which.run.text) == ("b", "a")


def test_so_many_of_a_unit_are_not_counted() -> None:
    runs = [run("a", 0.5, ("38",), ("57",)), run("b", 0.4, (3,))]
    chosen = choose_query(make_form("How many seconds did they last?"), runs)
    assert chosen
    assert chosen.run.text == "a"


def test_where_none_ran_none_is_chosen() -> None:
    refused = QueryRun("a", 0.0, CypherQuery("a"), problem="refused")
    assert choose_query(make_form("which?"), [refused]) is None
    assert choose_query(make_form("which?"), []) is None


def test_a_node_answers_by_its_name_else_by_what_tells_it_apart_else_by_its_id() -> None:
    kinds = (
        PropertyKind("zip", "STRING", indexed=True),
        PropertyKind("code", "INTEGER", unique=True),
    )
    schema = Schema((LabelKind("City", 1, None, kinds),), (), 1, 0, "f")
    named = Node("4:1", "Ulm", ("City",), {"code": 7})
    coded = Node("4:2", "4:2", ("City",), {"code": 7, "zip": "89"})
    bare = Node("4:3", "4:3", ("City",), {})
    rows = Rows(("n",), [(named,), (coded,), (bare,), (named,), (["a", True],), (2.0,)])
    found = list_answers(rows, schema, None)
    assert [node.name for node in found] == ["Ulm", "7", "4:3", "a", "true", "2"]
    assert [node.id for node in found] == ["4:1", "4:2", "4:3", "", "", ""]
    assert len(list_answers(rows, schema, 2)) == 2


@pytest.mark.parametrize(
    ("rows", "number"), [([(3,)], 3), ([(3,), (4,)], None), ([("3",)], None), ([(True,)], None)]
)
def test_a_number_is_one_cell(rows: list[tuple[Any]], number: int | None) -> None:
    assert find_single_number(Rows(("n",), rows)) == number
