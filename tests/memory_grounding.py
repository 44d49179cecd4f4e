"""The `Queries` port for the queries that ground patterns: every mapping is tried."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory_graph import MemoryGraph
from memory_queries import MemoryQueries
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.structures.cypher import GATE_LIMITS, Cell, CypherQuery, QueryLimits, Rows
from trellis.graph.gate.parameters import check_parameters
from trellis.graph.gate.rules import check_rules
from trellis.graph.gate.tokens import tokenize

_STEP = re.compile(r"\((n\d+)\)(<?)-\[r\d+:`((?:[^`]|``)*)`\]-(>?)\((n\d+)\)")
_RETURN = re.compile(r"RETURN (n\d+) AS asked, head\(collect\(\[[r\d, ]+\]\)\) AS facts, count")
_FIXED = re.compile(r"elementId\((n\d+)\) IN \$n")
_LABELLED = re.compile(r"\b(n\d+):`((?:[^`]|``)*)`")
_FACTS = re.compile(
    r"MATCH \(s\)(<?)-\[r\]->?\(o\) WHERE elementId\(s\) IN \$nodes AND type\(r\) IN "
)
_HAVING = re.compile(r"MATCH \(n\)(<?)-\[:`?((?:[^`\]]|``)*)`?\]->?\(\) RETURN DISTINCT")
_HEADS = re.compile(
    r"MATCH \(head[^)]*\)-\[:`?((?:[^`\]]|``)*)`?\]->\([^)]*\) RETURN head LIMIT (\d+)"
)
_APART = re.compile(r"(n\d+) <> (n\d+)")

Bound = Mapping[str, Node]


@dataclass(frozen=True, slots=True)
class WrittenPattern:
    """The parts of a query's text: steps as (head, type, tail), and the conditions on nodes."""

    steps: Sequence[tuple[str, str, str]]
    asked: str
    fixed: Sequence[str]
    labels: Sequence[tuple[str, str]]
    apart: Sequence[tuple[str, str]]

    @classmethod
    def of(cls, text: str) -> WrittenPattern | None:
        returned = _RETURN.search(text)
        if returned is None:
            return None
        steps = [
            (b if back else a, kind.replace("``", "`"), a if back else b)
            for a, back, kind, _, b in _STEP.findall(text)
        ]
        where = _STEP.sub("", text)
        labels = [(node, label.replace("``", "`")) for node, label in _LABELLED.findall(where)]
        return cls(steps, returned[1], _FIXED.findall(text), labels, _APART.findall(text))


class GroundingQueries(MemoryQueries):
    """Runs what grounding writes, beside the shapes that MemoryQueries knows."""

    def __init__(self, graph: MemoryGraph) -> None:
        nodes = graph.nodes
        self._edges = [Triple(nodes[h], relation, nodes[t]) for h, relation, t in graph.triples]
        super().__init__([(it.head.name, it.relation, it.tail.name) for it in self._edges])
        self.asked: list[CypherQuery] = []

    def _read_facts(self, query: CypherQuery, *, is_reversed: bool) -> Rows:
        """What claims read: the relationships of some nodes and types, from one of their ends."""
        rows = []
        for edge in self._edges:
            start, end = (edge.tail, edge.head) if is_reversed else (edge.head, edge.tail)
            if start.id in query.params["nodes"] and edge.relation in query.params["types"]:
                rows.append((edge.relation, start.id, start.name, end.id, end.name))
        return Rows(("type", "from", "name", "to", "other"), rows)

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        if facts := _FACTS.match(query.text):
            return self._read_facts(query, is_reversed=bool(facts[1]))
        if having := _HAVING.match(query.text):
            ends = [e.tail if having[1] else e.head for e in self._edges if e.relation == having[2]]
            return Rows(("id",), [(id,) for id in dict.fromkeys(node.id for node in ends)])
        if heads := _HEADS.fullmatch(query.text):
            nodes = [edge.head for edge in self._edges if edge.relation == heads[1]]
            return Rows(("head",), [(node,) for node in nodes[: int(heads[2])]])
        pattern = WrittenPattern.of(query.text)
        if pattern is None:
            return await super().run(query, limits)
        self.asked.append(query)
        check_parameters(query.params)
        read = tokenize(query.text)
        check_rules(read, query.params)
        rows = self._list_rows(pattern, query.params)
        cut = f"{limits.rows} rows" if limits.rows and len(rows) > limits.rows else ""
        return Rows(("asked", "facts", "ways"), rows[: limits.rows], cut)

    def _list_rows(
        self, pattern: WrittenPattern, params: Mapping[str, Any]
    ) -> list[Sequence[Cell]]:
        found: dict[Node, list[list[Triple]]] = {}
        for bound, facts in self._iterate_ways(pattern.steps, {}, []):
            if (
                all(bound[node].id in params[node] for node in pattern.fixed)
                and all(label in bound[node].labels for node, label in pattern.labels)
                and all(bound[a] != bound[b] for a, b in pattern.apart)
            ):
                found.setdefault(bound[pattern.asked], []).append(facts)
        return [(node, ways[0], len(ways)) for node, ways in found.items()]

    def _iterate_ways(
        self, steps: Sequence[tuple[str, str, str]], bound: Bound, facts: list[Triple]
    ) -> Iterator[tuple[Bound, list[Triple]]]:
        if not steps:
            yield bound, facts
            return
        (head, kind, tail), *others = steps
        for edge in self._edges:
            fits = (
                bound.get(head, edge.head) == edge.head and bound.get(tail, edge.tail) == edge.tail
            )
            if edge.relation == kind and fits and (head != tail or edge.head == edge.tail):
                more = {**bound, head: edge.head, tail: edge.tail}
                yield from self._iterate_ways(others, more, [*facts, edge])
