"""Grounded Cypher says what its anchors reach, all of it and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.automata.cypher.grammar.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.options import NARROW
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.reachable import ReachablePath, ReachablePaths
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from unit.automata.cypher.cinema import CINEMA, VALUES
from unit.automata.test_laws import law

STEPS = [Step(name, backwards) for name in ("R", "S") for backwards in (False, True)]
JOINED = (("Anchor", "Thing"), ("Thing", "Anchor"), ("Thing", "Thing"))
FEW = replace(NARROW, nodes=3)


def reachable(*paths: tuple[Step, ...]) -> ReachablePaths:
    """Paths with all their beginnings, shortest first; their ends are things."""
    every = {path[:size] for path in paths for size in range(1, len(path) + 1)}
    ordered = sorted(every, key=lambda path: (len(path), list(map(str, path))))
    return ReachablePaths(tuple(ReachablePath(path, ("Thing",), 1, 1) for path in ordered))


def things(*paths: tuple[Step, ...]) -> CypherLanguage:
    """A language grounded in what one anchor reaches."""
    schema = Schema(
        (
            LabelKind("Anchor", 1, "name", (PropertyKind("name", "STRING"),)),
            LabelKind("Thing", 9, None),
        ),
        tuple(RelationshipKind(name, *ends, 5) for name in ("R", "S") for ends in JOINED),
        nodes=9,
        edges=10,
        fingerprint="things",
    )
    values = number_values([StoredValue("Anchor", "name", "a")])
    return CypherLanguage(schema, values, FEW, [Grounding(0, reachable(*paths), 4)])


def walked(query: QueryGraph) -> set[tuple[tuple[str, str], ...]]:
    """The ways from the first node to every other, as types with directions."""
    ways: dict[int, tuple[tuple[str, str], ...]] = {0: ()}
    for edge in query.edges:
        ways[edge.target] = (*ways[edge.source], (edge.type, edge.direction))
    return set(ways.values()) - {()}


def every_pattern(language: CypherLanguage, label: str) -> Iterator[QueryGraph]:
    """All patterns whose first node is one of the first value's, of a label."""
    pending = [follow_moves(language, (" list", f" {label}", " name", " v0"))]
    while pending:
        state = pending.pop()
        yield state.query
        after = (language.follow(state, m) for m in range(len(language.moves(state))))
        pending += [following for following in after if following and not returns(following)]


def returns(state: CypherState) -> bool:
    """Whether a return, an order or a limit is being said: the pattern is whole then."""
    return state.moves[-1].kind in ("form", "order", "limit")


def as_directed(path: tuple[Step, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((step.relation, "in" if step.reversed else "out") for step in path)


@pytest.mark.slow
@law
@given(st.sets(st.lists(st.sampled_from(STEPS), min_size=1, max_size=2).map(tuple), max_size=3))
def test_what_is_reached_can_be_said_and_nothing_else(paths: set[tuple[Step, ...]]) -> None:
    language = things(*paths)
    allowed = {as_directed(path.steps) for path in language.groundings[0].reachable.paths}
    found = set()
    for query in every_pattern(language, "anchor"):
        found |= walked(query)
    directed = {path for path in found if all(way != "any" for _, way in path)}
    assert directed == allowed
    for path in found - directed:
        assert any(
            len(other) == len(path)
            and all(a == b and d in ("any", e) for (a, d), (b, e) in zip(path, other, strict=True))
            for other in allowed
        )


def test_a_grounded_query_says_what_its_value_reaches() -> None:
    grounding = from_ann("ACTED_IN", "ACTED_IN MADE_IN", hops=4)
    language = CypherLanguage(CINEMA, number_values(VALUES), NARROW, [grounding])
    cypher = (
        "MATCH (c:Country)<-[:MADE_IN]-(f:Film)<-[:ACTED_IN]-(p:Person {name: 'Ann'}) RETURN c.name"
    )
    moves = find_canonical_moves(language, cypher)
    assert "".join(moves) == " show country name made in film acted in person name v0"
    (query,) = language.values(follow_moves(language, moves))
    assert query.text == (
        "MATCH (x0:`Country`)<-[:`MADE_IN`]-(x1:`Film`)"
        "<-[:`ACTED_IN`]-(x2:`Person` WHERE x2.`name` = $v0)\nRETURN x0.`name`"
    )


def test_an_anchor_that_reaches_nothing_is_all_that_can_be_said() -> None:
    grounding = Grounding(0, ReachablePaths(()), 1)
    language = CypherLanguage(CINEMA, number_values(VALUES[:1]), NARROW, [grounding])
    patterns = [query for query in every_pattern(language, "person") if query.nodes]
    assert patterns
    for query in patterns:
        assert [node.label for node in query.nodes] == ["Person"]


ENDS = {"ACTED_IN": "Film", "MADE_IN": "Country", "KNOWS": "Person"}


def from_ann(*paths: str, hops: int) -> Grounding:
    """What the first value's node, a person, reaches: `KNOWS ^KNOWS` and its like."""
    found = [tuple(Step.parse(step) for step in path.split()) for path in paths]
    labels = [(("Person",) if p[-1].reversed else (ENDS[p[-1].relation],)) for p in found]
    pairs = zip(found, labels, strict=True)
    return Grounding(0, ReachablePaths(tuple(ReachablePath(p, of, 1, 1) for p, of in pairs)), hops)


@pytest.mark.parametrize(
    ("cypher", "sayable"),
    [
        ("MATCH (f:Film)<-[:ACTED_IN]-(p:Person {name: 'Ann'}) RETURN f", True),
        ("MATCH (p:Person {name: 'Ann'})-[:ACTED_IN]->(f:Film) RETURN p", True),
        ("MATCH (q:Person)-[:KNOWS]->(p:Person {name: 'Ann'}) RETURN q", True),
        ("MATCH (q:Person)<-[:KNOWS]-(p:Person {name: 'Ann'}) RETURN q", False),
        ("MATCH (p:Person {name: 'Ann'})-[:KNOWS]->(q:Person) RETURN p", False),
        ("MATCH (q:Person)-[:KNOWS]-(p:Person {name: 'Ann'}) RETURN q", True),
        (
            "MATCH (c:Country)<-[:MADE_IN]-(f:Film)<-[:ACTED_IN]-(p:Person {name: 'Ann'}) RETURN c",
            False,
        ),
        ("MATCH (c:Country)<-[:MADE_IN]-(f:Film)<-[:ACTED_IN]-(p:Person) RETURN c", True),
        (
            "MATCH (o:Person)-[:KNOWS]->(q:Person)-[:KNOWS]->(p:Person {name: 'Ann'}) RETURN o",
            True,
        ),
        (
            "MATCH (f:Film)<-[:ACTED_IN]-(q:Person)-[:KNOWS]->(p:Person {name: 'Ann'}) RETURN f",
            False,
        ),
    ],
)
def test_an_anchor_anywhere_in_a_pattern_restricts_all_of_it(cypher: str, sayable: bool) -> None:
    grounding = from_ann("ACTED_IN", "^KNOWS", "^KNOWS ^KNOWS", hops=2)
    language = CypherLanguage(CINEMA, number_values(VALUES[:1]), NARROW, [grounding])
    if sayable:
        assert find_canonical_moves(language, cypher)
    else:
        with pytest.raises(CypherReadError):
            find_canonical_moves(language, cypher)


def test_beyond_what_was_looked_for_anything_is_said() -> None:
    query = "MATCH (c:Country)<-[:MADE_IN]-(f:Film)<-[:ACTED_IN]-(p:Person {name: 'Ann'}) RETURN c"
    near = CypherLanguage(
        CINEMA, number_values(VALUES[:1]), groundings=[from_ann("ACTED_IN", hops=1)]
    )
    assert find_canonical_moves(near, query)


def test_a_node_of_any_label_may_be_another_than_the_anchor() -> None:
    """`(n {name: $v0})` matches nodes of labels that the value was not linked in."""
    query = "MATCH (f:Film)--(n {name: 'Ann'}) RETURN f"
    language = CypherLanguage(CINEMA, number_values(VALUES[:1]), NARROW, [from_ann(hops=1)])
    with pytest.raises(CypherReadError):
        find_canonical_moves(language, query.replace("n {", "n:Person {"))
