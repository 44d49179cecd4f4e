"""Vector indexes of the user's own: which can stand in for passages, and searching by them.

The user names an index with the model that made its vectors (`GraphConfig.vectors`). What cannot
be used is said and left alone: passages of ours serve in its place.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import ModelError
from trellis.domain.graphs.graph_config import GraphConfig, VectorSource
from trellis.domain.graphs.texts import TextKind, TextSearch, VectorIndex
from trellis.domain.ports import NamedEmbedder
from trellis.graph.database.connection import GraphConnection, Row

log = logging.getLogger(__name__)

OpenEmbedder = Callable[[str], NamedEmbedder]
"""Gives the embedder of a model's name; it loads at its first use, or raises ModelError."""

_LIST = """
SHOW VECTOR INDEXES YIELD name, state, entityType, labelsOrTypes, properties, options
WHERE NOT toLower(name) STARTS WITH '_trellis'
RETURN name, toLower(state) AS state, entityType = 'NODE' AS of_nodes, labelsOrTypes[0] AS label,
       properties[0] AS property, options.indexConfig['vector.dimensions'] AS dimensions
ORDER BY name
"""


@dataclass(frozen=True, slots=True)
class OwnVectors:
    """The vector indexes that stand in for passages, and of each other one why it does not."""

    used: tuple[VectorIndex, ...] = ()
    left: tuple[str, ...] = ()

    def list_others(self, kinds: Collection[TextKind]) -> list[TextKind]:
        """The texts that none of the used indexes is over."""
        served = {index.kind for index in self.used}
        return [kind for kind in kinds if kind not in served]


@dataclass(frozen=True, slots=True)
class OwnSearch:
    """A search of one of the user's vector indexes. `vector`: the question to its model."""

    index: VectorIndex
    vector: Sequence[float]


async def find_own_vectors(
    connection: GraphConnection,
    config: GraphConfig,
    kinds: Collection[TextKind],
    open_embedder: OpenEmbedder,
) -> OwnVectors:
    """Judge all vector indexes that are not ours; `kinds`: the texts that they may be over."""
    rows = await connection.scan_rows(_LIST)
    missing = config.vectors.keys() - {row["name"] for row in rows}
    left = [_say_left(name, "there is none of this name") for name in sorted(missing)]
    used = []
    for row in rows:
        source = config.vectors.get(row["name"])
        trouble = await _find_trouble(row, source, kinds, open_embedder)
        if source is None or trouble:
            left.append(_say_left(row["name"], trouble))
        else:
            kind = TextKind(row["label"], source.property)
            used.append(VectorIndex(row["name"], kind, row["property"], source.model))
    return OwnVectors(tuple(used), tuple(left))


def _say_left(name: str, reason: str) -> str:
    return f"vector index {name} is left alone: {reason}"


async def _find_trouble(
    row: Row,
    source: VectorSource | None,
    kinds: Collection[TextKind],
    open_embedder: OpenEmbedder,
) -> str:
    """Why an index cannot be used; empty where it can."""
    if not row["of_nodes"]:
        return "it is over relationships"
    if source is None:
        return "[vectors] of the graph's file does not say which model made it"
    if row["state"] != "online":
        return f"it is {row['state']}; run `trellis index` again when it is online"
    if TextKind(row["label"], source.property) not in kinds:
        return f"{row['label']}.{source.property} holds no texts of several words"
    try:
        expected = await asyncio.to_thread(lambda: open_embedder(source.model).dimensions)
    except ModelError as error:
        return error.problem
    if row["dimensions"] != expected:
        found = "any number" if row["dimensions"] is None else f"{row['dimensions']:,}"
        return f"it is for vectors of {found} dimensions, those of {source.model} have {expected:,}"
    return ""


class OwnVectorSearches:
    """Makes the searches of the user's vector indexes for a question, and says which of the indexes
    cannot be searched now: once each to the log, and in notes."""

    def __init__(
        self,
        connection: GraphConnection,
        embedder: NamedEmbedder | None,
        open_embedder: OpenEmbedder | None,
    ) -> None:
        """`embedder`: the usual one, which made the vector of a `TextSearch`."""
        self._connection, self._embedder = connection, embedder
        self._open_embedder = open_embedder
        self._unloadable: set[str] = set()  # models: trying again takes long
        self._told: set[str] = set()

    async def prepare(
        self, indexes: Collection[VectorIndex], search: TextSearch
    ) -> list[OwnSearch]:
        """A search of each index that is online and whose model can be loaded."""
        if not indexes or search.vector is None:
            return []
        online = await self._list_online()
        searches = []
        for index in indexes:
            vector = await self._embed_question(index.model, search)
            if vector is not None and online.get(index.index) == len(vector):
                searches.append(OwnSearch(index, vector.tolist()))
            elif index.index not in self._told:
                self._told.add(index.index)
                log.warning(_say_unused(index.index))
        return searches

    async def list_notes(
        self, named: Collection[str], indexes: Collection[VectorIndex]
    ) -> list[str]:
        """A note on each index that the user names and that is not searched."""
        online = await self._list_online() if named else {}
        searched = {
            it.index for it in indexes if it.index in online and it.model not in self._unloadable
        }
        return [_say_unused(name) for name in sorted(set(named) - searched)]

    async def _list_online(self) -> dict[str, int | None]:
        """The dimensions of the indexes that can be searched, by name."""
        rows = await self._connection.read_rows(_LIST)
        return {
            row["name"]: row["dimensions"]
            for row in rows
            if row["of_nodes"] and row["state"] == "online"
        }

    async def _embed_question(self, model: str, search: TextSearch) -> NDArray[np.float32] | None:
        """The question to a model; None where this cannot be loaded."""
        if self._open_embedder is None or model in self._unloadable:
            return None
        try:
            embedder = self._open_embedder(model)
            if self._embedder is not None and embedder.name == self._embedder.name:
                return search.vector
            vectors = await asyncio.to_thread(embedder.embed, [search.text])
        except ModelError as error:
            log.warning("%s", error)
            self._unloadable.add(model)
            return None
        question: NDArray[np.float32] = vectors[0]
        return question


def _say_unused(name: str) -> str:
    return f"vector index {name} is not searched: `trellis index` says why"
