"""Writes a query graph, in the order that it has, as the moves that say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import QueryEdge, QueryGraph
from trellis.automata.cypher.sentences.normal_rows import normalise_rows
from trellis.automata.cypher.sentences.pattern_writing import PatternWriter
from trellis.automata.cypher.sentences.row_writing import RowWriter
from trellis.automata.cypher.words.wording import BESIDES, FIND

WordBefore = str
"""The word before a relationship; empty where it goes on from the node before it."""


def write_moves(
    language: CypherLanguage, query: QueryGraph, words_before: Sequence[WordBefore]
) -> tuple[str, ...]:
    """The moves of a query whose nodes and relationships stand in the order of the sentence.

    Raises CypherReadError where the language has no moves for a part of it.
    """
    return tuple(_QueryWriter(language, query).write_query(words_before))


class _QueryWriter:
    """Writes the pattern of a query, what is returned of it, and where the two meet."""

    def __init__(self, language: CypherLanguage, query: QueryGraph) -> None:
        self._query = normalise_rows(query)
        self._pattern = PatternWriter(language, self._query)
        self._rows = RowWriter(language, self._query, self._pattern.words)

    def write_query(self, words_before: Sequence[WordBefore]) -> Iterator[str]:
        yield from self._write_beginning()
        yield from self._write_filters(0)
        for edge, word in zip(self._query.edges, words_before, strict=True):
            yield from self._write_word_before(edge, word)
            if edge.type:
                yield from self._pattern.write_edge(edge)
            else:
                yield self._pattern.write_start(edge.target)
            yield from self._write_filters(edge.target)
            if self._closes_rank(edge):
                yield from self._rows.write_rank(self._query.scopes[edge.scope - 1])
        yield from self._rows.write_rows()

    def _write_beginning(self) -> Iterator[str]:
        """The first node, with the first item and its order where the sentence begins with them."""
        begins_with_item = self._rows.begins_with_item
        yield f" {self._query.items[0].form.word if begins_with_item else FIND}"
        yield self._pattern.write_start(0)
        if begins_with_item:
            yield from self._rows.write_first_key()

    def _write_word_before(self, edge: QueryEdge, word: WordBefore) -> Iterator[str]:
        """The word before a relationship, and the node that it goes on from."""
        if word:
            yield f" {word}"
            if word != BESIDES:
                yield f" {self._pattern.words[edge.source]}"

    def _write_filters(self, node: int) -> Iterator[str]:
        """The filters of a node, and the order of it where its first ones are taken of all."""
        yield from self._pattern.write_filters(node)
        rank = self._query.find_rank()
        has_pattern = any(edge.scope == rank for edge in self._query.edges)
        if rank and not has_pattern and self._query.scopes[rank - 1].node == node:
            yield from self._rows.write_rank(self._query.scopes[rank - 1])

    def _closes_rank(self, edge: QueryEdge) -> bool:
        """Whether a relationship is the last one of a scope of which first nodes are taken."""
        rank = self._query.find_rank()
        edges = [each for each in self._query.edges if each.scope == rank]
        return bool(rank) and edge.scope == rank and edge is edges[-1]
