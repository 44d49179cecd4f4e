"""Nodes by name: by key, by full-text search that forgives typos, and by nearness of meaning."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from trellis.domain.closeness import closeness
from trellis.domain.text import name_key
from trellis.domain.values import Link, Node
from trellis.graph.connection import GraphConnection
from trellis.graph.names import NAMED, TEXT_INDEX, VECTOR_INDEX
from trellis.graph.nodes import as_node, node_of

_EXACT = f"""
MATCH (n:{NAMED}) WHERE n._trellis_key IN $keys
RETURN n._trellis_key AS key, {node_of("n")} AS node ORDER BY key, elementId(n)
"""
_BY_TEXT = f"""
UNWIND $searches AS search
CALL (search) {{
  CALL db.index.fulltext.queryNodes('{TEXT_INDEX}', search.query, {{limit: $limit}})
  YIELD node RETURN collect({node_of("node")}) AS nodes
}}
RETURN search.row AS row, nodes
"""
_BY_VECTOR = f"""
UNWIND range(0, size($vectors) - 1) AS row
CALL (row) {{
  CALL db.index.vector.queryNodes('{VECTOR_INDEX}', $limit, $vectors[row]) YIELD node, score
  RETURN collect({{node: {node_of("node")}, score: score}}) AS found
}}
RETURN row, found
"""
_WIDER = 2  # full-text search ranks by rare words, we by spelling: look at more than asked for
_MOST_WORDS = 32
_LEAST_FUZZY, _MOST_FUZZY = 3, 40  # letters of a word that may have a typo
_LONGEST_WORD = 255  # of what the analyzer keeps whole
_WORD = re.compile(r"\w+(?:['’.]\w+)*")
_LEAST_SCORE = 1e-3


async def exact(connection: GraphConnection, keys: Sequence[str]) -> dict[str, list[Node]]:
    """Nodes by `name_key` of their naming text."""
    found: dict[str, list[Node]] = defaultdict(list)
    for row in await connection.read(_EXACT, keys=list(keys)):
        found[row["key"]].append(as_node(row["node"]))
    return dict(found)


async def by_text(
    connection: GraphConnection, texts: Sequence[str], limit: int
) -> list[list[Link]]:
    """For each text the nodes of like spelling; the score is the `closeness` of the names."""
    queries = enumerate(map(fuzzy_query, texts))
    searches = [{"row": row, "query": query} for row, query in queries if query]
    links: list[list[Link]] = [[] for _ in texts]
    for row in await connection.read(_BY_TEXT, searches=searches, limit=_WIDER * limit):
        text = texts[row["row"]]
        links[row["row"]] = text_links(text, map(as_node, row["nodes"]), limit)
    return links


def text_links(text: str, nodes: Iterable[Node], limit: int) -> list[Link]:
    """The closest in spelling first; those that are not like the text at all left out."""
    scored = [Link(node, min(1.0, closeness(text, node.name)), "text") for node in nodes]
    return best([link for link in scored if link.score >= _LEAST_SCORE], limit)


def best(links: list[Link], limit: int) -> list[Link]:
    """The best `limit` in an order that does not change from call to call."""
    return sorted(links, key=lambda link: (-link.score, link.node.name, link.node.id))[:limit]


def fuzzy_query(text: str) -> str:
    """A Lucene query: every word as it is, or with a typo (two in a long word); never its syntax.

    Words hold no character that Lucene reads as an operator, and are in lower case.
    """
    words = dict.fromkeys(_WORD.findall(name_key(text)))
    return " ".join(map(_fuzzy_word, list(words)[:_MOST_WORDS]))


def _fuzzy_word(word: str) -> str:
    if not _LEAST_FUZZY <= len(word) <= _MOST_FUZZY:
        return word[:_LONGEST_WORD]
    return f"{word}^3 {word}~{2 if len(word) >= 8 else 1}"


async def by_vector(
    connection: GraphConnection, vectors: NDArray[np.float32], limit: int
) -> list[list[Link]]:
    """For each row of `vectors` [n, d] the nearest names; the score is the cosine."""
    links: list[list[Link]] = [[] for _ in vectors]
    if not len(vectors):
        return links
    rows = await connection.read(_BY_VECTOR, vectors=vectors.tolist(), limit=limit)
    for row in rows:
        scored = [Link(as_node(f["node"]), _cosine(f["score"]), "vector") for f in row["found"]]
        links[row["row"]] = best(scored, limit)
    return links


def _cosine(score: float) -> float:
    """Neo4j gives (1 + cosine) / 2."""
    return min(1.0, max(_LEAST_SCORE, 2 * score - 1))
