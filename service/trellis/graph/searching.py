"""Nodes by name: by key, by full-text search that forgives typos, and by nearness of meaning."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graph import Node
from trellis.domain.links import Called, Link
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.names import ALSO_INDEX, NAMED, TEXT_INDEX, VECTOR_INDEX
from trellis.graph.nodes import as_node, node_of
from trellis.linking.closeness import closeness
from trellis.linking.spans import FUNCTION_WORDS
from trellis.linking.spellings import spellings
from trellis.linking.text import without_accents

Words = tuple[str, ...]

_EXACT = f"""
MATCH (n:{NAMED}) WHERE n._trellis_key IN $keys
RETURN n._trellis_key AS key, {node_of("n")} AS node ORDER BY key, elementId(n)
"""
_ALSO = f"""
UNWIND $queries AS query
CALL (query) {{
  CALL db.index.fulltext.queryNodes('{ALSO_INDEX}', query, {{limit: $limit}}) YIELD node
  RETURN {node_of("node")} AS node, coalesce(node._trellis_aliases, []) AS aliases
}}
RETURN node, aliases ORDER BY node.id
"""
_BY_TEXT = f"""
UNWIND range(0, size($queries) - 1) AS row
CALL (row) {{
  CALL db.index.fulltext.queryNodes('{TEXT_INDEX}', $queries[row], {{limit: $limit}}) YIELD node
  RETURN collect({{node: {node_of("node")}, aliases: node._trellis_aliases}}) AS found
}}
RETURN row, found
"""
_BY_VECTOR = f"""
UNWIND range(0, size($vectors) - 1) AS row
CALL (row) {{
  CALL db.index.vector.queryNodes('{VECTOR_INDEX}', $limit, $vectors[row]) YIELD node, score
  RETURN collect({{node: {node_of("node")}, score: score}}) AS found
}}
RETURN row, found
"""
_MOST_NODES = 40  # of one query: full-text search ranks by rare words, we by spelling
_MOST_WORDS = 12
_MOST_KEYS = 500  # of one query: Lucene takes about a thousand
_MOST_OF_A_KEY = 1_000
_LEAST_FUZZY, _MOST_FUZZY = 4, 40  # letters of a word that may have a typo
_LONGEST_WORD = 255  # of what the analyzer keeps whole
_WORD = re.compile(r"\w+(?:['’.]\w+)*")
_LEAST_SCORE = 1e-3
_LIKE = 0.75  # closeness from which a search is over
_CODE = 3  # letters
_ALIAS = 0.98  # a little less than the name, where both are as like


async def exact(connection: GraphConnection, keys: Sequence[str]) -> dict[str, list[Node]]:
    """Nodes by `name_key` of their naming text."""
    found: dict[str, list[Node]] = defaultdict(list)
    for row in await connection.read(_EXACT, keys=list(keys)):
        found[row["key"]].append(as_node(row["node"]))
    return dict(found)


async def also(connection: GraphConnection, keys: Sequence[str]) -> dict[str, list[Called]]:
    """Nodes by the `spellings` of their names and aliases; never more than a thousand."""
    wanted = set(keys)
    parts = (keys[at : at + _MOST_KEYS] for at in range(0, len(keys), _MOST_KEYS))
    queries = [" OR ".join(part) for part in parts]  # words side by side would be one key
    found: dict[str, list[Called]] = defaultdict(list)
    for row in await connection.read(_ALSO, queries=queries, limit=_MOST_OF_A_KEY):
        node = as_node(row["node"])
        for text in (node.name, *row["aliases"]):
            for key in wanted.intersection(spellings(text)):
                found[key].append(Called(node, text))
    return dict(found)


async def by_text(
    connection: GraphConnection, texts: Sequence[str], limit: int
) -> list[list[Link]]:
    """For each text the nodes of like spelling; the score is the `closeness` of the names.

    A text whose words are all in another text is searched along with it. One typo a word is
    forgiven; two in words that are in no text for which something like it was found so.
    """
    words = [query_words(text) for text in texts]
    whole = _widest(words)
    found = await _found(connection, whole, 1)
    links = _links(texts, words, found, limit)
    pairs = zip(words, links, strict=True)
    fine = {word for some, those in pairs if _is_like(those) for word in some}
    poor = _widest(tuple(word for word in some if word not in fine) for some in whole)
    if not poor:
        return links
    return _links(texts, words, found | await _found(connection, poor, 2), limit)


async def _found(
    connection: GraphConnection, whole: Sequence[Words], typos: int
) -> dict[Words, list[list[Called]]]:
    queries = [" ".join(fuzzy_word(word, typos) for word in words) for words in whole]
    rows = await connection.read(_BY_TEXT, queries=queries, limit=_MOST_NODES) if queries else []
    return {whole[row["row"]]: [_called(one) for one in row["found"]] for row in rows}


def _links(
    texts: Sequence[str],
    words: Sequence[Words],
    found: Mapping[Words, Sequence[Sequence[Called]]],
    limit: int,
) -> list[list[Link]]:
    pairs = zip(texts, words, strict=True)
    return [text_links(text, _pooled(some, found), limit) for text, some in pairs]


def _is_like(links: Sequence[Link]) -> bool:
    return bool(links) and links[0].score >= _LIKE


def text_links(text: str, found: Iterable[Sequence[Called]], limit: int) -> list[Link]:
    """The closest in spelling first; those that are not like the text at all left out."""
    scored = [Link(calls[0].node, _likeness(text, calls), "text") for calls in found]
    return best([link for link in scored if link.score >= _LEAST_SCORE], limit)


def _likeness(text: str, calls: Sequence[Called]) -> float:
    return max(closeness(text, c.text) * (_ALIAS if c.is_alias else 1.0) for c in calls)


def _called(row: Row) -> list[Called]:
    """A node under its name, then under its aliases; codes are like every short word."""
    node = as_node(row["node"])
    aliases = (text for text in row["aliases"] or () if len(text) > _CODE)
    return [Called(node, text) for text in (node.name, *aliases)]


def _widest(words: Iterable[Words]) -> list[Words]:
    """Those lists of words that no longer one holds."""
    kept: list[Words] = []
    for some in sorted(words, key=len, reverse=True):
        if some and not any(set(some) <= set(other) for other in kept):
            kept.append(some)
    return kept


def _pooled(
    words: Words, found: Mapping[Words, Sequence[Sequence[Called]]]
) -> list[Sequence[Called]]:
    """What the queries that hold all these words found, each node once."""
    rows = [those for whole, those in found.items() if words and set(words) <= set(whole)]
    return list({calls[0].node.id: calls for those in rows for calls in those}.values())


def best(links: list[Link], limit: int) -> list[Link]:
    """The best `limit` in an order that does not change from call to call."""
    return sorted(links, key=lambda link: (-link.score, link.node.name, link.node.id))[:limit]


def query_words(text: str) -> Words:
    """The words of a full-text query, in lower case, none with a character of Lucene's syntax.

    Grammar is left out where enough else is said: half of all names hold `the` or `of`.
    """
    words = list(dict.fromkeys(_WORD.findall(without_accents(text))))
    telling = [word for word in words if word not in FUNCTION_WORDS]
    return tuple((telling if len(telling) > 1 else words)[:_MOST_WORDS])


def fuzzy_word(word: str, typos: int) -> str:
    """A word of a Lucene query: with one or two typos, unless it is short."""
    if not _LEAST_FUZZY <= len(word) <= _MOST_FUZZY:
        return word[:_LONGEST_WORD]
    return f"{word}~{typos if len(word) > _LEAST_FUZZY else 1}"


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
