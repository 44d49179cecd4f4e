"""Between nodes of one kind the order of the words tells who does what to whom."""

from __future__ import annotations

import math

import pytest

from question_forms import make_form
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.graphs.graph import PathQuery, RelationPath, Step
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.models.decoding import Sentence
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.align.passive_verbs import turn_paths
from trellis.steps.align.queries.turned_verbs import turn_verbs
from trellis.steps.describe.queries.read_meaning import read_meaning

NAME = (PropertyKind("name", "STRING"),)
SCHEMA = Schema(
    (LabelKind("Task", 9, "name", NAME), LabelKind("Clerk", 9, "name", NAME)),
    (
        RelationshipKind("BLOCKED_BY", "Task", "Task", 9),
        RelationshipKind("TRIGGERS", "Task", "Task", 9),
        RelationshipKind("OWNED_BY", "Task", "Clerk", 9),
    ),
    18,
    27,
    "tasks",
)
FLUE = StoredValue("Task", "name", "Rebuild flue")
LANGUAGE = CypherLanguage(SCHEMA, number_values([FLUE]))


def write(relation: str, start: str) -> str:
    """The query for the tasks at the other end; `start`: `asked`, or `named`."""
    left, right = ("<-", "-") if start == "named" else ("-", "->")
    named = "(n:Task WHERE n.name = $v0)"
    return f"MATCH (a:Task){left}[:{relation}]{right}{named} RETURN DISTINCT a"


def turn(question: str, *queries: str) -> list[Sentence]:
    at = question.find("Rebuild flue")
    mention = Mention(at, at + 12, "Rebuild flue", (Link(FLUE, 1.0, "exact-case"),))
    sentences = [
        Sentence(query, (), (CypherQuery(query, {"v0": "Rebuild flue"}),), math.log(0.4), 1)
        for query in queries
    ]
    return turn_verbs(make_form(question, [mention], SCHEMA), sentences, LANGUAGE)


def find_start(sentence: Sentence) -> str:
    meaning = read_meaning(sentence.values[0])
    assert meaning is not None
    [edge] = meaning.graph.edges
    start = edge.source if edge.direction == "out" else edge.target
    return "asked" if start == meaning.graph.items[0].node else "named"


@pytest.mark.parametrize("written", ["asked", "named"])
@pytest.mark.parametrize(
    ("question", "relation", "start"),
    [
        ("What is blocked by Rebuild flue?", "BLOCKED_BY", "asked"),
        ("Which tasks are blocked by the task Rebuild flue?", "BLOCKED_BY", "asked"),
        ("What is Rebuild flue blocked by?", "BLOCKED_BY", "named"),
        ("What is triggered by Rebuild flue?", "TRIGGERS", "named"),
        ("Which tasks is Rebuild flue triggered by?", "TRIGGERS", "asked"),
    ],
)
def test_a_passive_tells_which_way_a_relationship_goes(
    question: str, relation: str, start: str, written: str
) -> None:
    [turned] = turn(question, write(relation, written))
    assert find_start(turned) == start


def test_a_path_gives_its_probability_to_the_one_that_goes_the_right_way() -> None:
    steps = [(Step("BLOCKED_BY"),), (Step("BLOCKED_BY", True),), (Step("TRIGGERS"),)]
    sentences = [
        Sentence(str(rank), (), (PathQuery((RelationPath(("1",), its),)),), math.log(share), 1)
        for rank, (its, share) in enumerate(zip(steps, (0.6, 0.1, 0.2), strict=True))
    ]
    first, second = turn_paths(sentences, {"BLOCKED_BY": True})
    assert (first.text, second.text) == ("1", "2")
    assert math.exp(first.score) == pytest.approx(0.7)
    alone = turn_paths([sentences[0], sentences[2]], {"BLOCKED_BY": True})
    assert [each.text for each in alone] == ["0", "2"]  # there is none that goes the right way
    assert turn_paths(sentences, {"BLOCKED_BY": False})[0].text == "0"


def test_both_ways_become_one_with_the_probability_of_both() -> None:
    queries = write("BLOCKED_BY", "named"), write("BLOCKED_BY", "named") + " LIMIT 1"
    assert len(turn("What is blocked by Rebuild flue?", *queries)) == 2
    [first] = turn("What is blocked by Rebuild flue?", queries[0], queries[0])
    assert math.exp(first.score) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("What blocks Rebuild flue?", "BLOCKED_BY"),
        ("What is blocked by Rebuild flue?", "TRIGGERS"),  # another verb
        ("What was not blocked by Rebuild flue?", "BLOCKED_BY"),
        ("Who blocked what is blocked by Rebuild flue?", "BLOCKED_BY"),
    ],
)
def test_other_questions_turn_nothing(question: str, relation: str) -> None:
    query = write(relation, "named")
    assert [each.text for each in turn(question, query)] == [query]
