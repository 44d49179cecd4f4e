"""Queries about given nodes: where a name is compared, the node that has it is the given one.

The language of queries says nodes by their names, which several may have. Where the asker says
which one is meant, each comparison with its name holds for that node alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trellis.domain.cypher import GATE_LIMITS, CypherQuery, QueryLimits, Rows, Verdict
from trellis.domain.graph import Node
from trellis.domain.ports import Queries
from trellis.domain.reply import Reply

_COMPARISON = re.compile(r"\b(x\d+)\.`(?:[^`]|``)+` = \$(v\d+)\b")
"""`x0.`name` = $v0`, as queries of the language are rendered."""


@dataclass(frozen=True, slots=True)
class BoundQueries:
    """The `Queries` port over another, for questions about given nodes."""

    queries: Queries
    nodes: Sequence[Node]

    async def explain(self, query: CypherQuery) -> Verdict:
        return await self.queries.explain(self.bind(query))

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        return await self.queries.run(self.bind(query), limits)

    def bind(self, query: CypherQuery) -> CypherQuery:
        """The query about the given nodes, where it compares with their names."""
        ids = dict(self._list_ids(query))

        def add_condition(match: re.Match[str]) -> str:
            name = match[2]
            if name not in ids:
                return match[0]
            return f"({match[0]} AND elementId({match[1]}) IN ${name}_ids)"

        text = _COMPARISON.sub(add_condition, query.text)
        params = {**query.params, **{f"{name}_ids": each for name, each in ids.items()}}
        return CypherQuery(text, params) if text != query.text else query

    def show_query(self, reply: Reply) -> Reply:
        """The reply with the query that was run."""
        if reply.cypher is None:
            return reply
        bound = self.bind(CypherQuery(reply.cypher, reply.params))
        return replace(reply, cypher=bound.text, params=bound.params)

    def _list_ids(self, query: CypherQuery) -> Iterator[tuple[str, list[str]]]:
        for name, value in query.params.items():
            if ids := [node.id for node in self.nodes if node.name == value]:
                yield name, ids
