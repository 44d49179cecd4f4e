"""Chooses the one sentence of a query among all that mean the same.

The sentence walks the pattern from its first node, which is asked for, and follows each branch to
its end. Branches are sorted by type, direction, label and filters. Cypher matches the relationships
of one clause to different relationships; an arrangement of the branches is right where exactly the
same relationships of a type must differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product

from trellis.automata.cypher.clauses.spelling import write_clause_moves
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import TURNED, QueryEdge, QueryFilter, QueryGraph
from trellis.automata.cypher.sentences.labels import add_certain_labels
from trellis.automata.cypher.sentences.renumbering import reorder_query
from trellis.automata.cypher.sentences.trees import find_root, fold_rank, join_same_nodes, make_tree
from trellis.automata.cypher.sentences.writing import WordBefore, write_moves
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.wording import AND, ANOTHER, BESIDES, SCOPE_WORDS
from trellis.domain.errors import CypherReadError

_TURNS = tuple(TURNED)
_SCOPES = tuple(SCOPE_WORDS)


@dataclass(frozen=True, slots=True)
class _Arrangement:
    """The edges of a query in the order of the sentence, each with the word before it."""

    edges: tuple[int, ...]
    words_before: tuple[WordBefore, ...]


def spell_query(language: CypherLanguage, query: QueryGraph) -> tuple[str, ...]:
    """The moves of the canonical sentence; raises CypherReadError if the language has none."""
    query = fold_rank(join_same_nodes(query))
    known = add_certain_labels(query, language.known)
    try:
        moves = _spell_first_arrangement(language, known)
    except CypherReadError:
        if known == query:
            raise
        moves = _spell_first_arrangement(language, query)  # the labels lack what it asks for
    spelled = join_same_nodes(follow_moves(language, moves).query)  # its directions are now certain
    return _spell_first_arrangement(language, spelled)


def _spell_first_arrangement(language: CypherLanguage, query: QueryGraph) -> tuple[str, ...]:
    """The moves of the first arrangement that the language can say."""
    problem = CypherReadError("which relationships must differ cannot be said of this pattern")
    for root in _find_roots(language, query):
        tree = make_tree(query, root)
        for arrangement in _iterate_arrangements(tree):
            try:
                moves = _write_arrangement(language, tree, arrangement)
                follow_moves(language, moves)
            except CypherReadError as error:
                problem = error
            else:
                return moves
    raise problem


def _find_roots(language: CypherLanguage, query: QueryGraph) -> list[int]:
    """The nodes that the sentence of a query can begin with, the canonical one first.

    One of clauses begins with the node whose first matches are taken, if there is one, and else
    with that of the first item; where that cannot be said, with another one.
    """
    if language.options.rendering == "brief":
        return [find_root(query)]
    if rank := query.find_rank():
        return [query.scopes[rank - 1].node]
    others = [index for index, node in enumerate(query.nodes) if not node.scope]
    return list(dict.fromkeys((find_root(query), *others)))


def _write_arrangement(
    language: CypherLanguage, tree: QueryGraph, arrangement: _Arrangement
) -> tuple[str, ...]:
    """The moves of a tree in one arrangement."""
    said = _number_as_said(tree, arrangement)
    if language.options.rendering == "cypher":
        return write_clause_moves(language, said)
    return write_moves(language, said, arrangement.words_before)


def follow_moves(language: CypherLanguage, moves: Sequence[str]) -> CypherState:
    """The state behind some moves; raises CypherReadError where these are no whole sentence."""
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


def _number_as_said(query: QueryGraph, arrangement: _Arrangement) -> QueryGraph:
    """The same query, with its edges and nodes in the order of an arrangement."""
    clauses = _number_clauses(query.edges, arrangement)
    edges = [replace(edge, clause=clauses.get(index, 0)) for index, edge in enumerate(query.edges)]
    nodes = [0, *(query.edges[index].target for index in arrangement.edges)]
    return reorder_query(replace(query, edges=tuple(edges)), nodes, arrangement.edges)


def _iterate_arrangements(tree: QueryGraph) -> Iterator[_Arrangement]:
    """All right arrangements: first those with the plainest words, then by branch order."""
    apart = _pair_distinct_edges(tree.edges, {i: edge.clause for i, edge in enumerate(tree.edges)})
    orders = [tuple(_walk_branches(tree, 0, order)) for order in _iterate_branch_orders(tree)]
    for odd in range(max(1, len(tree.edges))):
        for order in orders:
            for marks in _iterate_words_before(tree.edges, order, odd):
                arrangement = _Arrangement(order, marks)
                clauses = _number_clauses(tree.edges, arrangement)
                if _pair_distinct_edges(tree.edges, clauses) == apart:
                    yield arrangement


Children = Mapping[int, Sequence[int]]


def _iterate_branch_orders(query: QueryGraph) -> Iterator[Children]:
    """The branches of each node in all orders, sorted ones first."""
    children: dict[int, list[int]] = {}
    for index, edge in enumerate(query.edges):
        children.setdefault(edge.source, []).append(index)
    for of in children.values():
        of.sort(key=lambda index: _make_branch_key(query, index))
    for chosen in product(*(permutations(of) for of in children.values())):
        yield dict(zip(children, chosen, strict=True))


def _make_branch_key(query: QueryGraph, index: int) -> tuple[object, ...]:
    """The key by which branches are sorted: scope, relationship, node, and what comes behind it."""
    edge = query.edges[index]
    node = query.nodes[edge.target]
    filters = sorted(map(_make_filter_key, node.filters))
    values = sorted(value for each in node.filters for value in each.values)
    behind = sorted(
        _make_branch_key(query, i) for i, e in enumerate(query.edges) if e.source == edge.target
    )
    begun = edge.scope if edge.scope != query.nodes[edge.source].scope else 0
    scope = (_SCOPES.index(query.scopes[begun - 1].kind) + 1) if begun else 0
    is_rank = bool(begun) and query.scopes[begun - 1].kind == "first"
    return (
        not edge.type,
        not is_rank,
        scope,
        edge.type,
        _TURNS.index(edge.direction),
        node.same is not None,
        node.label,
        filters,
        behind,
        values,
    )


def _make_filter_key(each: QueryFilter) -> tuple[str, ...]:
    return each.property, each.operator, each.part, str(each.is_negated)


def _walk_branches(query: QueryGraph, node: int, order: Children) -> Iterator[int]:
    for index in order.get(node, ()):
        yield index
        yield from _walk_branches(query, query.edges[index].target, order)


def _iterate_words_before(
    edges: Sequence[QueryEdge], order: Sequence[int], exceptions: int
) -> Iterator[tuple[WordBefore, ...]]:
    """The words before each edge; so many of them as `exceptions` differ from the plain ones."""
    last, usual, free = -1, [], []
    begun = {0}
    for at, index in enumerate(order):
        edge = edges[index]
        if not edge.type:
            usual.append(BESIDES)
        else:
            usual.append(
                "" if edge.source in (last, 0) and (not at or edge.source == last) else AND
            )
            if at and edge.scope in begun:
                free.append(at)
        begun.add(edge.scope)
        last = edge.target
    for chosen in combinations(free, exceptions):
        marks = list(usual)
        for at in chosen:
            marks[at] = ANOTHER if usual[at] else AND
        yield tuple(marks)


def _number_clauses(edges: Sequence[QueryEdge], arrangement: _Arrangement) -> dict[int, int]:
    """The clause of each edge in its scope; a separate part begins a clause of its own."""
    clauses: dict[int, int] = {}
    last: dict[int, int] = {}
    for index, mark in zip(arrangement.edges, arrangement.words_before, strict=True):
        scope = edges[index].scope
        begins = scope not in last and scope > 0
        last[scope] = 0 if begins else last.get(scope, 0) + (mark in (AND, BESIDES))
        clauses[index] = last[scope]
    return clauses


def _pair_distinct_edges(
    edges: Sequence[QueryEdge], clauses: Mapping[int, int]
) -> frozenset[frozenset[int]]:
    """The pairs of edges of one type that a clause makes different relationships."""
    return frozenset(
        frozenset((one, other))
        for one, other in combinations(range(len(edges)), 2)
        if (edges[one].scope, clauses[one]) == (edges[other].scope, clauses[other])
        and edges[one].type == edges[other].type != ""
    )
