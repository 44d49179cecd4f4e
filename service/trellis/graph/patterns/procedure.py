"""Searches for patterns by one call of our procedure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trellis.domain.errors import GraphError, PatternError
from trellis.domain.graphs.graph import Node, NodeId, Triple
from trellis.domain.structures.patterns import (
    LabelCandidates,
    NodeCandidates,
    PatternMatch,
    PatternMatches,
    PatternSearch,
    check_limit,
)
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.nodes import node_expression, parse_node
from trellis.graph.neighbourhoods.traversal import HiddenKinds

Candidates = Mapping[str, Sequence[str] | Sequence[float] | str | bytes]

_SEARCH = f"""
CALL trellis.gsd.search($pattern, $candidates, $limit, $config)
YIELD distance, nodes, relationships, types, complete
RETURN distance, nodes, relationships, types, complete,
       COLLECT {{ UNWIND nodes AS id MATCH (n) WHERE elementId(n) = id
                  RETURN {node_expression("n")} }} AS named,
       COLLECT {{ UNWIND relationships AS id MATCH (n)-[r]->() WHERE elementId(r) = id
                  RETURN {{id: id, start: elementId(n)}} }} AS starts
"""
_REFUSAL = re.compile(r"IllegalArgumentException: (.*); (allowed: .*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ProcedurePatterns:
    """Searches in the database."""

    connection: GraphConnection
    hidden: HiddenKinds

    async def search(self, search: PatternSearch, limit: int, seconds: float) -> PatternMatches:
        check_limit(limit)
        config = {
            "directed": search.directed,
            "timeout": seconds,
            "summary": True,
            **self.hidden.as_exclusions(),
        }
        pattern = {"nodes": search.pattern.nodes, "edges": [list(e) for e in search.pattern.edges]}
        try:
            rows = await self.connection.read_rows(
                _SEARCH,
                pattern=pattern,
                candidates=write_candidates(search),
                limit=limit,
                config=config,
            )
        except GraphError as error:
            raise translate_refusal(error) from error
        matches = [match for row in rows if (match := _parse_match(row, search))]
        return PatternMatches(tuple(matches), all(row["complete"] for row in rows))


def write_candidates(search: PatternSearch) -> dict[str, list[Candidates | None]]:
    """The candidates as the procedure takes them."""
    return {
        "nodes": [_write_node(given) if given else None for given in search.nodes],
        "relations": [
            {"types": list(given.types), "distances": list(given.distances)} if given else None
            for given in search.relations
        ],
    }


def _write_node(given: NodeCandidates | LabelCandidates) -> Candidates:
    if isinstance(given, LabelCandidates):
        return {"labels": list(given.labels), "distances": list(given.distances)}
    return _pack_ids(given) or {"ids": list(given.ids), "distances": list(given.distances)}


def _pack_ids(given: NodeCandidates) -> Candidates | None:
    """Ids that begin alike and end in numbers as bytes, which the driver passes on as they are;
    None for any other ids."""
    prefix = given.ids[0].rpartition(":")[0] + ":" if given.ids else ""
    ends = [id[len(prefix) :] for id in given.ids if id.startswith(prefix)]
    digits = "".join(ends)
    if len(ends) < len(given.ids) or not (digits.isascii() and digits.isdecimal()):
        return None
    if not all(0 < len(end) < 16 and (end[0] != "0" or end == "0") for end in ends):
        return None
    numbers = np.array(ends).astype("<i8").tobytes()
    distances = np.array(given.distances, "<f8").tobytes()
    return {"prefix": prefix, "numbers": numbers, "distances": distances}


def translate_refusal(error: GraphError) -> Exception:
    """What the procedure refuses is the caller's mistake."""
    refused = _REFUSAL.search(str(error.__cause__ or error))
    return PatternError(refused[1], refused[2].rstrip("}")) if refused else error


def _parse_match(row: Row, search: PatternSearch) -> PatternMatch | None:
    """A row's match; None if it has none, or parts of it were deleted in between."""
    named = {node["id"]: parse_node(node) for node in row["named"]}
    located = locate_row(row, search.pattern.edges, named)
    if located is None:
        return None
    nodes, triples = located
    return PatternMatch(row["distance"], nodes, triples, tuple(row["relationships"]))


def locate_row(
    row: Row, edges: Sequence[tuple[int, int]], named: Mapping[NodeId, Node]
) -> tuple[tuple[Node, ...], tuple[Triple, ...]] | None:
    """A row's nodes, and its relationships as they stand; None if it has none, or parts of it were
    deleted in between."""
    starts = {part["id"]: part["start"] for part in row["starts"]}
    if (
        not row["nodes"]
        or named.keys() < {*row["nodes"]}
        or starts.keys() < {*row["relationships"]}
    ):
        return None
    nodes = tuple(named[id] for id in row["nodes"])
    triples = []
    for edge, id, relation in zip(edges, row["relationships"], row["types"], strict=True):
        source, target = nodes[edge[0]], nodes[edge[1]]
        is_forward = starts[id] == source.id
        head, tail = (source, target) if is_forward else (target, source)
        triples.append(Triple(head, relation, tail))
    return nodes, tuple(triples)
