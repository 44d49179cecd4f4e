"""Our state of a database, in one hidden node: naming, embedder, an unfinished load."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trellis.domain.graphs.texts import TextKind, VectorIndex
from trellis.graph.database.connection import GraphConnection

_READ = """
MATCH (m:_TrellisMeta {_trellis_id: 'state'})
RETURN m{.naming, .chosen, .embedder, .indexed, .loading, .named_by, .texts, .has_passages,
         .vectors} AS state
"""
_WRITE = "MERGE (m:_TrellisMeta {_trellis_id: 'state'}) SET m += $state"
_REMOVE = "MATCH (m:_TrellisMeta) DELETE m"


@dataclass(frozen=True, slots=True)
class GraphState:
    """What indexing and loading recorded."""

    naming: Mapping[str, str] = field(default_factory=dict)  # label → naming property
    chosen: Mapping[str, str] = field(default_factory=dict)  # the part that a user fixed by --name
    embedder: str = ""  # the model whose vectors are stored; empty: none
    indexed: bool = False
    loading: str = ""  # the file or folder of an unfinished load; empty: none
    named_by: int = 0  # the rules that made the keys of names; 0: none, or older ones
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)  # label → properties of texts
    has_passages: bool = False  # whether passages of these have vectors
    vectors: tuple[VectorIndex, ...] = ()  # the user's own, which stand in for passages


async def read_state(connection: GraphConnection) -> GraphState:
    rows = await connection.read_rows(_READ)
    stored = rows[0]["state"] if rows else {}
    return GraphState(
        naming=json.loads(stored.get("naming") or "{}"),
        chosen=json.loads(stored.get("chosen") or "{}"),
        embedder=stored.get("embedder") or "",
        indexed=stored.get("indexed") or False,
        loading=stored.get("loading") or "",
        named_by=stored.get("named_by") or 0,
        texts=json.loads(stored.get("texts") or "{}"),
        has_passages=stored.get("has_passages") or False,
        vectors=_parse_vectors(json.loads(stored.get("vectors") or "{}")),
    )


def write_vectors(vectors: Iterable[VectorIndex]) -> dict[str, Sequence[str]]:
    """Vector indexes as the state keeps them, by name."""
    return {it.index: (it.kind.label, it.kind.property, it.stored_in, it.model) for it in vectors}


def _parse_vectors(stored: Mapping[str, Sequence[str]]) -> tuple[VectorIndex, ...]:
    return tuple(
        VectorIndex(index, TextKind(label, name), stored_in, model)
        for index, (label, name, stored_in, model) in stored.items()
    )


async def change_state(connection: GraphConnection, **changes: Any) -> None:
    """Set some of `GraphState`'s fields, or the values that `graph/values` remembers."""
    plain = {k: json.dumps(dict(v)) if isinstance(v, Mapping) else v for k, v in changes.items()}
    await connection.run_write(_WRITE, state=plain)


async def forget_state(connection: GraphConnection) -> None:
    await connection.run_write(_REMOVE)
