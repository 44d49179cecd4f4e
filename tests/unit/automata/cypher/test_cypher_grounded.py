"""Grounded Cypher says what its anchors reach, all of it and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trellis.automata.cypher.canonical import said
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.lexicon import numbered
from trellis.automata.cypher.patterns import Manner
from trellis.automata.cypher.query import QueryGraph
from trellis.automata.cypher.reading import canonical_moves
from trellis.automata.cypher.ways import Grounding
from trellis.domain.reachable import Reachable, ReachablePath
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.value_links import StoredValue
from trellis.domain.values import Step
from unit.automata.cypher.cinema import CINEMA, VALUES
from unit.automata.cypher.schemas import every_sentence
from unit.automata.test_laws import laws

STEPS = [Step(name, backwards) for name in ("R", "S") for backwards in (False, True)]
FEW = Manner(begin="value", labels="choice", nodes=3, items=1, limits=())


def reachable(*paths: tuple[Step, ...]) -> Reachable:
    """Paths with all their beginnings, shortest first; their ends are things."""
    every = {path[:size] for path in paths for size in range(1, len(path) + 1)}
    ordered = sorted(every, key=lambda path: (len(path), list(map(str, path))))
    return Reachable(tuple(ReachablePath(path, ("Thing",), 1, 1) for path in ordered))


def things(*paths: tuple[Step, ...]) -> CypherLanguage:
    """A language over one label that any type leads to, grounded in what one thing reaches."""
    schema = Schema(
        (LabelKind("Thing", 9, "name", (PropertyKind("name", "STRING"),)),),
        tuple(RelationshipKind(name, "Thing", "Thing", 5) for name in ("R", "S")),
        nodes=9,
        edges=10,
        fingerprint="things",
    )
    values = numbered([StoredValue("Thing", "name", "a")])
    return CypherLanguage(schema, values, FEW, [Grounding(0, reachable(*paths))])


def walked(query: QueryGraph) -> set[tuple[tuple[str, str], ...]]:
    """The ways from the first node to every other, as types with directions."""
    ways: dict[int, tuple[tuple[str, str], ...]] = {0: ()}
    for edge in query.edges:
        ways[edge.target] = (*ways[edge.source], (edge.type, edge.direction))
    return set(ways.values()) - {()}


def as_directed(path: tuple[Step, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((step.relation, "in" if step.reversed else "out") for step in path)


@laws
@given(st.sets(st.lists(st.sampled_from(STEPS), min_size=1, max_size=2).map(tuple), max_size=4))
def test_what_is_reached_can_be_said_and_nothing_else(paths: set[tuple[Step, ...]]) -> None:
    language = things(*paths)
    allowed = {as_directed(path.steps) for path in language.groundings[0].reachable.paths}
    found = set()
    for _, state in every_sentence(language):
        found |= walked(state.query)
    directed = {path for path in found if all(way != "any" for _, way in path)}
    assert directed == allowed
    for path in found - directed:
        assert any(
            len(other) == len(path)
            and all(a == b and d in ("any", e) for (a, d), (b, e) in zip(path, other, strict=True))
            for other in allowed
        )


def test_a_grounded_query_begins_with_its_value() -> None:
    reached = Reachable(
        (
            ReachablePath((Step("ACTED_IN"),), ("Film",), 2, 2),
            ReachablePath((Step("ACTED_IN"), Step("MADE_IN")), ("Country",), 2, 1),
        )
    )
    language = CypherLanguage(CINEMA, numbered(VALUES), groundings=[Grounding(0, reached)])
    cypher = (
        "MATCH (c:Country)<-[:MADE_IN]-(f:Film)<-[:ACTED_IN]-(p:Person {name: 'Ann'}) RETURN c.name"
    )
    moves = canonical_moves(language, cypher)
    assert "".join(moves) == (" person name v0 acted in film made in country show country name")
    (query,) = language.values(said(language, moves))
    assert query.text == (
        "MATCH (x0:`Person` WHERE x0.`name` = $v0)-[:`ACTED_IN`]->(x1:`Film`)"
        "-[:`MADE_IN`]->(x2:`Country`)\nRETURN x2.`name`"
    )


def test_an_anchor_that_reaches_nothing_is_all_that_can_be_said() -> None:
    language = CypherLanguage(CINEMA, numbered(VALUES), groundings=[Grounding(0, Reachable(()))])
    for _, state in zip(range(50), (s for _, s in every_sentence(language)), strict=False):
        assert len(state.query.nodes) == 1
        assert state.query.nodes[0].label == "Person"
