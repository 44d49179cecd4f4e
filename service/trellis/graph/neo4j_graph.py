"""The `Graph` port over Neo4j and our procedures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import EmptyGraphError, NotIndexedError, PluginMissingError
from trellis.domain.ports import Reached
from trellis.domain.schema import Schema
from trellis.domain.value_index import ValueIndex
from trellis.domain.value_links import StoredValue
from trellis.domain.values import (
    Called,
    Cut,
    Link,
    Neighbourhood,
    Node,
    NodeId,
    RelationPath,
    Revisit,
    Triple,
)
from trellis.graph import reaching, searching
from trellis.graph.connection import GraphConnection, GraphVersion, Row
from trellis.graph.names import META, NAMED
from trellis.graph.schema.live import live_schema
from trellis.graph.state import read_state
from trellis.graph.values import lookup

_NEIGHBOURHOOD = """
CALL trellis.trie.neighbourhood($anchors, $hops, $config)
YIELD nodes, levels, names, relationTypes, offsets, targets, types, directions, anchors, cut, cuts
RETURN nodes, levels, names, relationTypes, offsets, targets, types, directions, anchors, cut, cuts
"""
_CONTAIN = """
UNWIND $triples AS triple
OPTIONAL MATCH (h) WHERE elementId(h) = triple.head
OPTIONAL MATCH (t) WHERE elementId(t) = triple.tail
RETURN EXISTS { MATCH (h)-[r]->(t) WHERE type(r) = triple.relation } AS found
"""
_VERSION = """
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version, edition
"""
_PLUGIN = "SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'trellis.' RETURN count(*) AS count"
_SIZE = f"""
RETURN COUNT {{ MATCH (n) }} - COUNT {{ MATCH (m:{META}) }} AS nodes,
       COUNT {{ MATCH (k:{NAMED}) }} AS named
"""


@dataclass(frozen=True, slots=True)
class GraphStatus:
    """What a server is, and how far its graph is ready."""

    version: str
    edition: str
    plugin: bool
    nodes: int
    named: int
    indexed: bool
    embedder: str  # whose vectors are stored; empty: none
    loading: str  # the file or folder of a load that did not end; empty: none


class Neo4jGraph:
    """Reads one Neo4j database: READ mode, timeouts, parameters only; errors of our tree."""

    def __init__(self, connection: GraphConnection) -> None:
        self._connection = connection

    async def exact(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        return await searching.exact(self._connection, keys)

    async def also(self, keys: Sequence[str]) -> Mapping[str, Sequence[Called]]:
        return await searching.also(self._connection, keys)

    async def by_text(self, texts: Sequence[str], limit: int) -> Sequence[Sequence[Link]]:
        return await searching.by_text(self._connection, texts, limit)

    async def by_vector(self, vectors: NDArray[np.float32], limit: int) -> Sequence[Sequence[Link]]:
        return await searching.by_vector(self._connection, vectors, limit)

    async def reach(self, path: RelationPath, revisit: Revisit, limit: int) -> Sequence[Reached]:
        return await reaching.reach(self._connection, path, revisit, limit)

    async def schema(self) -> Schema:
        return await live_schema(self._connection)

    async def values(self) -> ValueIndex:
        return await lookup.read_index(self._connection, await self.schema())

    async def by_value(self, texts: Sequence[str]) -> Sequence[Sequence[StoredValue]]:
        schema, index = await self.schema(), await self.values()
        return await lookup.by_value(self._connection, texts, index.searched, schema)

    async def neighbourhood(
        self,
        anchors: Sequence[NodeId],
        hops: int,
        *,
        edge_budget: int,
        names: bool,
        after: GraphVersion | None = None,
    ) -> Neighbourhood:
        config = {"edgeBudget": edge_budget, "names": names}
        rows = await self._connection.read(
            _NEIGHBOURHOOD, after=after, anchors=list(anchors), hops=hops, config=config
        )
        return as_neighbourhood(rows[0], hops)

    async def version(self) -> GraphVersion | None:
        """What the database holds now; None where it cannot be told."""
        return await self._connection.version()

    async def contain(self, triples: Sequence[Triple]) -> Sequence[bool]:
        asked = [{"head": t.head.id, "relation": t.relation, "tail": t.tail.id} for t in triples]
        return [row["found"] for row in await self._connection.read(_CONTAIN, triples=asked)]

    async def status(self) -> GraphStatus:
        """The server and the graph as they are now; raises only if Neo4j cannot be asked."""
        server = (await self._connection.read(_VERSION))[0]
        plugin = (await self._connection.command(_PLUGIN))[0]["count"] > 0
        size = (await self._connection.read(_SIZE))[0]
        state = await read_state(self._connection)
        return GraphStatus(
            server["version"],
            server["edition"],
            plugin,
            size["nodes"],
            size["named"],
            state.indexed and size["named"] > 0,
            state.embedder,
            state.loading,
        )

    async def check(self) -> None:
        """Raise what keeps questions from being answered: no plugin, no node, no index."""
        status, at = await self.status(), self._connection.uri
        if not status.plugin:
            raise PluginMissingError(
                f"Neo4j at {at} lacks the trellis procedures",
                "put trellis-procedures.jar into its plugins folder, or run `trellis neo4j`",
            )
        if not status.nodes:
            raise EmptyGraphError(f"the graph at {at} is empty", "load one with `trellis load`")
        if status.loading:
            raise NotIndexedError(f"the load of {status.loading} broke off", "run it again")
        if not status.indexed:
            raise NotIndexedError(f"the graph at {at} is not indexed", "run `trellis index`")


def as_neighbourhood(row: Row, hops: int) -> Neighbourhood:
    """The procedure's row; numbers are little-endian int32, read without copying."""
    names = tuple(name or node for name, node in zip(row["names"], row["nodes"], strict=False))
    return Neighbourhood(
        nodes=tuple(row["nodes"]),
        names=names,
        relation_types=tuple(row["relationTypes"]),
        levels=_int32(row["levels"]),
        offsets=_int32(row["offsets"]),
        targets=_int32(row["targets"]),
        types=_int32(row["types"]),
        directions=np.frombuffer(row["directions"], np.uint8),
        anchors=np.array(row["anchors"], np.int32),
        hops=hops,
        cuts=tuple(map(_cut, row["cuts"])),
        cut=row["cut"],
    )


def _int32(packed: bytes) -> NDArray[np.int32]:
    return np.frombuffer(packed, "<i4")


def _cut(row: Row) -> Cut:
    outgoing = row["direction"] == "OUT"
    return Cut(row["node"], row["relationType"], outgoing, row["kept"], row["total"])
