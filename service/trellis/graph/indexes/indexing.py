"""Makes a graph ready for linking: naming texts, their keys, full-text and vector indexes.

Everything that is added has a reserved name. All passes are repeatable: they leave alone what is
right already, so that interrupted indexing resumes where it stopped.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.graphs.graph_config import GraphConfig
from trellis.domain.graphs.texts import TextKind
from trellis.domain.ports import NamedEmbedder
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.migration import migrate_graph
from trellis.graph.database.names import META, NAMED, VECTOR_INDEX
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.database.state import change_state, forget_state, read_state, write_vectors
from trellis.graph.indexes.index_building import make_vector_index, wait_for_indexes
from trellis.graph.indexes.kind_words import forget_kind_words, store_kind_words
from trellis.graph.indexes.naming import LabelNaming, Naming, decide_naming
from trellis.graph.schema.live import read_live_schema
from trellis.graph.texts.finding import find_text_kinds
from trellis.graph.texts.indexing import embed_passages, forget_passages, index_text_words
from trellis.graph.texts.own_vectors import OpenEmbedder, OwnVectors, find_own_vectors
from trellis.graph.values.remembering import index_values
from trellis.linking.names.spellings import make_spelling_keys
from trellis.linking.text import name_key

_LONGEST_KEY = 2_000  # characters; an index takes values of about 8 kB
_LONGEST_TEXT = 200  # characters of a name that are embedded
_NAME_BATCH = 5_000
_VECTOR_BATCH = 2_000

NAMED_BY = 1
"""Which rules make the keys of a name; with other rules all nodes are named anew."""

_COUNT = f"MATCH (n:{NAMED}) RETURN count(n) AS named, count(n._trellis_vector) AS embedded"
_ANY_NAMED = f"RETURN EXISTS {{ MATCH (n:{NAMED}) }} AS any"
_ALL = f"RETURN COUNT {{ MATCH (n) }} - COUNT {{ MATCH (m:{META}) }} AS count"
_IS_RIGHT = """
n._trellis_aliases IS NULL AND none(p IN $others WHERE n[p] IS NOT NULL) AND n._trellis_name =
[rule IN $rules WHERE (rule[0] = '' OR rule[0] IN labels(n))
                AND trim(toStringOrNull(n[rule[1]])) <> '' | toStringOrNull(n[rule[1]])][0]
"""
_NODES = f"""
MATCH (n) WHERE NOT n:{META} AND NOT ($trusted AND coalesce({_IS_RIGHT}, false))
RETURN elementId(n) AS id, labels(n) AS labels, n._trellis_name AS name, n._trellis_key AS key,
       n._trellis_also AS also, n._trellis_aliases AS aliases,
       [p IN $properties | toStringOrNull(n[p])] AS values,
       [p IN $others | n[p]] AS others
"""
_NAME = f"""
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.id
SET n._trellis_vector = CASE WHEN n._trellis_name = row.name THEN n._trellis_vector END
SET n:{NAMED}, n._trellis_name = row.name, n._trellis_key = row.key,
    n._trellis_also = row.also, n._trellis_aliases = row.aliases
"""
_UNNAME = f"""
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.id
REMOVE n:{NAMED}, n._trellis_name, n._trellis_key, n._trellis_vector, n._trellis_also,
       n._trellis_aliases
"""
_UNEMBEDDED = f"""
MATCH (n:{NAMED}) WHERE n._trellis_vector IS NULL
RETURN elementId(n) AS id, n._trellis_name AS name
"""
_EMBED = """
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.id
CALL db.create.setNodeVectorProperty(n, '_trellis_vector', row.vector)
"""
_FORGET_VECTORS = f"""
MATCH (n:{NAMED}) WHERE n._trellis_vector IS NOT NULL
CALL (n) {{ REMOVE n._trellis_vector }} IN TRANSACTIONS OF 10000 ROWS
"""
_REMOVE_NODES = """
MATCH (n:_TrellisNamed|_TrellisLoaded)
CALL (n) { REMOVE n:_TrellisNamed:_TrellisLoaded, n._trellis_id, n._trellis_name, n._trellis_key,
                  n._trellis_vector, n._trellis_also, n._trellis_aliases }
IN TRANSACTIONS OF 10000 ROWS
"""
_REMOVE_RELATIONSHIPS = """
MATCH ()-[r]->() WHERE r._trellis_row IS NOT NULL
CALL (r) { REMOVE r._trellis_row } IN TRANSACTIONS OF 10000 ROWS
"""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What names the nodes of each label, how many nodes and values were indexed, which properties
    hold texts, how many passages of these have vectors, and which vector indexes of the user's own
    stand in for passages."""

    naming: tuple[LabelNaming, ...]
    named: int
    embedded: int
    values: int
    texts: tuple[TextKind, ...]
    passages: int
    vectors: OwnVectors


async def index_graph(
    connection: GraphConnection,
    embedder: NamedEmbedder | None = None,
    *,
    naming_overrides: Mapping[str, str] | None = None,
    config: GraphConfig | None = None,
    most_passages: int = 200_000,
    open_embedder: OpenEmbedder | None = None,
    progress: Progress = ignore_progress,
) -> IndexReport:
    """Name every node, remember values, index texts, and if an embedder is given, embed the names
    of nodes, relationship types and labels, and up to `most_passages` passages of texts.

    `naming_overrides` (label → naming property) comes first, in this run and in later ones; then
    the naming of `config`; then what the data suggests. What `config` hides is not indexed.
    `open_embedder`: for vector indexes that `config` names, which are left alone without it.
    """
    await migrate_graph(connection, progress)
    state, config = await read_state(connection), config or GraphConfig()
    fixed = {**state.chosen, **(naming_overrides or {})}
    labels = await decide_naming(connection, {**config.naming, **fixed}, config)
    await _name_nodes(connection, Naming(labels), state.named_by == NAMED_BY, progress)
    if embedder is not None:
        await _embed_names(connection, embedder, state.embedder, progress)
    naming = {kind.label: kind.property for kind in labels if kind.property}
    await change_state(connection, naming=naming, chosen=fixed)  # a name is not read as a text
    schema = await read_live_schema(connection, config)
    if embedder is not None:
        await store_kind_words(connection, embedder, schema)
    values = await index_values(connection, schema, progress)
    texts = await find_text_kinds(connection, schema)
    await index_text_words(connection, texts)
    own, passages = OwnVectors(), 0
    if open_embedder is not None:
        own = await find_own_vectors(connection, config, texts, open_embedder)
    if embedder is not None:
        others = own.list_others(texts)
        passages = await embed_passages(connection, others, embedder, most_passages, progress)
    vectors, by_label = write_vectors(own.used), _group_by_label(texts)
    await change_state(connection, texts=by_label, has_passages=passages > 0, vectors=vectors)
    await change_state(connection, indexed=True)
    await wait_for_indexes(connection, progress)
    counts = (await connection.scan_rows(_COUNT))[0]
    return IndexReport(
        tuple(labels), counts["named"], counts["embedded"], values, tuple(texts), passages, own
    )


async def remove_index(connection: GraphConnection) -> None:
    """Remove everything that we added; a graph that we loaded is then like any other."""
    for kind, kinds in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
        listed = f"SHOW {kinds} YIELD name WHERE name STARTS WITH '_trellis' RETURN name"
        for row in await connection.run_command(listed):
            await connection.run_command(f"DROP {kind} `{row['name']}` IF EXISTS")
    await connection.run_command(_REMOVE_NODES)
    await connection.run_command(_REMOVE_RELATIONSHIPS)
    await forget_passages(connection)
    await forget_state(connection)


def _group_by_label(kinds: Sequence[TextKind]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for kind in kinds:
        grouped.setdefault(kind.label, []).append(kind.property)
    return grouped


async def _name_nodes(
    connection: GraphConnection, naming: Naming, trusted: bool, progress: Progress
) -> None:
    """Name all nodes. `trusted`: our rules made all keys, so that a node whose name is right, and
    that has no other names, need not be read."""
    total, done = (await connection.read_rows(_ALL))[0]["count"], 0
    if not trusted and not (await connection.read_rows(_ANY_NAMED))[0]["any"]:
        await change_state(connection, named_by=NAMED_BY)
    batches = connection.stream_batches(
        _NAME_BATCH,
        _NODES,
        properties=list(naming.properties),
        others=list(naming.alias_properties),
        rules=naming.list_rules(),
        trusted=trusted,
    )
    async for rows in batches:
        renamed = [{"id": row["id"], **_name_row(row, naming)} for row in rows]
        changed = [new for row, new in zip(rows, renamed, strict=True) if _is_changed(row, new)]
        await _write_rows(connection, _NAME, [row for row in changed if row["name"] is not None])
        await _write_rows(connection, _UNNAME, [row for row in changed if row["name"] is None])
        progress("names", done := done + len(rows), total)
    if done < total:
        progress("names", total, total)
    await change_state(connection, named_by=NAMED_BY)


def _name_row(row: Row, naming: Naming) -> dict[str, Any]:
    return build_name_properties(
        naming.find_name(row["labels"], row["values"]),
        naming.find_aliases(row["labels"], row["others"]),
    )


def build_name_properties(name: str | None, aliases: Sequence[str]) -> dict[str, Any]:
    """What is kept of a node's name: the name, its key, the keys of all spellings, the aliases."""
    if name is None:
        return {"name": None, "key": None, "also": None, "aliases": None}
    others = [text for text in aliases if text != name]
    keys = dict.fromkeys(
        k[:_LONGEST_KEY] for text in (name, *others) for k in make_spelling_keys(text)
    )
    return {
        "name": name,
        "key": name_key(name)[:_LONGEST_KEY],
        "also": list(keys),
        "aliases": others or None,
    }


def _is_changed(row: Row, new: Row) -> bool:
    return any(row[part] != new[part] for part in ("name", "key", "also", "aliases"))


async def _embed_names(
    connection: GraphConnection, embedder: NamedEmbedder, previous_embedder: str, progress: Progress
) -> None:
    """Embed the names that have no vector, or all names if another embedder made the vectors.

    Names without a word (a number, a hash, a postcode) mean nothing to an embedder: they get no
    vector and are found by spelling alone.
    """
    if previous_embedder and previous_embedder != embedder.name:
        await connection.run_command(f"DROP INDEX {VECTOR_INDEX} IF EXISTS")
        await connection.run_command(_FORGET_VECTORS)
        await forget_kind_words(connection)
        await forget_passages(connection)
    await change_state(connection, embedder=embedder.name)
    counts = (await connection.scan_rows(_COUNT))[0]
    done = counts["embedded"]
    async for rows in connection.stream_batches(_VECTOR_BATCH, _UNEMBEDDED):
        worded = [row for row in rows if has_word(row["name"])]
        texts = [row["name"][:_LONGEST_TEXT].replace("_", " ") for row in worded]
        vectors = (await asyncio.to_thread(embedder.embed, texts)).tolist()
        pairs = zip(worded, vectors, strict=True)
        await _write_rows(connection, _EMBED, [{"id": r["id"], "vector": v} for r, v in pairs])
        progress("embeddings", done := done + len(rows), counts["named"])
    await make_vector_index(connection, VECTOR_INDEX, NAMED, embedder.dimensions)


def has_word(name: str) -> bool:
    """Whether a name holds a word: two letters or more, or a single letter beyond ASCII."""
    words = re.findall(r"[^\W_]+", name)
    return any(word.isalpha() and (len(word) > 1 or not word.isascii()) for word in words)


async def _write_rows(connection: GraphConnection, query: str, rows: Sequence[Row]) -> None:
    if rows:
        await connection.run_write(query, rows=rows)
