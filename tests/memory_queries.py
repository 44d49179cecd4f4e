"""The `Queries` port over a few triples: the gate's rules on texts, and two shapes of queries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from trellis.domain.errors import QueryError, QuerySyntaxError, RefusedQueryError
from trellis.domain.structures.cypher import (
    GATE_LIMITS,
    Cell,
    CypherQuery,
    Plan,
    QueryLimits,
    Rows,
    Verdict,
)
from trellis.graph.gate.parameters import check_encodable, check_parameters
from trellis.graph.gate.rules import check_rules
from trellis.graph.gate.tokens import tokenize

_STEP = re.compile(
    r"MATCH \(\w+(?::\w+)? \{name: \$(?P<given>\w+)\}\)-\[:(?P<relation>\w+)\]->\((?P<node>\w+)\) "
    r"RETURN (?P=node)\.name AS (?P<column>\w+)"
)
_COUNTED = "MATCH (n)-[r]->() RETURN type(r) AS relation, count(*) AS many"


class MemoryQueries:
    """Follows one relationship from a named node, or counts relationships by type."""

    def __init__(self, triples: Collection[tuple[str, str, str]]) -> None:
        self._triples = triples

    def judge_text(self, query: CypherQuery) -> Verdict | None:
        try:
            check_parameters(query.params)
            read = tokenize(check_encodable(query.text))
            check_rules(read, query.params)
        except RefusedQueryError as refused:
            return Verdict(False, refused.problem, refused.remedy)
        return None

    async def explain(self, query: CypherQuery) -> Verdict:
        if refused := self.judge_text(query):
            return refused
        columns = self._columns(query.text)
        return Verdict(True, plan=Plan("r", ("ProduceResults",), columns, len(self._triples)))

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        verdict = await self.explain(query)
        if verdict.plan is None:
            raise RefusedQueryError(verdict.reason, verdict.remedy)
        rows = self._rows(query)
        limit = limits.rows or len(rows)
        cut = f"{limit} rows" if len(rows) > limit else ""
        return Rows(verdict.plan.columns, rows[:limit], cut)

    def _columns(self, text: str) -> tuple[str, ...]:
        if text == _COUNTED:
            return "relation", "many"
        if match := _STEP.fullmatch(text):
            return (match["column"],)
        raise QuerySyntaxError("the query does not parse", "this graph knows two shapes only")

    def _rows(self, query: CypherQuery) -> list[tuple[Cell, ...]]:
        match = _STEP.fullmatch(query.text)
        if match is None:
            return list(Counter(relation for _, relation, _ in self._triples).items())
        if match["given"] not in query.params:
            raise QueryError(f"the parameter {match['given']} is missing", "send it")
        wanted = query.params[match["given"]], match["relation"]
        return [(tail,) for head, relation, tail in self._triples if (head, relation) == wanted]
