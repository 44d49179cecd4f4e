"""A query whose parts nothing ties together is no answer."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.align.answer_types.asked_one import FoundAnswers
from trellis.steps.align.queries.held_back import explain_held_back
from trellis.steps.describe.queries.read_meaning import read_meaning

NAME = (PropertyKind("name", "STRING", examples=("Elva",)),)
FERRIES = Schema((LabelKind("Ferry", 9, "name", NAME),), (), 9, 0, "ferries")


@pytest.mark.parametrize(
    ("query", "is_held"),
    [
        ("MATCH (f:Ferry) MATCH (g:Ferry WHERE g.name = 'Elva') RETURN f", True),
        ("MATCH (f:Ferry) MATCH (g:Ferry WHERE g.name = 'Elva') RETURN f, g", False),
        ("MATCH (f:Ferry)-[:TO]->(p:Port) RETURN f", False),
    ],
)
def test_parts_that_nothing_ties_together_are_no_answer(query: str, is_held: bool) -> None:
    meaning = read_meaning(CypherQuery(query))
    form = make_form("which ferries", (), FERRIES)
    reason = explain_held_back(form, meaning, FoundAnswers(3, "ferries"))
    assert bool(reason) is is_held
