"""A question that denies two things is answered by a query that denies both, or not at all."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.align.queries.denials import count_denials
from trellis.steps.align.queries.said_operators import explain_unsaid_by_query
from trellis.steps.describe.queries.read_meaning import read_meaning

NAME = (PropertyKind("name", "STRING"),)
SCHEMA = Schema(
    (
        LabelKind("Film", 9, "name", (*NAME, PropertyKind("restored", "BOOLEAN"))),
        *(LabelKind(label, 9, "name", NAME) for label in ("Award", "Studio", "Genre")),
    ),
    (
        RelationshipKind("WON", "Film", "Award", 9),
        RelationshipKind("PRODUCED_BY", "Film", "Studio", 9),
        RelationshipKind("IN_GENRE", "Film", "Genre", 9),
    ),
    36,
    36,
    "films",
)
VALUES = {"v0": False, "v1": "Drama"}
NO_AWARD = "MATCH (f:Film) WHERE NOT EXISTS { MATCH (f)-[:WON]->(:Award) } RETURN f"
NOT_RESTORED = "MATCH (f:Film {restored: $v0}) RETURN f"
BUT_AWARD = (
    "MATCH (f:Film)-[:WON]->(:Award) "
    "WHERE NOT EXISTS { MATCH (f)-[:PRODUCED_BY]->(:Studio) } RETURN f"
)
NEITHER = "Which films have neither an award nor a studio?"


def count_in(query: str) -> int:
    meaning = read_meaning(CypherQuery(query, VALUES))
    assert meaning is not None
    return count_denials(meaning.graph, meaning.values)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        (NO_AWARD, 1),
        (BUT_AWARD, 1),
        (NOT_RESTORED, 1),
        ("MATCH (f:Film) RETURN f", 0),
        ("MATCH (g:Genre) WHERE NOT g.name IN ['Drama', 'Noir'] RETURN g", 2),
        (
            "MATCH (f:Film) WHERE NOT EXISTS { MATCH (f)-[:IN_GENRE]->(g:Genre) "
            "WHERE g.name = 'Drama' OR g.name = 'Noir' } RETURN f",
            2,
        ),
    ],
)
def test_each_name_that_is_ruled_out_counts(query: str, count: int) -> None:
    assert count_in(query) == count


@pytest.mark.parametrize(
    ("question", "is_held_back"),
    [(NEITHER, True), ("Which films have no award?", False), ("No award or prize, which?", False)],
)
def test_half_of_a_joint_denial_is_held_back(question: str, is_held_back: bool) -> None:
    meaning = read_meaning(CypherQuery(NO_AWARD, {}))
    form = make_form(question, (), SCHEMA)
    reason = explain_unsaid_by_query(form, meaning, "films without an award")
    assert bool(reason) == is_held_back
    assert not reason or "“neither … nor”" in reason
