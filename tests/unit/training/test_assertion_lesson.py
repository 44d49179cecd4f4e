"""Tasks `assertion` and `schema_graph`: what paths are said as, and what is learnt of them."""

from __future__ import annotations

import pytest

from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.domain.graph import Step
from trellis.domain.schema import LabelKind, RelationshipKind, Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.questions.row import GoldPath, QuestionRow
from trellis.training.examples import MentionPath, PathExample
from trellis.training.supervision.paths.explain_paths import ExplainedQuestion
from trellis.training.supervision.paths.path_readings import Reading
from trellis.training.synthesis.assertion_words import AssertionWords
from trellis.training.tasks.assertion_examples import (
    SchemaGraphExamples,
    StrategyTable,
    count_strategies,
    render_assertion_example,
)
from unit.training import family

BOOK = Phrasebook.load()
RELATIONS = ("directed_by", "parents", "HAS_CAPITAL", "gender", "located_in")
WORDS = AssertionWords.of(RELATIONS, BOOK)
ALONE = StrategyTable({}, {})
DIRECTED, BACK = Step("directed_by"), Step("directed_by", reversed=True)


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("directed_by", "is directed by"),
        ("parents", "'s parents is"),
        ("HAS_CAPITAL", "has capital"),
        ("gender", "'s gender is"),
        ("located_in", "is located in"),
    ],
)
def test_a_relation_is_said_between_its_head_and_its_tail(relation: str, words: str) -> None:
    assert WORDS.written[relation] == words


def test_relations_of_the_same_words_are_told_apart() -> None:
    words = AssertionWords.of(("film.genre", "book.genre", "tag ; x", "[]", "–"), BOOK).written
    assert words["film.genre"] == "'s genre film is"
    assert words["book.genre"] == "'s genre book is"
    assert len(set(words.values())) == 5


@pytest.mark.parametrize(
    ("paths", "sentence"),
    [
        ([(0, [DIRECTED])], ' "ENT1" is directed by [ENT1] ? [ENT1] precision'),
        ([(1, [BACK])], ' [ENT1] is directed by "ENT2" ? [ENT1] precision'),
        (
            [(0, [Step("parents"), Step("gender")])],
            " \"ENT1\" 's parents is [ENT1] ; [ENT1] 's gender is [ENT2] ? [ENT2] precision",
        ),
        (
            [(0, [BACK]), (1, [BACK])],
            ' [ENT1] is directed by "ENT1" ; [ENT1] is directed by "ENT2" ? [ENT1] precision',
        ),
        (
            [(0, [Step("parents"), BACK]), (1, [Step("gender"), DIRECTED])],
            ' "ENT1" \'s parents is [ENT1] ; [ENT2] is directed by [ENT1] ; '
            '[ENT3] is directed by [ENT2] ; "ENT2" \'s gender is [ENT3] ? [ENT2] precision',
        ),
    ],
)
def test_paths_as_assertions(paths: list[tuple[int, list[Step]]], sentence: str) -> None:
    placed = tuple(MentionPath(mention, tuple(steps)) for mention, steps in paths)
    example = PathExample("who made ENT1 and ENT2", placed, 0.5)
    made = render_assertion_example(example, WORDS, ALONE)
    assert "".join(made.segments) == sentence
    assert made.prompt.render() == "Question: who made ENT1 and ENT2\nAssertions:"
    assert made.weight == 0.5


def test_assertions_are_rendered_with_their_triples_in_several_wordings() -> None:
    schema = Schema(
        (LabelKind("Film", 5, "name"), LabelKind("Person", 5, "name")),
        (
            RelationshipKind("directed_by", "Film", "Person", 5),
            RelationshipKind("parents", "Person", "Person", 5),
        ),
        10,
        10,
        "f",
    )
    maker = SchemaGraphExamples(RelationKinds.of_schema(schema), WORDS, seed=1)
    example = PathExample("x ENT1", (MentionPath(0, (DIRECTED, Step("parents"))),))
    plain, varied = maker.render_paths(example)
    assert plain.prompt.render() == (
        'Question: "ENT1" is directed by [ENT1] ; [ENT1] \'s parents is [ENT2]\nSchema graph:'
    )
    assert "".join(plain.segments) == (
        ' "ENT1" -> directed_by -> [ENT1] ; [ENT1] -> parents -> [ENT2]'
    )
    assert "parents" in "".join(varied.segments)
    wrong = PathExample("x ENT1", (MentionPath(0, (DIRECTED, BACK.turn())),))
    assert maker.render_paths(wrong) == []  # a person directed by someone
    alone = ["".join(each.segments) for each in maker.render_relations()]
    assert ' [ENT1] -> directed_by -> "ENT1"' in alone
    assert ' "ENT1" <- directed_by <- [ENT1]' in alone  # in words from tail to head


async def test_a_strategy_follows_how_many_answer_along_the_same_relations() -> None:
    graph = family.graph()
    asked = [QuestionRow(str(i), "q", answers=("a", "b") if i < 3 else ("a",)) for i in range(4)]
    paths = (GoldPath("anna_smith", (Step("religion", True),)),)
    explained = [ExplainedQuestion([Reading(row, (), True)], paths) for row in asked]
    nodes = [node.id for node in graph.nodes]
    table = await count_strategies(graph, nodes, explained, 10_000)
    assert table.choose_strategy([MentionPath(0, (Step("religion", True),))]) == "breadth"
    assert table.by_step[Step("parents")] == 0.0
    assert table.choose_strategy([MentionPath(0, (Step("parents"),))]) == "precision"
    born = (Step("placeOfBirth", True),)
    assert table.choose_strategy([MentionPath(0, born)]) == "breadth"
    joined = [MentionPath(0, born), MentionPath(1, (Step("parents"),))]
    assert table.choose_strategy(joined) == "precision"
