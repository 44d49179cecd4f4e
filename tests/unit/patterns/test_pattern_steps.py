"""The steps of patterns one by one: foldings, candidates, matches, queries, readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_graph import MemoryGraph, TrigramEmbedder
from memory_grounding import GroundingQueries
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.automata.reader import Reader, SentenceReading
from trellis.domain.graphs.graph import Node, Revisit, Step
from trellis.domain.graphs.links import Link, LinkKind, Mention
from trellis.domain.models.decoding import Sentence
from trellis.domain.structures.question_patterns import MentionNode, QuestionPattern
from trellis.steps.describe.describe_pattern import describe_located_pattern, describe_pattern
from trellis.steps.ground.patterns.find_candidates import find_candidates, list_mention_nodes
from trellis.steps.ground.patterns.fold_patterns import list_foldings
from trellis.steps.ground.patterns.ground_patterns import (
    ground_patterns,
    weigh_readings,
    write_grounding_query,
)
from trellis.steps.ground.patterns.match_patterns import match_patterns
from trellis.steps.retrieve.patterns.located_patterns import LocatedPattern

FREE = PatternWords(free_tokens=8)
RULES: tuple[Revisit, ...] = ("simple", "not_topic", "any")


def read(text: str) -> QuestionPattern:
    found = Reader(PatternLanguage(3, FREE, FREE)).read_text(text)
    assert isinstance(found, SentenceReading), text
    [pattern] = found.values
    return pattern


def mention(*links: tuple[Node, float, LinkKind]) -> Mention:
    return Mention(0, 1, "x", tuple(Link(node, score, how) for node, score, how in links))


TWO = "ENT1 -> r -> UNKNOWN 1 -> s -> ASKED"
THREE = "ENT1 -> r -> UNKNOWN 1 -> s -> UNKNOWN 2 -> r -> ASKED"


@pytest.mark.parametrize(
    ("text", "rule", "places"),
    [
        (TWO, "simple", []),
        (TWO, "not_topic", []),  # the answer cannot be the topic, nor a node its neighbour
        (TWO, "any", [(0, 1, 0), (0, 0, 1), (0, 1, 1), (0, 0, 0)]),
        (THREE, "not_topic", [(0, 1, 2, 1)]),
        ("ENT1 -> r -> ASKED <- r <- ENT2", "not_topic", []),
        ("ENT1 -> r -> UNKNOWN 1 (a) -> s -> UNKNOWN 2 -> r -> ASKED (b)", "not_topic", []),
    ],
)
def test_nodes_that_may_be_the_same(
    text: str, rule: Revisit, places: list[tuple[int, ...]]
) -> None:
    assert [folding.places for folding in list_foldings(read(text), rule)] == places


def draw_graph(random: Random) -> MemoryGraph:
    """A small graph with loops and parallel relationships of two types."""
    nodes = [Node(f"n{i}", f"N{i}", ("Thing",)) for i in range(4)]
    triples = {
        (random.randrange(4), random.choice("rs"), random.randrange(4))
        for _ in range(random.randrange(1, 8))
    }
    return MemoryGraph(nodes, sorted(triples))


def find_by_definition(
    graph: MemoryGraph, pattern: QuestionPattern, rule: Revisit, *, loops: bool = True
) -> set[tuple[str, str]]:
    """The first mention's node and the asked one of all mappings that a rule allows; without
    `loops` no relationship may lead back to where it starts."""
    mentions = [isinstance(node, MentionNode) for node in pattern.nodes]
    assert pattern.asked is not None
    found = set()
    for mapped in product(range(len(graph.nodes)), repeat=len(pattern.nodes)):
        pairs = [(i, j) for i in range(len(mapped)) for j in range(i) if mapped[i] == mapped[j]]
        allowed = all(
            rule == "any" or (rule == "not_topic" and not (mentions[i] or mentions[j]))
            for i, j in pairs
        )
        if not loops and any(mapped[t.head] == mapped[t.tail] for t in pattern.triples):
            continue
        if allowed and all(
            (mapped[t.head], t.relation, mapped[t.tail]) in graph.triples for t in pattern.triples
        ):
            start = next(i for i, is_mention in enumerate(mentions) if is_mention)
            found.add((graph.nodes[mapped[start]].id, graph.nodes[mapped[pattern.asked]].id))
    return found


@pytest.mark.slow
@settings(max_examples=150, derandomize=True)
@given(
    st.integers(0, 2**32),
    st.sampled_from(RULES),
    st.sampled_from([TWO, THREE, "ENT1 -> r -> ASKED", "ENT1 <- r <- UNKNOWN 1 -> r -> ASKED"]),
)
async def test_what_is_answered_is_what_the_rule_defines(
    seed: int, rule: Revisit, text: str
) -> None:
    """By search, then by query: equal to trying all mappings, where neighbours may be the same
    under rule `any` alone; where nothing is, it is only like the pattern."""
    graph, pattern = draw_graph(Random(seed)), read(text)
    topic = graph.nodes[0]
    mentions = [mention((topic, 1.0, "given"))]
    candidates = await find_candidates(graph, None, [pattern], mentions)
    found = await match_patterns(graph, [pattern], candidates, rule, 3, 5.0)
    sentences = [Sentence(text, (), (pattern,), 0.0, 1)]
    readings = weigh_readings(sentences, found)
    grounded = await ground_patterns(GroundingQueries(graph), sentences, readings, rule, 100)
    given = {n.node.id for each in grounded for n in each.finding.nodes}
    wanted = {
        asked for start, asked in find_by_definition(graph, pattern, rule) if start == topic.id
    }
    if any(reading.located.surplus for reading in readings):
        # only then may relationships lead the other way; a loop is no way on but under `any`
        plain = find_by_definition(graph, pattern, rule, loops=rule == "any")
        assert not [asked for start, asked in plain if start == topic.id]
    elif rule == "not_topic":
        assert given <= wanted  # a loop is no way on, unless another way is there
    else:
        assert given == wanted


FILMS = [
    ("Her", "directed_by", "Spike Jonze"),
    ("Her", "starred_actors", "Amy Adams"),
    ("Her", "film.film.genre", "Drama"),
]


async def test_relations_are_names_at_no_distance_and_what_their_words_are_near_to() -> None:
    graph = MemoryGraph.of(FILMS)
    patterns = [read("ENT1 -> directed_by -> ASKED"), read("ENT1 -> director -> ASKED (film)")]
    her = mention((graph.nodes[0], 1.0, "given"))
    found = await find_candidates(graph, TrigramEmbedder(), patterns, [her])
    named, other = found.relations["directed_by"], found.relations["director"]
    assert named.distances[named.types.index("directed_by")] == 0
    assert set(named.types) == {"directed_by", "starred_actors", "film.film.genre"}
    assert other.types[0] == "directed_by"
    assert list(other.distances) == sorted(other.distances)
    assert (found.is_named("directed_by"), found.is_named("director")) == (True, False)
    assert not found.kinds  # all nodes have one label, so that a kind tells nothing
    assert not found.note


async def test_kinds_are_labels_where_there_are_several() -> None:
    nodes = [Node("a", "Her", ("Film",)), Node("b", "Spike Jonze", ("Person",))]
    graph = MemoryGraph(nodes, [(0, "directed_by", 1)])
    patterns = [read("ENT1 -> directed_by -> ASKED (person)"), read("ENT1 -> x -> ASKED (persons)")]
    her = mention((nodes[0], 1.0, "given"))
    found = await find_candidates(graph, TrigramEmbedder(), patterns, [her])
    assert (found.kinds["person"].labels, found.kinds["person"].distances) == (("Person",), (0.0,))
    assert found.kinds["persons"].labels[0] == "Person"
    assert found.kinds["persons"].distances[0] > 0


@pytest.mark.parametrize(
    ("links", "distances"),
    [
        ([(1.0, "given")], [0.0]),
        ([(0.9, "exact"), (0.88, "exact"), (0.45, "part")], [0.0, 0.0, 1.0]),
        ([(0.92, "vector"), (0.5, "vector")], [0.4, 1.0]),
    ],
)
def test_mentions_are_as_far_as_their_links_are_weak(
    links: Sequence[tuple[float, LinkKind]], distances: list[float]
) -> None:
    nodes = [Node(f"n{i}", "x") for i in range(len(links))]
    found = list_mention_nodes(
        mention(*((node, *link) for node, link in zip(nodes, links, strict=True)))
    )
    assert found.ids == tuple(node.id for node in nodes)
    assert found.distances == pytest.approx(distances)


def locate(text: str, *steps: Step, labels: Sequence[str] = ()) -> LocatedPattern:
    """A pattern whose mention i is the node `m<i>`."""
    pattern = read(text)
    anchors = tuple(
        (f"m{node.index}",) if isinstance(node, MentionNode) else None for node in pattern.nodes
    )
    named = tuple(labels) or ("",) * len(pattern.nodes)
    return LocatedPattern(pattern, steps, anchors, named, 0.0, 0.0)


def list_queries() -> Iterator[tuple[Revisit, str]]:
    yield (
        "simple",
        "MATCH (n0)-[r0:`R`]->(n1), (n1)<-[r1:`a``b`]-(n2)\n"
        "WHERE elementId(n0) IN $n0 AND n2:`Film` AND n0 <> n1 AND n0 <> n2 AND n1 <> n2\n"
        "RETURN n2 AS asked, head(collect([r0, r1])) AS facts, count(*) AS ways",
    )
    yield (
        "not_topic",
        "MATCH (n0)-[r0:`R`]->(n1)\nMATCH (n1)<-[r1:`a``b`]-(n2)\n"
        "WHERE elementId(n0) IN $n0 AND n2:`Film` AND n0 <> n1 AND n0 <> n2\n"
        "RETURN n2 AS asked, head(collect([r0, r1])) AS facts, count(*) AS ways",
    )
    yield (
        "any",
        "MATCH (n0)-[r0:`R`]->(n1)\nMATCH (n1)<-[r1:`a``b`]-(n2)\n"
        "WHERE elementId(n0) IN $n0 AND n2:`Film`\n"
        "RETURN n2 AS asked, head(collect([r0, r1])) AS facts, count(*) AS ways",
    )


@pytest.mark.parametrize(("rule", "text"), list(list_queries()))
def test_the_query_of_a_located_pattern(rule: Revisit, text: str) -> None:
    located = locate(TWO, Step("R"), Step("a`b", reversed=True), labels=("", "", "Film"))
    query = write_grounding_query(located, rule)
    assert (query.text, query.params) == (text, {"n0": ["m0"]})


HER, LINE = Node("m0", "Her"), Node("m1", "Walk the Line")
MENTIONS = [mention((HER, 1.0, "given")), mention((LINE, 1.0, "given"))]


@pytest.mark.parametrize(
    ("text", "steps", "reading"),
    [
        ("ENT1 -> a -> ASKED", [Step("directed_by")], "what Her is directed by"),
        ("ENT1 <- a <- ASKED", [Step("HAS_SEQUEL")], "what has Her as sequel"),
        (
            "ENT1 -> a -> ASKED (person)",
            [Step("directed_by")],
            "what Her is directed by, which is a person",
        ),
        (
            "ENT1 -> a -> ASKED <- a <- ENT2",
            [Step("genre"), Step("genre")],
            "the genre of both Her and Walk the Line",
        ),
        (
            "ENT1 -> a -> UNKNOWN 1 (actor) -> b -> ASKED",
            [Step("has_star"), Step("born_in")],
            "the answer, where Her has as star actor A and actor A is born in the answer",
        ),
        (
            "ENT1 <- a <- UNKNOWN 1 -> b -> ASKED ; UNKNOWN 1 -> a -> ENT2",
            [Step("likes"), Step("likes"), Step("speaks", reversed=True)],
            "the answer, where A likes Her, A likes Walk the Line and the answer speaks A",
        ),
    ],
)
def test_a_located_pattern_in_plain_english(text: str, steps: list[Step], reading: str) -> None:
    assert describe_located_pattern(locate(text, *steps), MENTIONS) == reading


def test_a_pattern_that_was_not_located_is_said_in_its_own_words() -> None:
    pattern = read("ENT1 -> directed by -> ASKED")
    assert describe_pattern(pattern, MENTIONS) == "what Her is directed by"
