"""The words of relationship types and labels as vectors: stored beside the graph, and searched.

There are at most some thousands of them, so a search compares them all and is exact. The vector
indexes over them serve whoever asks the database itself. A name that came after indexing has no
stored vector: it is embedded when it is first searched for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import NotIndexedError
from trellis.domain.graphs.links import NearName
from trellis.domain.graphs.schema import Schema
from trellis.domain.identifiers import put_last_first, split_identifier
from trellis.domain.ports import NamedEmbedder
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import (
    LABEL_VECTOR_INDEX,
    LABEL_WORDS,
    META,
    RELATION_VECTOR_INDEX,
    RELATION_WORDS,
)
from trellis.graph.database.state import read_state
from trellis.graph.indexes.index_building import make_vector_index

Vectors = NDArray[np.float32]

_LONGEST_WORDS = 200  # characters of a name that are embedded
_BATCH = 1_000

_STORED = """
MATCH (n:{label}) WHERE $names IS NULL OR n._trellis_name IN $names
RETURN n._trellis_name AS name{vector}
"""
_DROP = """
MATCH (n:{label}) WHERE NOT n._trellis_name IN $names DELETE n
"""
_STORE = f"""
UNWIND $rows AS row
MERGE (n:{META}:{{label}} {{{{_trellis_id: row.id}}}})
SET n._trellis_name = row.name, n._trellis_words = row.words
WITH n, row CALL db.create.setNodeVectorProperty(n, '_trellis_vector', row.vector)
"""


@dataclass(frozen=True, slots=True)
class WordStore:
    """Where the vectors of one sort of names are: the label of our nodes, and their index."""

    label: str
    index: str


RELATIONS = WordStore(RELATION_WORDS, RELATION_VECTOR_INDEX)
LABELS = WordStore(LABEL_WORDS, LABEL_VECTOR_INDEX)


def list_relation_names(schema: Schema) -> list[str]:
    return sorted({kind.type for kind in schema.relationships})


def list_label_names(schema: Schema) -> list[str]:
    return sorted(kind.label for kind in schema.labels)


def write_words(name: str) -> str:
    """The words of a name as a text to embed, its last part first: `gender person people` of
    `people.person.gender`."""
    return " ".join(split_identifier(put_last_first(name)))[:_LONGEST_WORDS] or name


async def store_kind_words(
    connection: GraphConnection, embedder: NamedEmbedder, schema: Schema
) -> int:
    """Store the vectors of all names of a schema; returns how many there are."""
    relations, labels = list_relation_names(schema), list_label_names(schema)
    for store, names in ((RELATIONS, relations), (LABELS, labels)):
        await connection.run_write(_DROP.format(label=store.label), names=names)
        await _store_missing(connection, embedder, store, names)
        await make_vector_index(connection, store.index, store.label, embedder.dimensions)
    return len(relations) + len(labels)


async def forget_kind_words(connection: GraphConnection) -> None:
    """Remove all vectors and their indexes: another embedder comes."""
    for store in (RELATIONS, LABELS):
        await connection.run_command(f"DROP INDEX {store.index} IF EXISTS")
        await connection.run_write(_DROP.format(label=store.label), names=[])


async def _store_missing(
    connection: GraphConnection, embedder: NamedEmbedder, store: WordStore, names: Sequence[str]
) -> None:
    query = _STORED.format(label=store.label, vector="")
    stored = {row["name"] for row in await connection.read_rows(query, names=None)}
    missing = [name for name in names if name not in stored]
    for at in range(0, len(missing), _BATCH):
        some = missing[at : at + _BATCH]
        words = [write_words(name) for name in some]
        vectors = (await asyncio.to_thread(embedder.embed, words)).tolist()
        rows = [
            {"id": f"{store.label}:{name}", "name": name, "words": text, "vector": vector}
            for name, text, vector in zip(some, words, vectors, strict=True)
        ]
        await connection.run_write(_STORE.format(label=store.label), rows=rows)


class KindWords:
    """Searches the names of a live schema by their words; vectors that were read are kept."""

    def __init__(self, connection: GraphConnection, embedder: NamedEmbedder | None) -> None:
        """`embedder`: for names that have no stored vector; None: they are not found."""
        self._connection = connection
        self._embedder = embedder
        self._kept: dict[WordStore, dict[str, Vectors]] = {RELATIONS: {}, LABELS: {}}
        self._kept_of = ""  # the embedder whose vectors are kept

    async def search(
        self, store: WordStore, names: Sequence[str], vectors: Vectors, limit: int
    ) -> list[list[NearName]]:
        """For each row of `vectors` [n, d] the nearest of `names`, nearest first.

        Raises NotIndexedError if the graph was indexed without embeddings.
        """
        known = await self._find_vectors(store, names)
        return rank_names(known, vectors, limit)

    async def _find_vectors(self, store: WordStore, names: Sequence[str]) -> Mapping[str, Vectors]:
        model = (await read_state(self._connection)).embedder
        if not model:
            raise NotIndexedError("the graph has no embeddings", "run `trellis index`")
        if model != self._kept_of:
            self._kept, self._kept_of = {RELATIONS: {}, LABELS: {}}, model
        kept = self._kept[store]
        missing = [name for name in names if name not in kept]
        if missing:
            kept |= await self._read_vectors(store, missing)
            kept |= await self._embed_new([name for name in missing if name not in kept], model)
        return {name: kept[name] for name in names if name in kept}

    async def _read_vectors(self, store: WordStore, names: Sequence[str]) -> dict[str, Vectors]:
        query = _STORED.format(label=store.label, vector=", n._trellis_vector AS vector")
        rows = await self._connection.read_rows(query, names=list(names))
        return {row["name"]: np.array(row["vector"], np.float32) for row in rows}

    async def _embed_new(self, names: Sequence[str], model: str) -> dict[str, Vectors]:
        """Vectors of names that came after indexing, if we have the model of the others."""
        if not names or self._embedder is None or self._embedder.name != model:
            return {}
        words = [write_words(name) for name in names]
        vectors = await asyncio.to_thread(self._embedder.embed, words)
        return dict(zip(names, vectors, strict=True))


def rank_names(known: Mapping[str, Vectors], vectors: Vectors, limit: int) -> list[list[NearName]]:
    """For each row of `vectors` [n, d] the names of the nearest unit vectors; ties by name."""
    if not known:
        return [[] for _ in vectors]
    names = sorted(known)
    cosines = vectors @ np.stack([known[name] for name in names]).T
    distances = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * cosines))
    return [_select_nearest(names, row, limit) for row in distances]


def _select_nearest(names: Sequence[str], distances: Iterable[float], limit: int) -> list[NearName]:
    pairs = sorted((float(d), name) for d, name in zip(distances, names, strict=True))
    return [NearName(name, distance) for distance, name in pairs[:limit]]
