"""The `Queries` port for the queries that read evidence: a pattern is matched by brute force,
and its matches are returned as these queries ask for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.errors import QueryError
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.structures.cypher import (
    GATE_LIMITS,
    Cell,
    CypherQuery,
    QueryLimits,
    Rows,
    Verdict,
)

_STEP = re.compile(r"\((x\d+)[^)]*\)(<?)-\[(r\d+):[^]]*\]->?(?=\((x\d+))")
_NAMED = re.compile(r"\((x\d+)[^)]* WHERE x\d+\.`name` = \$(\w+)\)")
_OPERAND = re.compile(r"x(\d+)(?:\.`(\w+)`)?")
_BY_NODE = re.compile(
    r"WITH DISTINCT (?P<cells>.*)\nWHERE elementId\(x(?P<node>\d+)\) IN \$answers\n"
    r"WITH .*\[\.\.(?P<most>\d+)\] AS kept"
)
_BY_VALUE = re.compile(
    r"(?:WITH DISTINCT .*\nWHERE (?P<filter>\S+) IN \$answers\n)?"
    r"RETURN DISTINCT (?P<items>.*)(?:\nORDER BY (?P<order>.*))?\Z"
)

Match = dict[str, Cell]
"""What the variables of a pattern stand for."""


@dataclass(frozen=True)
class MatchedTriples:
    """A graph of one relationship type, and the queries that return what patterns match in it."""

    triples: Sequence[Triple]

    async def explain(self, query: CypherQuery) -> Verdict:
        return Verdict(bool(query.text))

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        pattern, ending = query.text.split("\n", 1)
        if found := _BY_NODE.match(ending):
            matches = self.list_matches(pattern, query.params)
            rows = self._list_by_node(found, matches, query.params["answers"])
        elif found := _BY_VALUE.fullmatch(ending):
            matches = self.list_matches(pattern, query.params)
            rows = self._list_by_value(found, matches, query.params.get("answers"))
        else:
            raise QueryError("another query", "this graph knows those of evidence alone")
        return Rows((), rows[: limits.rows])

    def list_matches(self, pattern: str, params: Mapping[str, Cell]) -> list[Match]:
        """All matches of a MATCH, each relationship once in each."""
        matches = list(self._extend(_STEP.findall(pattern), {}))
        for variable, value in _NAMED.findall(pattern):
            matches = [match for match in matches if match[variable].name == params[value]]
        return matches

    def _extend(self, steps: Sequence[tuple[str, str, str, str]], match: Match) -> Iterator[Match]:
        if not steps:
            yield match
            return
        (one, back, edge, other), *following = steps
        head, tail = (other, one) if back else (one, other)
        for triple in self.triples:
            ends = {head: triple.head, tail: triple.tail}
            fits = all(match.get(variable, node) == node for variable, node in ends.items())
            if fits and triple not in match.values():
                yield from self._extend(following, {**match, **ends, edge: triple})

    def _list_by_node(
        self, found: re.Match[str], matches: Sequence[Match], ids: Sequence[str]
    ) -> list[list[Cell]]:
        cells, most = found["cells"].split(", "), int(found["most"])
        by_node: dict[Node, list[list[Cell]]] = {}
        for match in matches:
            by_node.setdefault(match[f"x{found['node']}"], []).append([match[v] for v in cells])
        return [
            [node, len(matched), each]
            for node, matched in by_node.items()
            if node.id in ids
            for each in matched[:most]
        ]

    def _list_by_value(
        self, found: re.Match[str], matches: Sequence[Match], given: Sequence[Cell] | None
    ) -> list[Any]:
        read = [read_operand(item.split(" AS ")[0]) for item in found["items"].split(", ")]
        if found["filter"]:
            kept = read_operand(found["filter"])
            matches = [match for match in matches if kept(match) in (given or ())]
        rows = [[cell(match) for cell in read] for match in matches]
        if found["order"] and found["order"].startswith("k0 "):
            rows.sort(key=lambda row: row[0], reverse=found["order"].endswith("DESC"))
        return rows


def read_operand(text: str) -> Callable[[Match], Cell]:
    """What `x0`, `r0` or ``x0.`size` `` gives of a match."""
    operand = _OPERAND.fullmatch(text)
    if operand and operand[2]:
        return lambda match: match[f"x{operand[1]}"].properties[operand[2]]
    return lambda match: match[text]
