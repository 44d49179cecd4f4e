"""The signs by which a query is trusted, and what is held back for want of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from question_forms import make_form
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.models.card import Calibration
from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.steps.align.queries.reading_likeness import measure_reading_likeness
from trellis.steps.conclude.confidence.query_confidence import extract_query_features
from trellis.steps.conclude.queries.judge_query import NO_ANSWER_NOTE, judge_query
from trellis.steps.conclude.queries.rank_queries import QueryChoice, choose_query
from trellis.steps.ground.queries.query_evidence import QueryEvidence
from trellis.steps.ground.queries.run_queries import QueryRun

NAME = PropertyKind("name", "STRING")
SCHEMA = Schema(
    (LabelKind("Crime", 9, None, (NAME,)), LabelKind("Officer", 3, "name", (NAME,))),
    (RelationshipKind("INVESTIGATED_BY", "Crime", "Officer", 9),),
    *(12, 9, "f"),
)
ASKED = "Which crimes did Kim investigate?"
KIM = "list crime investigated by officer name v0"


def linked(text: str, at: int, score: float = 0.97) -> Mention:
    link = Link(StoredValue("Officer", "name", text), score, "exact")
    return Mention(at, at + len(text), text, (link,))


def run(text: str, chance: float, *rows: Any) -> QueryRun:
    return QueryRun(text, math.log(chance), CypherQuery(text), Rows(("x",), rows))


def told(question: str, *runs: QueryRun, names: tuple[str, ...] = ("Kim",)) -> Mapping[str, float]:
    mentions = [linked(name, question.index(name)) for name in names]
    form = make_form(question, mentions, SCHEMA)
    chosen = choose_query(form, runs)
    assert chosen
    return extract_query_features(form, chosen)


def test_belief_and_margin_are_of_rows_not_of_queries() -> None:
    runs = (run(KIM, 0.5, ("x",)), run("b", 0.2, ("y",)), run("c", 0.25, ("x",)))
    found = told(ASKED, *runs)
    assert found["belief"] == pytest.approx(math.log(0.75 / 0.25))
    assert found["margin"] == pytest.approx(math.log(0.75 / 0.2))
    assert told(ASKED, runs[0])["margin"] == 7.0


def test_rows_that_say_something_and_a_number_where_one_is_asked_for() -> None:
    which, many = run(KIM, 0.9, ("x",)), run(KIM, 0.9, (3,))
    how_many = "How many crimes did Kim investigate?"
    assert (told(ASKED, which)["fits"], told(how_many, many)["fits"]) == (1.0, 1.0)
    assert (told(ASKED, many)["fits"], told(how_many, which)["fits"]) == (0.0, 0.0)
    assert [told(ASKED, run(KIM, 0.9, *rows))["rows"] for rows in ([("x",)], [])] == [1.0, 0.0]


def test_values_that_are_left_out_and_poor_links_are_told() -> None:
    both = "Which crimes did Kim and Roy investigate?"
    found = told(both, run(KIM, 0.9, ("x",)), names=("Kim", "Roy"))
    assert (found["said"], found["link"]) == (0.5, 0.97)
    assert told(ASKED, run("list crime", 0.9, ("x",)))["link"] == 0.0


def test_a_name_that_nothing_was_linked_for_and_words_that_mean_nothing_here() -> None:
    here = told(ASKED, run(KIM, 0.9, ("x",)))
    strange = told("Which crimes did Kim and Zorg bake?", run(KIM, 0.9, ("x",)))
    assert (here["named"], here["known"]) == (1.0, 1.0)
    assert strange["named"] == 0.0
    assert strange["known"] < here["known"]


def test_the_temperature_softens_the_belief() -> None:
    runs = [run("a", 0.9, ("x",)), run("b", 0.1, ("y",))]
    form = make_form(ASKED, (), SCHEMA)
    hot, cold = choose_query(form, runs, 2.0), choose_query(form, runs)
    assert hot
    assert cold
    assert 0.5 < hot.belief < cold.belief


def test_an_answer_is_less_sure_by_how_probable_its_turned_twin_is() -> None:
    fitted = Calibration(weights={"bias": 3.0}, abstain_below=0.5)
    runs = [run("list n <- sent n v0", 0.5, ("x",)), run("list n -> sent n v0", 0.3, ("y",))]
    other = run("list n -> called n v0", 0.2, ("z",))
    form = make_form(ASKED, [linked("Kim", 0)], SCHEMA)
    chosen = choose_query(form, [*runs, other])
    assert chosen
    assert chosen.direction == pytest.approx(0.625)
    features = extract_query_features(form, chosen)
    rows = Rows(("n",), (("x",),))
    found = judge_query(chosen, rows, QueryEvidence(), SCHEMA, fitted, features)
    assert found.confidence == pytest.approx(0.625 / (1 + math.exp(-3)))
    same = choose_query(form, [runs[0], run("list n -> sent n v0", 0.3, ("x",)), other])
    assert same
    assert same.direction == 1.0  # it holds both ways


@pytest.mark.parametrize(
    ("good", "given", "none"), [(2.0, ("x",), False), (-2.0, (), False), (2.0, (), True)]
)
def test_what_is_given_goes_by_what_was_fitted(
    good: float, given: tuple[str, ...], none: bool
) -> None:
    fitted = Calibration(weights={"bias": 0.0, "good": 1.0}, abstain_below=0.5)
    chosen = QueryChoice(run(KIM, 0.9, *([] if none else [("x",)])), 0.9)
    assert chosen.run.rows
    found = judge_query(chosen, chosen.run.rows, QueryEvidence(), SCHEMA, fitted, {"good": good})
    assert (tuple(one.node.name for one in found.answers), found.claims_none) == (given, none)
    assert found.confidence == pytest.approx(1 / (1 + math.exp(-good)))
    assert [one.node.name for one in found.nearest] == ([] if good > 0 else ["x"])
    assert (NO_ANSWER_NOTE in found.notes) == none


def test_words_that_nobody_used_and_words_of_the_schema_that_are_left_out_are_counted() -> None:
    def told_with(question: str, wording: tuple[str, ...]) -> tuple[float, float]:
        form = make_form(question, [linked("Kim", question.index("Kim"))], SCHEMA, wording)
        chosen = choose_query(form, [run(KIM, 0.9, ("x",))])
        assert chosen
        found = extract_query_features(form, chosen)
        return found["usual"], found["kept"]

    used = ("investigate", "solve")
    assert told_with(ASKED, used) == (1.0, 1.0)
    assert told_with("Which crimes did Kim solve?", used) == (1.0, 1.0)
    assert told_with("Which weather did Kim like in March?", used) == (0.0, 1.0)
    assert told_with("Which weather did Kim like in March?", ()) == (1.0, 1.0)  # none is known
    assert told_with("Which crimes of officers and names did Kim solve?", used) == (1.0, 1.0)
    other = run("list crime", 0.9, ("x",))
    missing = extract_query_features(make_form(ASKED, (), SCHEMA), QueryChoice(other, 0.9))
    assert missing["kept"] == 0.5  # investigated


@pytest.mark.parametrize(
    ("question", "spoken"),
    [(ASKED, 1.0), ("What did Kim eat?", 0.0), ("Which crimes of Kim?", 1.0)],
)
def test_relationships_that_the_question_speaks_of_are_counted(
    question: str, spoken: float
) -> None:
    query = CypherQuery("MATCH (n:Crime)-[:INVESTIGATED_BY]->(:Officer {name: 'Kim'}) RETURN n")
    chosen = QueryChoice(QueryRun(KIM, -0.1, query, Rows(("n",), (("x",),))), 0.9)
    form = make_form(question, [linked("Kim", question.index("Kim"))], SCHEMA)
    assert extract_query_features(form, chosen)["spoken"] == spoken


class TableEmbedder:
    """Vectors of known texts."""

    dimensions = 2

    def __init__(self, **vectors: tuple[float, float]) -> None:
        self._vectors = vectors

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self._vectors[text] for text in texts], np.float32)


async def test_a_reading_is_alike_and_nearer_than_the_best_other_one() -> None:
    embedder = TableEmbedder(asked=(1.0, 0.0), right=(0.8, 0.6), other=(0.75, 0.66), far=(0.0, 1.0))
    found = await measure_reading_likeness(
        embedder, "asked", "right", ["right", "far", "other", "far"]
    )
    assert found == pytest.approx({"alike": 0.8, "nearer": 0.05})
    alone = await measure_reading_likeness(embedder, "asked", "right", ["right", ""])
    assert alone == pytest.approx({"alike": 0.8, "nearer": 0.1})
    assert await measure_reading_likeness(None, "asked", "right", []) == {}
    assert await measure_reading_likeness(embedder, "asked", "", ["right"]) == {}
