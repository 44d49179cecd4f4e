"""ExecutedCandidate explanations: what one gives in the database is what it counts for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.items import RETURN_FORMS, ReturnItem
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.meaning.rendering import render_query
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.sentences.canonical import follow_moves, spell_query
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.errors import CypherReadError, GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import CypherQuery, QueryLimits, Rows
from trellis.linking.text import name_key
from trellis.steps.ground.queries.answer_cells import list_answers
from trellis.steps.link.values.value_mentions import name_mentioned_values
from trellis.training.supervision.queries.mixture import RankedCandidate
from trellis.training.supervision.queries.pattern_trees import Candidate, TreeReturn, make_query
from trellis.training.supervision.queries.returns import find_first

_TRIES = 5  # explanations of a question that are run, at most
_MOST = QueryLimits(rows=2_000, seconds=20.0)
_NEARLY = 0.02  # how much less than was made out an explanation may give
_PARAMETER = re.compile(r"\$(v\d+)\b")


@dataclass(frozen=True, slots=True)
class ExecutedCandidate:
    """An explanation that was run: its query, with its values in it, and what it gave."""

    candidate: Candidate
    cypher: str
    hits: float
    precision: float

    @property
    def fit(self) -> float:
        return 2 * self.hits * self.precision / max(self.hits + self.precision, 1e-9)


class CandidateRunner:
    """Runs explanations through the gate, the likeliest first, until one gives what it should.

    `apart`: as SearchRules have it.
    """

    def __init__(
        self, queries: Queries, known: IndexedSchema, rendering: RenderingOptions, *, apart: bool
    ) -> None:
        self._queries = queries
        self._known = known
        self._rendering = rendering
        self._apart = apart

    async def find_best(
        self,
        ranked_candidates: Sequence[RankedCandidate],
        mentions: Sequence[Mention],
        answers: Sequence[str],
    ) -> ExecutedCandidate | None:
        """The first that gives as much as was made out, else the one that gives most."""
        language = CypherLanguage(self._known, name_mentioned_values(mentions), self._rendering)
        runs: list[ExecutedCandidate] = []
        for ranked in ranked_candidates[:_TRIES]:
            run = await self._run_query(language, ranked.candidate, answers)
            if run and run.fit >= ranked.candidate.fit - _NEARLY:
                return run
            runs += [run] if run else []
        return max((run for run in runs if run.hits), key=lambda run: run.fit, default=None)

    async def _run_query(
        self, language: CypherLanguage, candidate: Candidate, answers: Sequence[str]
    ) -> ExecutedCandidate | None:
        try:
            query = make_query(candidate.tree, candidate.head, apart=self._apart)
            state = follow_moves(language, spell_query(language, query))
            values = [value.stored for value in language.linked_values]
            asked = render_query(_drop_order(state.query), values)
            readings = zip(render_query(state.query, values), asked, strict=True)
            runs = [
                await self._measure_reading(query, whole, candidate, answers)
                for query, whole in readings
            ]
        except (CypherReadError, RefusedQueryError, QueryError, GraphTimeoutError):
            return None
        return max(runs, key=lambda run: run.fit)

    async def _measure_reading(
        self, query: CypherQuery, whole: CypherQuery, candidate: Candidate, answers: Sequence[str]
    ) -> ExecutedCandidate:
        """What a reading gives. Of what is taken the first of, any that may come first is right."""
        rows = await self._queries.run(whole, _MOST)
        told = _take_first(rows, candidate.head) if candidate.head.order else rows
        given = {name_key(node.name) for node in list_answers(told, self._known.schema, None)}
        gold = {name_key(answer) for answer in answers}
        both = len(given & gold)
        if not gold:
            return ExecutedCandidate(candidate, inline_values(query), 1.0, 1.0)
        precision = both / max(1, len(given)) if not candidate.head.order else float(both > 0)
        return ExecutedCandidate(candidate, inline_values(query), both / len(gold), precision)


def _drop_order(query: QueryGraph) -> QueryGraph:
    """A query without its order: the nodes that the first is taken of, else the query itself."""
    if not query.orders:
        return query
    item = ReturnItem(RETURN_FORMS[0], query.items[0].node, "")
    return replace(query, items=(item,), orders=(), limit=None)


def _take_first(rows: Rows, head: TreeReturn) -> Rows:
    """Of nodes those that may come first in an order, or what these have of a property."""
    nodes = [row[0] for row in rows.rows]
    first = find_first(
        [(node, node.properties or {}) for node in nodes], head.order, head.descending
    )
    cells = [properties.get(head.key) if head.key else node for node, properties in first]
    return Rows(rows.columns, [(cell,) for cell in cells])


def inline_values(query: CypherQuery) -> str:
    """A query with its parameters as literals."""
    return _PARAMETER.sub(lambda match: _write_literal(query.params[match[1]]), query.text)


def _write_literal(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
