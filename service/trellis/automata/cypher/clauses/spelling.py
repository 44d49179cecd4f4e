"""Finds the moves of the one sentence that says a query graph, among its arrangements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from trellis.automata.cypher.clauses.rendering import SentenceRenderer
from trellis.automata.cypher.grammar.ways import (
    PatternContinuations,
    find_first_end,
    find_fitting_way,
)
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.sentences.normal_rows import normalise_rows
from trellis.automata.cypher.sentences.renumbering import reorder_query
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.automata.language import Moves
from trellis.domain.errors import CypherReadError


class SpokenLanguage(Protocol):
    """What is needed of a language to say a text in it."""

    @property
    def lexicon(self) -> Lexicon: ...

    @property
    def known(self) -> IndexedSchema: ...

    def start(self) -> CypherState: ...

    def moves(self, state: CypherState) -> Moves: ...

    def follow(self, state: CypherState, move: int) -> CypherState | None: ...

    def accepting(self, state: CypherState) -> bool: ...


def write_clause_moves(language: SpokenLanguage, query: QueryGraph) -> tuple[str, ...]:
    """The moves of a query whose nodes and relationships stand in some order of the pattern.

    Raises CypherReadError where the language has no moves for a part of it.
    """
    ordered = _settle_pattern(language.known.ways, _order_clauses(normalise_rows(query)))
    text = SentenceRenderer(language.lexicon, ordered).render_sentence()
    return split_moves(language, text)


def split_moves(language: SpokenLanguage, text: str) -> tuple[str, ...]:
    """The moves that make up the text of a sentence; CypherReadError where there are none."""
    farthest = 0
    pending: list[tuple[CypherState, int, tuple[str, ...]]] = [(language.start(), 0, ())]
    while pending:
        state, at, moves = pending.pop()
        farthest = max(farthest, at)
        if at == len(text):
            if language.accepting(state):
                return moves
            continue
        texts = language.moves(state).texts
        begun = [index for index, move in enumerate(texts) if text.startswith(move, at)]
        for index in sorted(begun, key=lambda index: len(texts[index])):
            following = language.follow(state, index)
            if following is not None:
                pending.append((following, at + len(texts[index]), (*moves, texts[index])))
    said, left = text[:farthest], text[farthest:]
    raise CypherReadError(f"behind {said!r} the language has no {left!r}")


def _order_clauses(query: QueryGraph) -> QueryGraph:
    """The query with its relationships in the order of the clauses that have them."""
    order: Sequence[int] = sorted(
        range(len(query.edges)), key=lambda index: _find_clause(query, query.edges[index].scope)
    )
    nodes = [0, *(query.edges[index].target for index in order)]
    return reorder_query(query, nodes, order)


def _settle_pattern(ways: PatternContinuations, query: QueryGraph) -> QueryGraph:
    """The query with the labels and directions that the schema leaves no choice about."""
    nodes, edges = list(query.nodes), list(query.edges)
    ends = {0: find_first_end(ways.find_starts(), nodes[0].label)}
    for index, edge in enumerate(edges):
        target = nodes[edge.target]
        label = target.label if target.same is None else nodes[target.same].label
        if not edge.type:
            ends[edge.target] = find_first_end(ways.find_starts(), label)
        else:
            found = find_fitting_way(ways, ends[edge.source].place, edge, label, target.same)
            if found is None:
                raise CypherReadError(
                    f"no {edge.type!r} ({edge.direction}) leads from "
                    f"{nodes[edge.source].label or 'any node'!r} to {label or 'any node'!r}"
                )
            way, ends[edge.target] = found
            edges[index] = replace(edge, direction=way.direction)
            if target.same is not None and target.same in ends:
                ends[edge.target] = ends[target.same]
        if target.same is None:
            nodes[edge.target] = replace(target, label=ends[edge.target].label)
    nodes[0] = replace(nodes[0], label=ends[0].label)
    return replace(query, nodes=tuple(nodes), edges=tuple(edges))


def _find_clause(query: QueryGraph, scope: int) -> int:
    """The place of a scope: first nodes, the pattern, conditions, optional parts."""
    if not scope:
        return 1
    kind = query.scopes[scope - 1].kind
    return {"first": 0, "optional": 3}.get(kind, 2)
