"""How long something is, is not answered by how high it is."""

from __future__ import annotations

import pytest

from trellis.domain.cypher import CypherQuery
from trellis.domain.schema import LabelKind, PropertyKind, Schema
from trellis.steps.align.answer_types.asked_measure import explain_other_measure
from trellis.steps.describe.queries.read_meaning import read_meaning

KINDS = {
    "elevation": "INTEGER",
    "length_km": "FLOAT",
    "founded": "INTEGER",
    "released": "DATE",
    "population": "INTEGER",
    "max_depth_m": "INTEGER",
    "glorp": "INTEGER",
}
PLACE = LabelKind("Place", 9, "name", tuple(PropertyKind(*each) for each in KINDS.items()))
SCHEMA = Schema((PLACE,), (), 9, 0, "measures")


@pytest.mark.parametrize(
    ("question", "given", "is_held_back"),
    [
        ("How long is the Nile?", "p.elevation", True),
        ("How long is the Nile?", "p.length_km", False),
        ("How high is the peak?", "p.length_km", False),  # much is high
        ("how old is Canberra", "p.population", True),
        ("how old is Canberra", "p.founded", False),
        ("How old is the film?", "p.released", False),
        ("How deep is the lake?", "p.max_depth_m", False),
        ("How deep is the lake?", "p.elevation", True),
        ("How deep is the lake?", "p.glorp", False),  # nobody knows what it says
        ("How old are the places?", "count(p)", False),
        ("How old are the places?", "p", False),
    ],
)
def test_an_adjective_asks_for_its_measure(
    question: str, given: str, *, is_held_back: bool
) -> None:
    meaning = read_meaning(CypherQuery(f"MATCH (p:Place) RETURN {given}"))
    assert meaning is not None
    reason = explain_other_measure(question, meaning.graph, SCHEMA, "what it is")
    assert bool(reason) is is_held_back
