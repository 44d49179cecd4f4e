"""Tasks `chain`, `pattern`, `assertion` and `schema_graph`: what paths and plain queries are said
as, and what is learnt of them."""

from __future__ import annotations

import pytest

from small_schemas import build_schema
from trellis.automata.chains.language import ChainOptions
from trellis.automata.chains.opening import open_chains
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.automata.reader import Reader, SentenceReading
from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.domain.graphs.graph import Step
from trellis.lexicon.phrasebook import Phrasebook
from trellis.questions.row import GoldPath, QuestionRow
from trellis.training.examples import MentionPath, PathExample
from trellis.training.supervision.paths.explain_paths import ExplainedQuestion
from trellis.training.supervision.paths.path_readings import Reading
from trellis.training.supervision.paths.plain_queries import add_plain_paths, read_plain_paths
from trellis.training.synthesis.assertion_words import AssertionWords
from trellis.training.tasks.assertion_examples import (
    SchemaGraphExamples,
    StrategyTable,
    count_strategies,
    render_assertion_example,
)
from trellis.training.tasks.chain import render_chain_example
from trellis.training.tasks.pattern import render_pattern_example
from unit.training import family

BOOK = Phrasebook.load()
SAID = {
    "directed_by": "is directed by",
    "parents": "'s parents is",
    "HAS_CAPITAL": "has capital",
    "gender": "'s gender is",
    "located_in": "is located in",
}
WORDS = AssertionWords.of(tuple(SAID), BOOK)
ALONE = StrategyTable({}, {})
PATTERNS = PatternLanguage(3, PatternWords(tuple(SAID)), PatternWords())
DIRECTED, BACK = Step("directed_by"), Step("directed_by", reversed=True)


def place_paths(text: str) -> tuple[MentionPath, ...]:
    """Paths such as `0 ^directed_by; 1 parents gender`, each with the number of its mention."""
    pairs = (path.split(" ", 1) for path in text.split("; "))
    return tuple(MentionPath(int(at), tuple(map(Step.parse, s.split()))) for at, s in pairs)


PATHS = [
    (
        "0 directed_by",
        "ENT1 -> directed_by =",
        "ENT1 -> directed_by -> ASKED",
        '"ENT1" is directed by [ENT1] ? [ENT1] precision',
    ),
    (
        "1 ^directed_by",
        "ENT2 <- directed_by =",
        "ENT2 <- directed_by <- ASKED",
        '[ENT1] is directed by "ENT2" ? [ENT1] precision',
    ),
    (
        "0 ^directed_by directed_by",
        "ENT1 <- directed_by -> directed_by =",
        "ENT1 <- directed_by <- UNKNOWN 1 -> directed_by -> ASKED",
        '[ENT1] is directed by "ENT1" ; [ENT1] is directed by [ENT2] ? [ENT2] precision',
    ),
    (
        "0 parents gender",
        "ENT1 -> parents -> gender =",
        "ENT1 -> parents -> UNKNOWN 1 -> gender -> ASKED",
        "\"ENT1\" 's parents is [ENT1] ; [ENT1] 's gender is [ENT2] ? [ENT2] precision",
    ),
    (
        "1 parents; 0 ^directed_by",
        "ENT1 <- directed_by ; ENT2 -> parents & X1 =",
        "ENT1 <- directed_by <- ASKED <- parents <- ENT2",
        '"ENT2" \'s parents is [ENT1] ; [ENT1] is directed by "ENT1" ? [ENT1] precision',
    ),
    (
        "0 ^directed_by; 1 ^gender; 2 ^gender",
        "ENT1 <- directed_by ; ENT2 <- gender & X1 ; ENT3 <- gender & X1 =",
        "ENT1 <- directed_by <- ASKED -> gender -> ENT2 ; ASKED -> gender -> ENT3",
        '[ENT1] is directed by "ENT1" ; [ENT1] \'s gender is "ENT2" ; [ENT1] \'s gender is '
        '"ENT3" ? [ENT1] precision',
    ),
    (
        "0 ^directed_by; 1 ^directed_by directed_by",
        "ENT1 <- directed_by ; ENT2 <- directed_by -> directed_by & X1 =",
        "ENT1 <- directed_by <- ASKED <- directed_by <- UNKNOWN 1 -> directed_by -> ENT2",
        '[ENT1] is directed by "ENT1" ; [ENT2] is directed by [ENT1] ; [ENT2] is directed by '
        '"ENT2" ? [ENT1] precision',
    ),
    (
        "0 parents ^directed_by; 1 gender directed_by",
        "ENT1 -> parents <- directed_by ; ENT2 -> gender -> directed_by & X2 =",
        "ENT1 -> parents -> UNKNOWN 1 <- directed_by <- ASKED <- directed_by <- UNKNOWN 2 "
        "<- gender <- ENT2",
        '"ENT1" \'s parents is [ENT1] ; [ENT2] is directed by [ENT1] ; [ENT3] is directed by '
        '[ENT2] ; "ENT2" \'s gender is [ENT3] ? [ENT2] precision',
    ),
]
"""Paths as a chain, as a pattern and as assertions."""


@pytest.mark.parametrize(("paths", "chain", "pattern", "assertions"), PATHS)
def test_paths_are_said_in_each_language(
    paths: str, chain: str, pattern: str, assertions: str
) -> None:
    example = PathExample("who made ENT1 and ENT2", place_paths(paths), 0.5)
    for made, name, sentence in (
        (render_chain_example(example), "Chain", chain),
        (render_pattern_example(example, PATTERNS), "Pattern", pattern),
        (render_assertion_example(example, WORDS, ALONE), "Assertions", assertions),
    ):
        assert "".join(made.segments) == f" {sentence}"
        assert made.prompt.render() == f"Question: who made ENT1 and ENT2\n{name}:"
        assert made.weight == 0.5


@pytest.mark.parametrize(("paths", "sentence"), [each[:2] for each in PATHS])
def test_a_chain_is_read_as_its_paths(paths: str, sentence: str) -> None:
    """In a graph in which everything is related to everything."""
    names, types = ("0", "1", "2", "3"), ("directed_by", "gender", "parents")
    triples = [(a, type, b) for a in range(4) for type in types for b in range(4) if a != b]
    graph = cut_neighbourhood(build_adjacency(names, names, triples), [0, 1, 2], 5)
    starts = [Start(f" ENT{i + 1}", (i,), i) for i in range(3)]
    language = open_chains(graph, starts, ChainOptions(revisit="any"))
    read = Reader(language).read_text(f" {sentence}")
    assert isinstance(read, SentenceReading)
    said = [{(path.mention, path.steps) for path in chain.paths} for chain in read.values]
    assert said == [{(path.mention, path.steps) for path in place_paths(paths)}]


def test_a_relation_is_said_between_its_head_and_its_tail() -> None:
    assert WORDS.written == SAID


def test_relations_of_the_same_words_are_told_apart() -> None:
    words = AssertionWords.of(("film.genre", "book.genre", "tag ; x", "[]", "–"), BOOK).written
    assert words["film.genre"] == "'s genre film is"
    assert words["book.genre"] == "'s genre book is"
    assert len(set(words.values())) == 5


def test_assertions_are_rendered_with_their_triples_in_several_wordings() -> None:
    schema = build_schema("Film Person", "Film directed_by Person", "Person parents Person")
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


SCHEMA = build_schema(
    dict.fromkeys(("Film", "Person", "Genre"), "name age:INTEGER"),
    *("Person DIRECTED Film", "Film IS_A Genre", "Person KNOWS Person"),
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
        ("MATCH (a:Person {name: 'Ann'})-[:KNOWS]-(p:Person) RETURN p", []),  # either way
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
