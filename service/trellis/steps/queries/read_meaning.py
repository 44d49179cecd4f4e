"""Read meaning: what a query that was run asks for, read from its own text and parameters."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.automata.cypher.items import WHETHER
from trellis.automata.cypher.lexicon import IndexedSchema
from trellis.automata.cypher.query import QueryGraph
from trellis.automata.cypher.reading.expressions import Literal
from trellis.automata.cypher.reading.meanings import ComparedProperty
from trellis.automata.cypher.reading.queries import build_graph
from trellis.domain.cypher import CypherQuery
from trellis.domain.errors import CypherReadError
from trellis.domain.links import StoredValue
from trellis.steps.queries.describe_query import describe_query


@dataclass(frozen=True, slots=True)
class QueryMeaning:
    """A query as a graph, and the values that the graph has indices of."""

    graph: QueryGraph
    values: tuple[StoredValue, ...]

    @property
    def asks_whether(self) -> bool:
        """Whether the answer is yes or no."""
        return [item.form for item in self.graph.items] == [WHETHER]


def read_meaning(query: CypherQuery) -> QueryMeaning | None:
    """What a query means; None where it is not of the subset that the language says."""
    literals = _WrittenLiterals()
    try:
        graph = build_graph(query.text, query.params, literals)
    except CypherReadError:
        return None
    return QueryMeaning(graph, tuple(literals.values))


def describe_meaning(meaning: QueryMeaning | None, known: IndexedSchema) -> str:
    """What a query asks for, in plain English; empty where that cannot be said."""
    if meaning is None:
        return ""
    try:
        return describe_query(meaning.graph, meaning.values, known)
    except CypherReadError:
        return ""


class _WrittenLiterals:
    """The literals of a query as values, each as it is written."""

    def __init__(self) -> None:
        self.values: dict[StoredValue, int] = {}

    def find_values(self, compared: ComparedProperty, literal: Literal) -> tuple[int, ...]:  # noqa: ARG002
        return self.find_number(literal)

    def find_number(self, literal: Literal) -> tuple[int, ...]:
        is_text = isinstance(literal.value, str) and not literal.function
        type_name = "STRING" if is_text else literal.function.upper()
        stored = StoredValue("", "", literal.value, type_name)
        return (self.values.setdefault(stored, len(self.values)),)
