"""Searches the texts of nodes by words and by meaning, and reads the passages that are nearest."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from trellis.domain.graphs.graph import NodeId
from trellis.domain.graphs.texts import IndexedTexts, Passage, TextMatch, TextSearch
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.names import LONG_TEXT_INDEX, META, PASSAGE, PASSAGE_INDEX
from trellis.graph.database.nodes import node_expression, parse_node
from trellis.graph.searching import list_content_words, split_query_words
from trellis.graph.texts.own_vectors import OwnSearch

_SHOWN = 2  # passages of a node
_LONGEST = 4_000  # characters of a passage that are read
_LONGEST_WHOLE = 100_000  # characters of a text that are read for a phrase

_BY_WORDS = f"""
CALL db.index.fulltext.queryNodes('{LONG_TEXT_INDEX}', $words, {{limit: $limit}})
YIELD node, score RETURN elementId(node) AS id, score
"""
_BY_VECTOR = f"""
CALL db.index.vector.queryNodes('{PASSAGE_INDEX}', $limit, $vector)
YIELD node RETURN DISTINCT node._trellis_of AS id
"""
_BY_OWN_VECTOR = """
CALL db.index.vector.queryNodes($index, $limit, $vector)
YIELD node RETURN elementId(node) AS id
"""
_IS_COMPARABLE = """
CASE WHEN NOT valueType(text) STARTS WITH 'STRING' THEN false
     WHEN NOT valueType(stored) STARTS WITH 'LIST<FLOAT' THEN false
     WHEN size(stored) <> size(own.vector) THEN false
     ELSE abs(stored[0]) < 1e30 AND any(x IN stored WHERE x <> 0) END
"""  # no cosine can be computed of zeros, or of what a failed model writes: infinities or NaN
_READ = f"""
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT n:{META} AND any(l IN labels(n) WHERE l IN $labels)
CALL (n, id) {{
  MATCH (p:{PASSAGE}) WHERE p._trellis_of = id
  WITH p, vector.similarity.cosine(p._trellis_vector, $vector) AS score
  ORDER BY score DESC LIMIT $shown
  RETURN collect({{score: score, property: p._trellis_property, start: p._trellis_start,
                  text: substring(n[p._trellis_property], p._trellis_start,
                                  p._trellis_end - p._trellis_start),
                  length: size(n[p._trellis_property])}}) AS passages
}}
CALL (n) {{
  UNWIND $own AS own
  WITH own, n[own.property] AS text, n[own.stored_in] AS stored WHERE own.label IN labels(n)
  WITH own, text, stored WHERE {_IS_COMPARABLE}
  RETURN collect({{score: vector.similarity.cosine(stored, own.vector), property: own.property,
                  start: 0, text: substring(text, 0, $longest), length: size(text)}}) AS described
}}
WITH n, passages + described AS passages
RETURN {node_expression("n")} AS node, passages,
       CASE WHEN any(passage IN passages WHERE passage.text <> '') THEN [] ELSE
         [p IN $properties WHERE valueType(n[p]) STARTS WITH 'STRING' |
          [p, substring(n[p], 0, $longest), size(n[p])]] END AS texts
"""


_WITH_WORDS = f"""
CALL db.index.fulltext.queryNodes('{LONG_TEXT_INDEX}', $words, {{limit: $limit}})
YIELD node AS n, score WHERE any(l IN labels(n) WHERE l IN $labels)
RETURN {node_expression("n")} AS node, score,
       [p IN $properties WHERE valueType(n[p]) STARTS WITH 'STRING' |
        [p, substring(n[p], 0, $longest), size(n[p])]] AS texts
"""


async def find_texts(
    connection: GraphConnection, texts: IndexedTexts, phrase: str, limit: int
) -> list[TextMatch]:
    """The nodes whose texts have all words of a phrase, best first, with their whole texts."""
    rows = await connection.read_rows(
        _WITH_WORDS,
        words=" ".join(f"+{word}" for word in list_content_words(phrase)),
        limit=limit,
        labels=sorted(texts.labels),
        properties=sorted({kind.property for kind in texts.kinds}),
        longest=_LONGEST_WHOLE,
    )
    return [
        TextMatch(parse_node(row["node"]), _list_whole(row["texts"]), -1.0, row["score"])
        for row in rows
    ]


async def search_texts(
    connection: GraphConnection,
    texts: IndexedTexts,
    search: TextSearch,
    own: Sequence[OwnSearch] = (),
) -> list[TextMatch]:
    """The nodes whose texts are like what is searched for, in no order, and those of `among`.
    `own`: the searches of the user's vector indexes."""
    by_meaning = [_search_own(connection, each, search.limit) for each in own]
    if texts.has_passages:
        by_meaning.insert(0, _search_passages(connection, search))
    words, found = await asyncio.gather(
        _search_words(connection, search), asyncio.gather(*by_meaning)
    )
    near = [id for each in found for id in each]
    ids = list(dict.fromkeys((*near, *words, *search.among)))
    vector = None if search.vector is None else search.vector.tolist()
    rows = await connection.read_rows(
        _READ,
        ids=ids,
        vector=vector,
        own=[_describe_search(each) for each in own],
        labels=sorted(texts.labels),
        properties=sorted({kind.property for kind in texts.kinds}),
        shown=_SHOWN,
        longest=_LONGEST,
    )
    return [_parse_match(row, words) for row in rows]


async def _search_words(connection: GraphConnection, search: TextSearch) -> dict[NodeId, float]:
    words = " ".join(split_query_words(search.text))
    if not words:
        return {}
    rows = await connection.read_rows(_BY_WORDS, words=words, limit=search.limit)
    return {row["id"]: row["score"] for row in rows}


async def _search_passages(connection: GraphConnection, search: TextSearch) -> list[NodeId]:
    if search.vector is None:
        return []
    rows = await connection.read_rows(_BY_VECTOR, vector=search.vector.tolist(), limit=search.limit)
    return [row["id"] for row in rows]


async def _search_own(connection: GraphConnection, own: OwnSearch, limit: int) -> list[NodeId]:
    rows = await connection.read_rows(
        _BY_OWN_VECTOR, index=own.index.index, vector=own.vector, limit=limit
    )
    return [row["id"] for row in rows]


def _describe_search(own: OwnSearch) -> Row:
    kind = own.index.kind
    return {
        "label": kind.label,
        "property": kind.property,
        "stored_in": own.index.stored_in,
        "vector": own.vector,
    }


def _parse_match(row: Row, words: dict[NodeId, float]) -> TextMatch:
    node = parse_node(row["node"])
    scored = [each for each in row["passages"] if each["text"]]
    scored.sort(key=lambda each: -(each["score"] or 0))
    passages = tuple(
        Passage(each["property"], each["start"], each["text"][:_LONGEST], each["length"])
        for each in scored[:_SHOWN]
    )
    whole = _list_whole(row["texts"])
    closeness = 2 * scored[0]["score"] - 1 if scored and scored[0]["score"] is not None else -1.0
    return TextMatch(node, passages or whole, closeness, words.get(node.id, 0.0))


def _list_whole(texts: Sequence[tuple[str, str, int]]) -> tuple[Passage, ...]:
    """Texts as passages, of their property, beginning and length."""
    return tuple(Passage(name, 0, text, length) for name, text, length in texts if text)
