"""The nodes that a pattern can go on from, and the relationships that it can go on with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.grammar.ways import PatternContinuations, PatternPlace, PatternWay
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.keyed_texts import KeyedTexts
from trellis.automata.cypher.words.wording import AND, ANOTHER, ARROWS


class Branches:
    """Finds the ways of the nodes of a pattern, and the words of these."""

    def __init__(self, lexicon: Lexicon, ways: PatternContinuations) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._texts_by_place: dict[PatternPlace, KeyedTexts] = {}

    def find_ways(self, state: CypherState, node: int) -> tuple[PatternWay, ...]:
        """The ways of a node; none where it stands for an earlier one, or its scope is closed."""
        query = state.query
        scope = query.nodes[node].scope
        is_closed = bool(scope) and scope == query.find_rank() != query.open_rank
        if query.nodes[node].same is not None or is_closed:
            return ()
        if query.open_rank and not (scope == query.open_rank or node == query.scopes[-1].node):
            return ()
        return self._ways.find_ways(state.ends[node].place)

    def write_ways(self, place: PatternPlace, ways: Sequence[PatternWay]) -> KeyedTexts:
        """The texts of all ways of a place."""
        found = self._texts_by_place.get(place)
        if found is None:
            found = self._texts_by_place[place] = KeyedTexts.of(map(self.write_way, ways))
        return found

    def write_way(self, way: PatternWay) -> str:
        """The text of a way: the word of its type, and an arrow where its direction is said."""
        return f" {self._lexicon.wording.types[way.type]}{ARROWS[way.said_direction]}"

    def find_branches(self, state: CypherState) -> Iterator[tuple[str, bool, list[int]]]:
        """The words before a branch, each with the nodes that the branch can begin at.

        A branch behind `and` stands apart, in a clause of its own; one behind `another` does not.
        """
        last = len(state.query.nodes) - 1
        nodes = [node for node in _find_nodes_to(state, last) if self.find_ways(state, node)]
        others = [node for node in nodes if node != last]
        fresh = [*others, last] if self._find_repeated_ways(state) else others
        yield AND, True, fresh
        yield ANOTHER, False, others

    def find_branch_ways(self, state: CypherState, node: int, is_apart: bool) -> list[PatternWay]:
        """The ways that a branch of a node can take.

        Branches that are apart, in clauses of their own, come in the order of the schema's ways.
        """
        if node == len(state.query.nodes) - 1:
            return self._find_repeated_ways(state)
        ways = list(self.find_ways(state, node))
        first = _find_first_branch_way(state, node) if is_apart else 0
        return [way for way in ways if way.order >= first]

    def _find_repeated_ways(self, state: CypherState) -> list[PatternWay]:
        """The ways of the last node whose type its clause has already.

        Only for these does it make a difference that the pattern goes on in another clause.
        """
        last = len(state.query.nodes) - 1
        scope = state.query.nodes[last].scope
        clause = state.query.find_last_clause(scope)
        edges = [edge for edge in state.query.edges if edge.scope == scope]
        types = {edge.type for edge in edges if edge.clause == clause}
        return [way for way in self.find_ways(state, last) if way.type in types]


def _find_nodes_to(state: CypherState, node: int) -> list[int]:
    """The nodes on the way from the first one to another, both included."""
    found = [node]
    while node:
        node = state.query.edges[node - 1].source
        found.insert(0, node)
    return found


def _find_first_branch_way(state: CypherState, node: int) -> int:
    """The order of the first way that the next branch of a node can take: its last branch's."""
    steps = [
        step
        for edge, step in zip(state.query.edges, state.steps, strict=True)
        if edge.source == node and edge.type and not edge.scope
    ]
    return steps[-1] if len(steps) > 1 else 0
