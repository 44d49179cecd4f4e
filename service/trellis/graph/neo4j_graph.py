"""The `Graph` port over Neo4j and our procedures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import EmptyGraphError, NotIndexedError
from trellis.domain.graphs.facts import PropertyFact
from trellis.domain.graphs.graph import (
    Neighbourhood,
    Node,
    NodeId,
    ReachedNode,
    RelationPath,
    Revisit,
    Triple,
)
from trellis.domain.graphs.graph_config import GraphConfig
from trellis.domain.graphs.links import Link, NearName, NodeName, StoredValue
from trellis.domain.graphs.reachable import ReachablePaths
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.texts import IndexedTexts, TextKind, TextMatch, TextSearch
from trellis.domain.limits.many_rows import FEW_ROWS
from trellis.domain.ports import NamedEmbedder
from trellis.domain.structures.patterns import PatternMatches, PatternSearch
from trellis.domain.structures.traces import Traces, TraceSearch
from trellis.graph import searching
from trellis.graph.database.connection import GraphConnection, GraphVersion
from trellis.graph.database.names import META, NAMED
from trellis.graph.database.state import read_state
from trellis.graph.indexes.kind_words import (
    LABELS,
    RELATIONS,
    KindWords,
    list_label_names,
    list_relation_names,
)
from trellis.graph.neighbourhoods import reaching
from trellis.graph.neighbourhoods.plain_traversal import PlainTraversal
from trellis.graph.neighbourhoods.traversal import HiddenKinds, ProcedureTraversal
from trellis.graph.patterns.plain import PlainPatterns
from trellis.graph.patterns.procedure import ProcedurePatterns
from trellis.graph.property_facts import check_property_facts
from trellis.graph.schema.live import read_live_schema
from trellis.graph.texts.own_vectors import OpenEmbedder, OwnVectorSearches
from trellis.graph.texts.searching import find_texts, search_texts
from trellis.graph.traces.plain import PlainTraces
from trellis.graph.traces.procedure import ProcedureTraces
from trellis.graph.values import lookup
from trellis.linking.values.value_index import ValueIndex

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
_PLUGIN = """
SHOW PROCEDURES YIELD name
WHERE name IN ['trellis.trie.neighbourhood', 'trellis.schema.reachable', 'trellis.gsd.search',
               'trellis.trace.search']
RETURN count(*) = 4 AS there
"""
SLOWER_NOTE = (
    "Neo4j lacks the trellis procedures: the graph was read in plain Cypher, which is slower"
)
_SIZE = f"""
RETURN COUNT {{ MATCH (n) }} - COUNT {{ MATCH (m:{META}) }} AS nodes,
       COUNT {{ MATCH (k:{NAMED}) }} AS named
"""


@dataclass(frozen=True, slots=True)
class GraphStatus:
    """What a server is, and whether its graph is ready for questions."""

    version: str
    edition: str
    plugin: bool
    nodes: int
    named: int
    indexed: bool
    embedder: str  # the model whose vectors are stored; empty: none
    loading: str  # the file or folder of an interrupted load; empty: none


class Neo4jGraph:
    """Reads one Neo4j database, in READ mode and with timeouts; raises only errors of our tree."""

    def __init__(
        self,
        connection: GraphConnection,
        config: GraphConfig | None = None,
        use_plugin: bool | None = None,
        embedder: NamedEmbedder | None = None,
        open_embedder: OpenEmbedder | None = None,
    ) -> None:
        """`use_plugin`: whether our procedures are used; None: only if the server has them.
        `embedder`: for relationship types and labels that came after indexing. `open_embedder`: for
        vector indexes of the user's own, which are not searched without it."""
        self._connection = connection
        self._config = config or GraphConfig()
        self._hidden = HiddenKinds(self._config.hidden_labels, self._config.hidden_relations)
        self._use_plugin = use_plugin
        self._kind_words = KindWords(connection, embedder)
        self._own_vectors = OwnVectorSearches(connection, embedder, open_embedder)

    async def find_by_key(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        stored = await searching.find_by_key(self._connection, keys)
        shown = {key: [n for n in nodes if self._config.shows(n)] for key, nodes in stored.items()}
        return {key: nodes for key, nodes in shown.items() if nodes}

    async def find_by_start(self, start: str, limit: int) -> Sequence[Node]:
        nodes = await searching.find_by_start(self._connection, start)
        return [node for node in nodes if self._config.shows(node)][:limit]

    async def find_by_spelling(self, keys: Sequence[str]) -> Mapping[str, Sequence[NodeName]]:
        stored = await searching.find_by_spelling(self._connection, keys)
        shown = {k: [c for c in calls if self._config.shows(c.node)] for k, calls in stored.items()}
        return {key: calls for key, calls in shown.items() if calls}

    async def search_by_text(self, texts: Sequence[str], limit: int) -> Sequence[Sequence[Link]]:
        return self._drop_hidden(await searching.search_by_text(self._connection, texts, limit))

    async def search_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[Link]]:
        return self._drop_hidden(await searching.search_by_vector(self._connection, vectors, limit))

    async def search_relations_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[NearName]]:
        names = list_relation_names(await self.schema())
        return await self._kind_words.search(RELATIONS, names, vectors, limit)

    async def search_labels_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[NearName]]:
        names = list_label_names(await self.schema())
        return await self._kind_words.search(LABELS, names, vectors, limit)

    async def reach_nodes(
        self, path: RelationPath, revisit: Revisit, limit: int
    ) -> Sequence[ReachedNode]:
        return await reaching.reach_nodes(self._connection, path, revisit, limit, self._hidden)

    async def schema(self) -> Schema:
        return await read_live_schema(self._connection, self._config)

    async def values(self) -> ValueIndex:
        return await lookup.read_value_index(self._connection, await self.schema())

    async def search_values(self, texts: Sequence[str]) -> Sequence[Sequence[StoredValue]]:
        schema, index = await self.schema(), await self.values()
        return await lookup.search_values(
            self._connection, texts, index.searched_properties, schema
        )

    async def find_holders(
        self, values: Sequence[StoredValue], limit: int
    ) -> Sequence[Sequence[NodeId] | None]:
        return await lookup.find_holders(self._connection, values, limit, await self.schema())

    async def neighbourhood(
        self,
        anchors: Sequence[NodeId],
        hops: int,
        *,
        edge_budget: int,
        names: bool,
        after: GraphVersion | None = None,
    ) -> Neighbourhood:
        traversal = await self._choose_traversal()
        return await traversal.neighbourhood(
            anchors, hops, edge_budget=edge_budget, names=names, after=after
        )

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> ReachablePaths:
        traversal = await self._choose_traversal()
        return await traversal.reachable(
            anchors, hops, edge_budget=edge_budget, path_budget=path_budget
        )

    async def search_patterns(
        self, search: PatternSearch, limit: int, seconds: float
    ) -> PatternMatches:
        has_plugin = await self._has_plugin()
        patterns = (ProcedurePatterns if has_plugin else PlainPatterns)(
            self._connection, self._hidden
        )
        return await patterns.search(search, limit, min(seconds, self._connection.search_seconds))

    async def search_traces(self, search: TraceSearch, seconds: float) -> Traces:
        has_plugin = await self._has_plugin()
        traces = (ProcedureTraces if has_plugin else PlainTraces)(self._connection, self._hidden)
        return await traces.search(search, min(seconds, self._connection.search_seconds))

    async def indexed_texts(self) -> IndexedTexts:
        state = await read_state(self._connection)
        kinds = tuple(
            TextKind(label, name)
            for label, names in state.texts.items()
            if label not in self._config.hidden_labels
            for name in names
            if self._config.shows_property(label, name)
        )
        vectors = tuple(each for each in state.vectors if each.kind in kinds)
        return IndexedTexts(kinds, state.has_passages, vectors)

    async def search_texts(self, search: TextSearch) -> Sequence[TextMatch]:
        texts = await self.indexed_texts()
        if not texts.kinds:
            return ()
        own = await self._own_vectors.prepare(texts.vectors, search)
        found = await search_texts(self._connection, texts, search, own)
        return [match for match in found if self._config.shows(match.node)]

    async def find_texts(self, phrase: str, limit: int) -> Sequence[TextMatch]:
        texts = await self.indexed_texts()
        if not texts.kinds:
            return ()
        found = await find_texts(self._connection, texts, phrase, limit)
        return [match for match in found if self._config.shows(match.node)]

    async def list_notes(self) -> tuple[str, ...]:
        """Notes for the caller about how this graph is read."""
        notes = () if await self._has_plugin() else (SLOWER_NOTE,)
        if not self._config.vectors:
            return notes
        indexes = (await self.indexed_texts()).vectors
        return (*notes, *await self._own_vectors.list_notes(self._config.vectors, indexes))

    def _drop_hidden(self, found: Sequence[Sequence[Link]]) -> list[list[Link]]:
        return [[link for link in links if self._config.shows(link.node)] for links in found]

    async def _choose_traversal(self) -> ProcedureTraversal | PlainTraversal:
        kind = ProcedureTraversal if await self._has_plugin() else PlainTraversal
        return kind(self._connection, self._hidden)

    async def _has_plugin(self) -> bool:
        """Whether the server has our procedures; asked once, since they are loaded at its start."""
        if self._use_plugin is None:
            self._use_plugin = bool((await self._connection.read_rows(_PLUGIN))[0]["there"])
        return self._use_plugin

    async def read_version(self) -> GraphVersion | None:
        """The database's current version; None if the server does not give one."""
        return await self._connection.read_version()

    async def check_triples(self, triples: Sequence[Triple]) -> Sequence[bool]:
        asked = [{"head": t.head.id, "relation": t.relation, "tail": t.tail.id} for t in triples]
        found: list[bool] = []
        for first in range(0, len(asked), FEW_ROWS):  # their driver packs them on the event loop
            some = asked[first : first + FEW_ROWS]
            rows = await self._connection.read_rows(_CONTAIN, triples=some)
            found += (row["found"] for row in rows)
        return found

    async def check_properties(self, facts: Sequence[PropertyFact]) -> Sequence[bool]:
        return await check_property_facts(self._connection, facts)

    async def read_status(self) -> GraphStatus:
        """The state of server and graph; raises only if Neo4j cannot be reached."""
        server = (await self._connection.read_rows(_VERSION))[0]
        plugin = await self._has_plugin()
        size = (await self._connection.read_rows(_SIZE))[0]
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

    async def check_ready(self) -> None:
        """Raise EmptyGraphError or NotIndexedError if questions cannot be answered."""
        status, at = await self.read_status(), self._connection.uri
        if not status.nodes:
            raise EmptyGraphError(f"the graph at {at} is empty", "load one with `trellis load`")
        if status.loading:
            raise NotIndexedError(
                f"the load of {status.loading} broke off", "run it again, a script with --replace"
            )
        if not status.indexed:
            raise NotIndexedError(f"the graph at {at} is not indexed", "run `trellis index`")
