"""Step companions: which steps nodes have that have a certain one.

Where nodes have no labels, this tells their kinds: what players are of is a club, and clubs have no
shirt number. Neumann and Moerkotte (Characteristic sets, ICDE 2011) describe graphs so.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.domain.identifiers import quote_name
from trellis.domain.ports import Graph, Queries
from trellis.domain.structures.cypher import CypherQuery, QueryLimits

_MOST_NODES = 30  # nodes that are looked at for a step
_EDGES, _PATHS = 20_000, 2_000


@dataclass
class StepCompanions:
    """What some nodes that have a step have beside it; kept until the schema changes."""

    graph: Graph
    queries: Queries
    _schema: Schema | None = None
    _known: dict[Step, frozenset[Step]] = field(default_factory=dict)

    async def load(self, steps: Collection[Step]) -> None:
        """Look at nodes that have each of these steps."""
        schema = await self.graph.schema()
        if schema != self._schema:
            self._schema, self._known = schema, {}
        for step in steps:
            if step not in self._known:
                self._known[step] = await self._find_companions(step)

    def may_have(self, own: Collection[Step], step: Step) -> bool:
        """Whether nodes with the steps `own`, all loaded, may have one more; without any, any."""
        known = [self._known[each] for each in own if each in self._known]
        return not known or any(step in companions for companions in known)

    def freeze(self) -> StepCompanions:
        """The same, whatever becomes of the schema: for a claim that is read in another thread."""
        return replace(self)

    async def _find_companions(self, step: Step) -> frozenset[Step]:
        kind = f"[:{quote_name(step.relation)}]"
        arrow = f"<-{kind}-" if step.reversed else f"-{kind}->"
        text = f"MATCH (n){arrow}() RETURN DISTINCT elementId(n) AS id LIMIT $most"
        query = CypherQuery(text, {"most": _MOST_NODES})
        found = await self.queries.run(query, QueryLimits(rows=_MOST_NODES))
        ids = [str(row[0]) for row in found.rows]
        if not ids:
            return frozenset({step})
        around = await self.graph.reachable(ids, 1, edge_budget=_EDGES, path_budget=_PATHS)
        return frozenset(path.steps[0] for path in around.paths)
