"""The one sentence of a query: how its branches are sorted, how it is said.

The pattern is walked from its first node (what is asked for), each branch to
its end, branches by type, direction, label and filters. Relationships of one clause are different
ones; an arrangement is right if it sets apart exactly the same ones of a type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product

from trellis.automata.cypher.labels import add_certain_labels
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.query import TURNED, QueryEdge, QueryGraph
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.wording import AND, ANOTHER
from trellis.automata.cypher.writing import WordBefore, write_moves
from trellis.domain.errors import CypherReadError

_TURNS = tuple(TURNED)


@dataclass(frozen=True, slots=True)
class _Arrangement:
    """Edges as they are said, each with the word before it, and which edge of the query it is."""

    edges: tuple[int, ...]
    words_before: tuple[WordBefore, ...]


def spell_query(language: CypherLanguage, query: QueryGraph) -> tuple[str, ...]:
    """The moves of the canonical sentence; raises CypherReadError if the language has none."""
    known = add_certain_labels(query, language.known)
    try:
        moves = _spell_first_arrangement(language, known)
    except CypherReadError:
        if known == query:
            raise
        moves = _spell_first_arrangement(
            language, query
        )  # it asks for what nodes of that label do not have
    return _spell_first_arrangement(
        language, follow_moves(language, moves).query
    )  # with directions made out


def _spell_first_arrangement(language: CypherLanguage, query: QueryGraph) -> tuple[str, ...]:
    """The moves of the first arrangement of a query that the language can say."""
    tree = _turn_from_root(query, query.items[0].node)
    problem = CypherReadError("which relationships must differ cannot be said of this pattern")
    for arrangement in _iterate_arrangements(tree):
        try:
            moves = write_moves(
                language, _number_as_said(tree, arrangement), arrangement.words_before
            )
            follow_moves(language, moves)
        except CypherReadError as error:
            problem = error
        else:
            return moves
    raise problem


def follow_moves(language: CypherLanguage, moves: Sequence[str]) -> CypherState:
    """The state behind some moves, where a sentence may end; raises CypherReadError if not."""
    state = language.start()
    for move in moves:
        texts = language.moves(state).texts
        following = language.follow(state, texts.index(move)) if move in texts else None
        if following is None:
            raise CypherReadError(f"behind {state.text!r} the language has no {move!r}")
        state = following
    if not language.accepting(state):
        raise CypherReadError(f"no sentence ends with {state.text!r}")
    return state


def _turn_from_root(query: QueryGraph, root: int) -> QueryGraph:
    """The same query with every edge turned away from a node; raises where it is no tree."""
    left, reached, edges = list(query.edges), {root}, []
    while left:
        edge = next((e for e in left if {e.source, e.target} & reached), None)
        if edge is None or {edge.source, edge.target} <= reached:
            break
        left.remove(edge)
        if edge.source not in reached:
            edge = replace(
                edge,
                source=edge.target,
                target=edge.source,
                direction=TURNED[edge.direction],
            )
        reached.add(edge.target)
        edges.append(edge)
    if left or len(reached) < len(query.nodes):
        raise CypherReadError("the pattern is no single tree: it has a cycle, or parts apart")
    others = [node for node in range(len(query.nodes)) if node != root]
    return _reorder_nodes(replace(query, edges=tuple(edges)), [root, *others])


def _reorder_nodes(query: QueryGraph, node_order: Sequence[int]) -> QueryGraph:
    """The same query with its nodes in another order."""
    to = {node: index for index, node in enumerate(node_order)}
    edges = (replace(e, source=to[e.source], target=to[e.target]) for e in query.edges)
    items = (replace(item, node=to[item.node]) for item in query.items)
    sort = replace(query.sort, node=to[query.sort.node]) if query.sort else None
    nodes = tuple(query.nodes[node] for node in node_order)
    return replace(query, nodes=nodes, edges=tuple(edges), items=tuple(items), sort=sort)


def _number_as_said(query: QueryGraph, arrangement: _Arrangement) -> QueryGraph:
    """Edges and nodes in the order in which they are said."""
    edges = [query.edges[index] for index in arrangement.edges]
    clauses = _number_clauses(arrangement.words_before)
    numbered = (replace(e, clause=c) for e, c in zip(edges, clauses, strict=True))
    return _reorder_nodes(
        replace(query, edges=tuple(numbered)), [0, *(edge.target for edge in edges)]
    )


def _iterate_arrangements(tree: QueryGraph) -> Iterator[_Arrangement]:
    """All that set apart what the query sets apart: plain ones first, then sorted ones."""
    apart = _pair_distinct_edges(tree.edges, range(len(tree.edges)), [e.clause for e in tree.edges])
    orders = [tuple(_walk_branches(tree, 0, order)) for order in _iterate_branch_orders(tree)]
    for odd in range(max(1, len(tree.edges))):
        for order in orders:
            for marks in _iterate_words_before(tree.edges, order, odd):
                if _pair_distinct_edges(tree.edges, order, _number_clauses(marks)) == apart:
                    yield _Arrangement(order, marks)


Children = Mapping[int, Sequence[int]]


def _iterate_branch_orders(query: QueryGraph) -> Iterator[Children]:
    """The branches of each node in all orders, sorted ones first."""
    children: dict[int, list[int]] = {}
    for index, edge in enumerate(query.edges):
        children.setdefault(edge.source, []).append(index)
    for of in children.values():
        of.sort(key=lambda index: _branch_key(query, index))
    for chosen in product(*(permutations(of) for of in children.values())):
        yield dict(zip(children, chosen, strict=True))


def _branch_key(query: QueryGraph, index: int) -> tuple[object, ...]:
    """What branches are sorted by: their relationship, their node, what comes behind it."""
    edge = query.edges[index]
    node = query.nodes[edge.target]
    filters = sorted((f.property, f.operator) for f in node.filters)
    values = sorted(value for each in node.filters for value in each.values)
    behind = sorted(
        _branch_key(query, i) for i, e in enumerate(query.edges) if e.source == edge.target
    )
    return (edge.type, _TURNS.index(edge.direction), node.label, filters, behind, values)


def _walk_branches(query: QueryGraph, node: int, order: Children) -> Iterator[int]:
    for index in order.get(node, ()):
        yield index
        yield from _walk_branches(query, query.edges[index].target, order)


def _iterate_words_before(
    edges: Sequence[QueryEdge], order: Sequence[int], exceptions: int
) -> Iterator[tuple[WordBefore, ...]]:
    """The words before each edge, `exceptions` of them other than what is plain there."""
    last, usual = -1, []
    for at, index in enumerate(order):
        usual.append("" if not at or edges[index].source == last else AND)
        last = edges[index].target
    for chosen in combinations(range(1, len(order)), exceptions):
        marks = list(usual)
        for at in chosen:
            marks[at] = ANOTHER if usual[at] else AND
        yield tuple(marks)


def _number_clauses(words_before: Sequence[WordBefore]) -> list[int]:
    clauses, clause = [], 0
    for mark in words_before:
        clause += mark == AND
        clauses.append(clause)
    return clauses


def _pair_distinct_edges(
    edges: Sequence[QueryEdge], order: Sequence[int], clauses: Sequence[int]
) -> frozenset[frozenset[int]]:
    """The pairs of edges of one type that a clause makes different relationships."""
    of = list(zip(order, clauses, strict=True))
    return frozenset(
        frozenset((one, other))
        for (one, a), (other, b) in combinations(of, 2)
        if a == b and edges[one].type == edges[other].type
    )
