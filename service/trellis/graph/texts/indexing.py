"""Indexes the texts of nodes: a full-text index of Neo4j's, and passages with their vectors.

Passages are nodes of ours. The full-text index is kept by Neo4j itself; vectors follow with the
next `trellis index`, which embeds what is new or was changed, and goes on where it stopped.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Iterator, Sequence

from trellis.domain.graphs.texts import TextKind
from trellis.domain.identifiers import quote_name, split_identifier
from trellis.domain.ports import NamedEmbedder
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.names import LONG_TEXT_INDEX, META, PASSAGE, PASSAGE_INDEX
from trellis.graph.database.progress import Progress
from trellis.graph.indexes.index_building import make_text_index, make_vector_index

_BATCH = 200  # nodes
_LONGEST = 100_000  # characters of a text that are read: passages reach no farther
_MARK_LENGTH = 16  # characters

_COUNT = "MATCH (n:{label}) RETURN count(n) AS count"
_TEXTS = """
MATCH (n:{label}) WHERE any(p IN $properties WHERE valueType(n[p]) STARTS WITH 'STRING')
RETURN elementId(n) AS id, n._trellis_name AS name,
       [p IN $properties | CASE WHEN valueType(n[p]) STARTS WITH 'STRING'
                           THEN substring(n[p], 0, $longest) END] AS texts,
       [p IN $properties | CASE WHEN valueType(n[p]) STARTS WITH 'STRING'
                           THEN size(n[p]) END] AS sizes
"""
_KNOWN = f"""
MATCH (p:{PASSAGE}) WHERE p._trellis_of IN $ids
RETURN DISTINCT p._trellis_of AS id, p._trellis_mark AS mark
"""
_REPLACE = f"""
UNWIND $rows AS row
CALL (row) {{
  MATCH (old:{PASSAGE}) WHERE old._trellis_of = row.id
  DELETE old
}}
CALL (row) {{
  UNWIND row.passages AS passage
  CREATE (p:{PASSAGE}:{META})
  SET p._trellis_of = row.id, p._trellis_mark = row.mark, p._trellis_property = passage.property,
      p._trellis_start = passage.start, p._trellis_end = passage.end
  WITH p, passage
  CALL db.create.setNodeVectorProperty(p, '_trellis_vector', passage.vector)
}}
"""
_FORGET_OTHERS = f"""
MATCH (p:{PASSAGE}) WHERE NOT EXISTS {{
  MATCH (n) WHERE elementId(n) = p._trellis_of
              AND any(kind IN $kinds WHERE kind[0] IN labels(n) AND kind[1] = p._trellis_property)
}}
CALL (p) {{ DELETE p }} IN TRANSACTIONS OF 10000 ROWS
"""
_FORGET = f"MATCH (p:{PASSAGE}) CALL (p) {{ DELETE p }} IN TRANSACTIONS OF 10000 ROWS"
_HELD = f"MATCH (p:{PASSAGE}) RETURN count(p) AS count"

_WORDS = 150  # of a passage: some 200 tokens, of the 256 that the usual embedder reads
_STEP = 120  # words from one passage to the next: what a cut parts stands whole in one of them
_MOST_PASSAGES = 50  # of one text; what is behind them is found by its words alone
_LONGEST_WORD = 40  # characters: longer ones are data, such as a key or a picture
_WORD = re.compile(r"\S+")


async def index_text_words(connection: GraphConnection, kinds: Sequence[TextKind]) -> None:
    """Make one full-text index over all texts."""
    pairs = ((kind.label, kind.property) for kind in kinds)
    await make_text_index(connection, LONG_TEXT_INDEX, "english", pairs)


async def embed_passages(
    connection: GraphConnection,
    kinds: Sequence[TextKind],
    embedder: NamedEmbedder,
    most: int,
    progress: Progress,
) -> int:
    """Embed the passages of all texts, as far as those that are there are of other texts, and give
    their number. Of more than `most` the rest has no vectors. Passages of other texts are
    removed."""
    pairs = [(kind.label, kind.property) for kind in kinds]
    await connection.run_command(_FORGET_OTHERS, kinds=pairs)
    count = (await connection.scan_rows(_HELD))[0]["count"]
    for label in dict.fromkeys(kind.label for kind in kinds):
        names = [kind.property for kind in kinds if kind.label == label]
        total = (await connection.scan_rows(_COUNT.format(label=quote_name(label))))[0]["count"]
        done = 0
        query = _TEXTS.format(label=quote_name(label))
        async for rows in connection.stream_batches(
            _BATCH, query, properties=names, longest=_LONGEST
        ):
            changed = await _find_changed(connection, rows, names, embedder.name)
            if changed and count < most:
                count += await _write_passages(connection, changed, embedder)
            progress(f"texts of {label}", done := done + len(rows), total)
    if count:
        await make_vector_index(connection, PASSAGE_INDEX, PASSAGE, embedder.dimensions)
    return (await connection.scan_rows(_HELD))[0]["count"] if kinds else 0


async def forget_passages(connection: GraphConnection) -> None:
    """Remove all passages and their index, as for an embedder of other dimensions."""
    await connection.run_command(f"DROP INDEX {PASSAGE_INDEX} IF EXISTS")
    await connection.run_command(_FORGET)


async def _find_changed(
    connection: GraphConnection, rows: Sequence[Row], names: Sequence[str], embedder: str
) -> list[Row]:
    """The nodes whose texts have other passages than they should, with their new ones."""
    ids = [row["id"] for row in rows]
    known = {row["id"]: row["mark"] for row in await connection.read_rows(_KNOWN, ids=ids)}
    marked = [(row, _mark_texts(row, names, embedder)) for row in rows]
    return [
        {"id": row["id"], "mark": mark, "passages": _list_passages(row, names)}
        for row, mark in marked
        if known.get(row["id"]) != mark
    ]


def _mark_texts(row: Row, names: Sequence[str], embedder: str) -> str:
    said = repr((embedder, row["name"], list(zip(names, row["texts"], row["sizes"], strict=True))))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK_LENGTH]


def _list_passages(row: Row, properties: Sequence[str]) -> list[Row]:
    """The passages of a node; what is embedded of each begins with the words of the node's name."""
    named = " ".join(split_identifier(row["name"] or ""))
    return [
        {"property": name, "start": start, "end": end, "text": f"{named}. {text[start:end]}"}
        for name, text in zip(properties, row["texts"], strict=True)
        if text
        for start, end in split_passages(text)
    ]


async def _write_passages(
    connection: GraphConnection, rows: Sequence[Row], embedder: NamedEmbedder
) -> int:
    passages = [passage for row in rows for passage in row["passages"]]
    texts = [passage.pop("text") for passage in passages]
    vectors = (await asyncio.to_thread(embedder.embed, texts)).tolist() if texts else []
    for passage, vector in zip(passages, vectors, strict=True):
        passage["vector"] = vector
    await connection.run_write(_REPLACE, rows=rows)
    return len(passages)


def split_passages(text: str) -> Iterator[tuple[int, int]]:
    """The passages of a text that an embedder reads whole, as where each begins and ends."""
    spans = (match.span() for match in _WORD.finditer(text))
    words = [(start, end) for start, end in spans if end - start <= _LONGEST_WORD]
    for count, first in enumerate(range(0, len(words), _STEP)):
        last = min(first + _WORDS, len(words))
        yield words[first][0], words[last - 1][1]
        if last == len(words) or count + 1 == _MOST_PASSAGES:
            return
