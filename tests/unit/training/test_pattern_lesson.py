"""Task `pattern`: what paths and plain queries are said as, and what is learnt of them."""

from __future__ import annotations

import pytest

from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.domain.graph import Step
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.questions.row import GoldPath, QuestionRow
from trellis.training.examples import MentionPath, PathExample
from trellis.training.supervision.paths.plain_queries import add_plain_paths, read_plain_paths
from trellis.training.tasks.pattern import render_pattern_example

LANGUAGE = PatternLanguage(3, PatternWords(("directed_by", "parents")), PatternWords())
DIRECTED, BACK = Step("directed_by"), Step("directed_by", reversed=True)


@pytest.mark.parametrize(
    ("paths", "sentence"),
    [
        ([(0, [DIRECTED])], " ENT1 -> directed_by -> ASKED"),
        ([(1, [BACK])], " ENT2 <- directed_by <- ASKED"),
        (
            [(0, [BACK, DIRECTED])],
            " ENT1 <- directed_by <- UNKNOWN 1 -> directed_by -> ASKED",
        ),
        (
            [(0, [BACK]), (1, [Step("parents")])],
            " ENT1 <- directed_by <- ASKED <- parents <- ENT2",
        ),
        (
            [(0, [BACK]), (1, [BACK, DIRECTED])],
            " ENT1 <- directed_by <- ASKED <- directed_by <- UNKNOWN 1 -> directed_by -> ENT2",
        ),
    ],
)
def test_paths_as_patterns(paths: list[tuple[int, list[Step]]], sentence: str) -> None:
    placed = tuple(MentionPath(mention, tuple(steps)) for mention, steps in paths)
    example = render_pattern_example(PathExample("who made ENT1 and ENT2", placed, 0.5), LANGUAGE)
    assert "".join(example.segments) == sentence
    assert example.prompt.render() == "Question: who made ENT1 and ENT2\nPattern:"
    assert example.weight == 0.5


def make_label(name: str) -> LabelKind:
    return LabelKind(
        name, 9, "name", (PropertyKind("name", "STRING"), PropertyKind("age", "INTEGER"))
    )


SCHEMA = Schema(
    (make_label("Film"), make_label("Person"), make_label("Genre")),
    (
        RelationshipKind("DIRECTED", "Person", "Film", 9),
        RelationshipKind("IS_A", "Film", "Genre", 9),
        RelationshipKind("KNOWS", "Person", "Person", 9),
    ),
    27,
    27,
    "f",
)
HER = "MATCH (f:Film {name: 'Her'})"


@pytest.mark.parametrize(
    ("cypher", "paths"),
    [
        (f"{HER}<-[:DIRECTED]-(p:Person) RETURN p.name", [("Her", "^DIRECTED")]),
        (f"{HER}-[:DIRECTED]-(p:Person) RETURN DISTINCT p", [("Her", "^DIRECTED")]),
        (
            f"{HER}<-[:DIRECTED]-(p:Person)-[:DIRECTED]->(g:Film) RETURN g",
            [("Her", "^DIRECTED DIRECTED")],
        ),
        (
            f"{HER}-[:IS_A]->(g:Genre)<-[:IS_A]-(o:Film {{name: 'It'}}) RETURN g.name",
            [("Her", "IS_A"), ("It", "IS_A")],
        ),
        (f"{HER}<-[:DIRECTED]-(p:Person) RETURN p.age", []),  # no node
        (f"{HER}<-[:DIRECTED]-(p:Person) RETURN count(p)", []),
        (f"{HER}<-[:DIRECTED]-(p:Person) RETURN p ORDER BY p.age LIMIT 1", []),
        (f"{HER}<-[:DIRECTED]-(p:Person WHERE p.age > 9) RETURN p", []),
        ("MATCH (f:Film)<-[:DIRECTED]-(p:Person) RETURN p", []),  # no topic
        (
            "MATCH (a:Person {name: 'Ann'})-[:KNOWS]-(p:Person) RETURN p",
            [],  # either way
        ),
        (f"{HER}<-[:DIRECTED]-(p:Person)-[:KNOWS]->(q:Person) RETURN p", []),  # one more
        ("RETURN nonsense", []),
    ],
)
def test_gold_queries_that_are_nothing_but_paths(cypher: str, paths: list[tuple[str, str]]) -> None:
    wanted = tuple(GoldPath(topic, tuple(map(Step.parse, steps.split()))) for topic, steps in paths)
    asked = QuestionRow("1", "?", cypher=cypher)
    assert read_plain_paths(asked, SCHEMA) == wanted
    assert add_plain_paths([asked], SCHEMA)[0].paths == wanted


def test_paths_that_are_given_stay() -> None:
    given = (GoldPath("Her", (Step("IS_A"),)),)
    asked = QuestionRow("1", "?", cypher=f"{HER}<-[:DIRECTED]-(p:Person) RETURN p", paths=given)
    assert add_plain_paths([asked], SCHEMA) == [asked]
