"""Names of questions are changed, and only they."""

from __future__ import annotations

import pytest

from bench.made.perturbations import GraphNames
from lab.perturbing import abbreviate_name, perturb_names
from lab.questions import LabQuestion
from trellis.domain.graphs.graph import Node
from trellis.questions.row import QuestionRow

NAMES = ("Keanu Reeves", "Speed", "United Arab Emirates", "K. Reeves Junior")
QUERY = "MATCH (p:Person {name:'Keanu Reeves'})-[:ACTED_IN]->(m) RETURN m"


def perturb(text: str, cypher: str = QUERY) -> dict[str, str]:
    names = GraphNames([Node(str(i), name) for i, name in enumerate(NAMES)])
    question = LabQuestion(QuestionRow("films/1", text, cypher=cypher), "1 relationship", "films/1")
    made = perturb_names([question], names, {"keanu reeves": "The One"}, seed=1)
    assert {each.chain for each in made} <= {"films/1"}
    assert len({each.row.id for each in made}) == len(made)
    return {each.kind: each.row.question for each in made}


def test_a_name_is_changed_in_each_way() -> None:
    made = perturb("What has keanu reeves played in?")
    assert made == perturb("What has keanu reeves played in?")
    changed = {
        "as it stands": "Keanu Reeves",
        "upper case": "KEANU REEVES",
        "abbreviation": "K. Reeves",
        "partial name": "Keanu",
        "alias": "The One",
    }
    for kind, name in changed.items():
        assert made[kind] == f"What has {name} played in?"
    assert {"one typo", "two typos", "lower case"} <= {*made}


def test_a_question_that_says_no_name_is_left_out() -> None:
    assert perturb("Which films are there?") == {}
    assert perturb("What has Speed to do with it?") == {}


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Keanu Reeves", "K. Reeves"),
        ("United Arab Emirates", "UAE"),
        ("Republic of the Congo", "R. Congo"),
        ("Speed", None),
        ("4 Rooms", None),
    ],
)
def test_names_are_abbreviated_as_people_do(name: str, short: str | None) -> None:
    assert abbreviate_name(name) == short
