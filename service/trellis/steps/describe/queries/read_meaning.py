"""Read meaning: what a query that was run asks for, read from its own text and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from trellis.automata.cypher.meaning.items import WHETHER
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.reading.expressions import Literal
from trellis.automata.cypher.reading.meanings import TEMPORAL_TYPES, ComparedProperty
from trellis.automata.cypher.reading.queries import build_graph
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import StoredValue
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.describe.queries.describe_query import describe_query


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
    """What a query means; None where it is not of the subset that the language says.

    Remembered: the steps of one question read each candidate query several times.
    """
    params = tuple((name, type(value), value) for name, value in query.params.items())
    try:
        hash(params)
    except TypeError:  # lists cannot be remembered by
        return _read_anew(query.text, query.params)
    return _read_remembered(query.text, params)


@lru_cache(maxsize=1_000)
def _read_remembered(
    text: str, params: tuple[tuple[str, type, Scalar], ...]
) -> QueryMeaning | None:
    """As `read_meaning`; types are told because 1, 1.0 and True are equal."""
    return _read_anew(text, {name: value for name, _, value in params})


def _read_anew(text: str, params: Mapping[str, Scalar]) -> QueryMeaning | None:
    literals = _WrittenLiterals()
    try:
        graph = build_graph(text, params, literals)
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
        type_name = "STRING" if is_text else TEMPORAL_TYPES.get(literal.function, "")
        stored = StoredValue("", "", literal.value, type_name)
        return (self.values.setdefault(stored, len(self.values)),)
