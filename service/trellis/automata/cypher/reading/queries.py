"""Reads a Cypher query in any style as a query graph, and as the moves that say it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.reading.matches import MatchReader
from trellis.automata.cypher.reading.meanings import CollectedMeanings, LinkedMeanings, Meanings
from trellis.automata.cypher.reading.projections import ClauseReader
from trellis.automata.cypher.reading.query_parser import parse_query
from trellis.automata.cypher.sentences.canonical import spell_query
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import Schema

_ROW_NUMBER = re.compile(r"\b(LIMIT|SKIP)\s+\$(\w+)", re.IGNORECASE)
"""A number of rows that is given as a parameter."""


def find_canonical_moves(
    language: CypherLanguage, cypher: str, params: Mapping[str, Scalar] | None = None
) -> tuple[str, ...]:
    """The moves of the one sentence that means what a query means.

    Raises CypherReadError where the query is not of the subset, a literal in it is no linked
    value, or the schema lacks something that it names.
    """
    return spell_query(language, read_query(language, cypher, params))


def find_named_moves(language: CypherLanguage, cypher: str) -> tuple[str, ...]:
    """The moves of a query whose parameters are the names that values are said by (`$v0`).

    Raises CypherReadError as `find_canonical_moves` does.
    """
    names = {value.name: value.name for value in language.linked_values}
    cypher = _ROW_NUMBER.sub(partial(_inline_number, language), cypher)
    meanings = LinkedMeanings(language, by_name=True)
    return spell_query(language, build_graph(cypher, names, meanings))


def _inline_number(language: CypherLanguage, match: re.Match[str]) -> str:
    """A number of rows that is given as a parameter, as the number."""
    for value in language.linked_values:
        if value.name == match[2] and value.is_literal:
            return f"{match[1]} {value.stored.value}"
    return match[0]


def read_query(
    language: CypherLanguage, cypher: str, params: Mapping[str, Scalar] | None = None
) -> QueryGraph:
    """The graph of a query, whose literals are linked values of the language.

    Raises CypherReadError where the query is not of the subset, or a literal is no linked value.
    """
    return build_graph(cypher, params or {}, LinkedMeanings(language))


def find_linked_literals(
    schema: Schema, cypher: str, params: Mapping[str, Scalar] | None = None
) -> tuple[StoredValue, ...]:
    """The literals of a query, in their order, as the values that a perfect linker gives.

    A literal that is not compared with the whole value of a property has no label and no property.
    """
    collected = CollectedMeanings(schema)
    build_graph(cypher, params or {}, collected)
    return tuple(collected.values)


def build_graph(cypher: str, params: Mapping[str, Scalar], meanings: Meanings) -> QueryGraph:
    """The graph of a query, whose literals mean what `meanings` finds for them.

    Nodes and edges stand in the order of the text, and are no tree yet. Raises CypherReadError as
    `read_query` does.
    """
    reader = ClauseReader(MatchReader(meanings))
    for clause in parse_query(cypher, params).clauses:
        reader.read_clause(clause)
    return reader.build_query()
