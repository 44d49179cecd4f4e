"""Queries about given nodes: where a name is compared, the node that has it is the given one.

The language of queries says nodes by their names, which several may have. Where the asker says
which one is meant, each comparison with its name holds for that node alone. Where a name stands for
several nodes that the question describes, the comparison holds for each of these (`n IN $d0`, as
GraphRAFT joins what texts say with structure).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from trellis.domain.graphs.graph import Node
from trellis.domain.ports import Queries
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.cypher import GATE_LIMITS, CypherQuery, QueryLimits, Rows, Verdict

_COMPARISON = re.compile(r"\b(x\d+)\.`(?:[^`]|``)+` = \$(v\d+)\b")
"""`x0.`name` = $v0`, as queries of the language are rendered."""


@dataclass(frozen=True, slots=True)
class BoundQueries:
    """The `Queries` port over another, for questions about given nodes. `described`: the nodes that
    a name stands for."""

    queries: Queries
    nodes: Sequence[Node] = ()
    described: Mapping[str, Sequence[Node]] = field(default_factory=dict)

    async def explain(self, query: CypherQuery) -> Verdict:
        return await self.queries.explain(self.bind(query))

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        return await self.queries.run(self.bind(query), limits)

    def bind(self, query: CypherQuery) -> CypherQuery:
        """The query about the given nodes, where it compares with their names."""
        ids = dict(self._list_ids(query))
        sets = dict(self._list_described(query))

        def add_condition(match: re.Match[str]) -> str:
            node, name = match.groups()
            if name in sets:
                return f"elementId({node}) IN ${_name_set(name)}"
            return f"({match[0]} AND elementId({node}) IN ${name}_ids)" if name in ids else match[0]

        text = _COMPARISON.sub(add_condition, query.text)
        if text == query.text:
            return query
        said = {name: value for name, value in query.params.items() if _says(text, name)}
        return CypherQuery(
            text,
            {
                **said,
                **{f"{name}_ids": each for name, each in ids.items()},
                **{_name_set(name): each for name, each in sets.items()},
            },
        )

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

    def _list_described(self, query: CypherQuery) -> Iterator[tuple[str, list[str]]]:
        for name, value in query.params.items():
            if nodes := self.described.get(value) if isinstance(value, str) else None:
                yield name, [node.id for node in nodes]


def _name_set(name: str) -> str:
    """The parameter that holds the nodes for which a name stands: `d0` for `v0`."""
    return f"d{name.removeprefix('v')}"


def _says(text: str, name: str) -> bool:
    return re.search(rf"\${name}\b", text) is not None
