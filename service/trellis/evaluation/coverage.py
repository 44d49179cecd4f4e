"""Which gold queries the Cypher language of a graph can say.

A gold query is sayable if the language has a sentence for it, and the query that the sentence means
returns the rows of the gold query.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import Rendering, RenderingOptions
from trellis.automata.cypher.reading.expressions import Projection, QuerySyntax
from trellis.automata.cypher.reading.queries import find_canonical_moves, find_linked_literals
from trellis.automata.cypher.reading.query_parser import parse_query
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.errors import (
    CypherReadError,
    GraphTimeoutError,
    QueryError,
    RefusedQueryError,
    TrellisError,
)
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import CypherQuery, QueryLimits, Rows
from trellis.evaluation.gold_rows import has_gold_rows
from trellis.questions.row import QuestionRow

COMPARED_ROWS = 100_000
"""The most rows by which two queries are compared."""

_LIMITS = QueryLimits(rows=COMPARED_ROWS, seconds=30.0)
_PLACE = re.compile(
    r" at offset \d+| \(line \d+, column \d+\)| \([\d,]+, the gold [\d,]+\)", re.ASCII
)
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`")
_WORDS = """
ALL AND ANY AS ASC BY CALL CASE CONTAINS COUNT DESC DISTINCT ELSE END ENDS EXISTS FALSE IN IS LIMIT
MATCH NONE NOT NULL OFFSET OPTIONAL OR ORDER RETURN SINGLE SKIP STARTS THEN TRUE UNION UNWIND WHEN
WHERE WITH XOR
"""
_KEYWORDS = frozenset(_WORDS.split())


@dataclass(frozen=True, slots=True)
class QueryCoverage:
    """Whether the language can say a gold query. `why` not, in one sentence; empty if it can."""

    gold: QuestionRow
    why: str = ""

    @property
    def is_sayable(self) -> bool:
        return not self.why


def choose_widest_options(syntax: QuerySyntax, rendering: Rendering = "brief") -> RenderingOptions:
    """The options under which a language says most; a question can name any number of rows."""
    widest = RenderingOptions(rendering=rendering)
    clauses = [clause for clause in syntax.clauses if isinstance(clause, Projection)]
    limits = {clause.limit for clause in clauses if clause.limit}
    return replace(widest, limits=tuple(sorted({*widest.limits, *limits})))


async def measure_coverage(
    rows: Sequence[QuestionRow], schema: Schema, queries: Queries, rendering: Rendering = "brief"
) -> AsyncIterator[QueryCoverage]:
    """The coverage of each row's gold query; raises GraphError where the graph goes away."""
    known = IndexedSchema(schema)
    for row in rows:
        yield QueryCoverage(row, await _find_obstacle(row, known, queries, rendering))


async def _find_obstacle(
    row: QuestionRow, known: IndexedSchema, queries: Queries, rendering: Rendering
) -> str:
    """Why a gold query is not sayable; empty if it is."""
    gold = CypherQuery(row.cypher, row.params)
    wanted = await _run_query(queries, gold)
    if isinstance(wanted, TrellisError):
        return f"the gold query does not run: {wanted.problem}"
    try:
        sentence = write_sentence_query(known, gold, rendering)
    except CypherReadError as error:
        return error.problem
    given = await _run_query(queries, sentence)
    if isinstance(given, TrellisError):
        return f"its sentence does not run: {given.problem}"
    if wanted.cut or given.cut:
        return f"there are more rows than can be compared ({wanted.cut or given.cut})"
    if await has_gold_rows(queries, gold, wanted, given, _LIMITS):
        return ""
    return f"its sentence returns other rows ({len(given.rows):,}, the gold {len(wanted.rows):,})"


def write_sentence_query(
    known: IndexedSchema, gold: CypherQuery, rendering: Rendering = "brief"
) -> CypherQuery:
    """The query that the sentence of a gold query means; CypherReadError where there is none."""
    # no linked value is a list or a map
    params = {name: it for name, it in gold.params.items() if not isinstance(it, list | dict)}
    values = number_values(find_linked_literals(known.schema, gold.text, params))
    options = choose_widest_options(parse_query(gold.text, params), rendering)
    language = CypherLanguage(known, values, options)
    moves = find_canonical_moves(language, gold.text, params)
    return language.values(follow_moves(language, moves))[0]


async def _run_query(queries: Queries, query: CypherQuery) -> Rows | TrellisError:
    """The rows of a query, or what is wrong with it."""
    try:
        return await queries.run(query, _LIMITS)
    except (RefusedQueryError, QueryError, GraphTimeoutError) as error:
        return error


def build_coverage_report(measured: Sequence[QueryCoverage]) -> dict[str, Any]:
    """The body of the report: the share that is sayable, and an entry for each gold query."""
    return {
        "n": len(measured),
        "sayable": sum(each.is_sayable for each in measured) / len(measured),
        "questions": [_describe_coverage(each) for each in measured],
    }


def _describe_coverage(measured: QueryCoverage) -> dict[str, Any]:
    body = {"id": measured.gold.id, "sayable": measured.is_sayable}
    return body if measured.is_sayable else body | {"why": measured.why}


def count_reasons(measured: Sequence[QueryCoverage]) -> list[tuple[str, int]]:
    """The reasons why gold queries are not sayable, and how many each has; the most frequent
    first. What names, values and places are in a reason makes no difference."""
    reasons = (_generalise_reason(each.why) for each in measured if not each.is_sayable)
    return Counter(reasons).most_common()


def _generalise_reason(why: str) -> str:
    """A reason without places, `…` for each quoted text but keywords and marks."""
    return _QUOTED.sub(lambda found: _generalise_quote(found[0]), _PLACE.sub("", why))


def _generalise_quote(quoted: str) -> str:
    word = quoted[1:-1].upper()
    is_known = word in _KEYWORDS or not any(map(str.isalnum, word))
    return f"{quoted[0]}{word}{quoted[0]}" if is_known else "…"


def count_features(measured: Sequence[QueryCoverage]) -> Mapping[str, tuple[int, int]]:
    """How many gold queries use each feature, and how many of these are sayable; the most frequent
    first."""
    uses = Counter(name for each in measured for name in each.gold.features)
    said = Counter(name for each in measured if each.is_sayable for name in each.gold.features)
    return {name: (count, said[name]) for name, count in uses.most_common()}
