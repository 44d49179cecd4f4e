"""A gold query in anybody's style, as a query graph over what a language can say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from trellis.automata.cypher.canonical import spell_query
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meanings import CollectedMeanings, LinkedMeanings, Meanings
from trellis.automata.cypher.pattern_reading import PatternReader
from trellis.automata.cypher.query import QueryGraph
from trellis.automata.cypher.row_reading import RowReader
from trellis.automata.cypher.syntax import parse_query
from trellis.domain.graph import Scalar
from trellis.domain.links import StoredValue
from trellis.domain.schema import Schema

_ROW_NUMBER = re.compile(r"\b(LIMIT|SKIP)\s+\$(\w+)", re.IGNORECASE)
"""A number of rows that is given as a parameter."""


def find_canonical_moves(
    language: CypherLanguage, cypher: str, params: Mapping[str, Scalar] | None = None
) -> tuple[str, ...]:
    """The moves of the one sentence that means what a query means.

    Raises CypherReadError where it is not of the subset, a literal is no linked value, or
    something in it is not in the schema.
    """
    return spell_query(language, read_query(language, cypher, params))


def find_named_moves(language: CypherLanguage, cypher: str) -> tuple[str, ...]:
    """The moves of a query whose parameters are the names that values are said by (`$v0`).

    Raises CypherReadError as `find_canonical_moves` does.
    """
    names = {value.name: value.name for value in language.linked_values}
    cypher = _ROW_NUMBER.sub(partial(_inline_number, language), cypher)
    meanings = LinkedMeanings(language, by_name=True)
    return spell_query(language, _build_graph(cypher, names, meanings))


def _inline_number(language: CypherLanguage, match: re.Match[str]) -> str:
    """A number of rows that is given as a parameter, as the number."""
    for value in language.linked_values:
        if value.name == match[2] and value.is_literal:
            return f"{match[1]} {value.stored.value}"
    return match[0]


def read_query(
    language: CypherLanguage, cypher: str, params: Mapping[str, Scalar] | None = None
) -> QueryGraph:
    """A query as a graph, its literals as the language's linked values."""
    return _build_graph(cypher, params or {}, LinkedMeanings(language))


def find_linked_literals(
    schema: Schema, cypher: str, params: Mapping[str, Scalar] | None = None
) -> tuple[StoredValue, ...]:
    """The literals of a query as the values that a perfect linker gives, in their order.

    A literal that is compared with no whole value of a property has neither label nor property.
    """
    collected = CollectedMeanings(schema)
    _build_graph(cypher, params or {}, collected)
    return tuple(collected.values)


def _build_graph(cypher: str, params: Mapping[str, Scalar], meanings: Meanings) -> QueryGraph:
    """Nodes in the order of their coming; edges as they are written, not yet a tree."""
    rows = RowReader(PatternReader(meanings))
    for clause in parse_query(cypher, params).clauses:
        rows.read_clause(clause)
    return rows.build_query()
