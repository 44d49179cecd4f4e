"""Finds nodes by name: by key, by full-text search that forgives typos, and by vector search."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, NodeName
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.names import ALSO_INDEX, NAMED, TEXT_INDEX, VECTOR_INDEX
from trellis.graph.database.nodes import node_expression, parse_node
from trellis.linking.names.closeness import measure_closeness
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.names.spellings import make_spelling_keys
from trellis.linking.text import name_key, remove_accents

Words = tuple[str, ...]

_EXACT = f"""
MATCH (n:{NAMED}) WHERE n._trellis_key IN $keys
RETURN n._trellis_key AS key, {node_expression("n")} AS node ORDER BY key, elementId(n)
"""
_BY_START = f"""
MATCH (n:{NAMED}) WHERE n._trellis_key STARTS WITH $start
WITH n LIMIT $most
RETURN {node_expression("n")} AS node ORDER BY size(n._trellis_key), n._trellis_key, elementId(n)
"""
_ALSO = f"""
UNWIND $queries AS query
CALL (query) {{
  CALL db.index.fulltext.queryNodes('{ALSO_INDEX}', query, {{limit: $limit}}) YIELD node
  RETURN {node_expression("node")} AS node, coalesce(node._trellis_aliases, []) AS aliases
}}
RETURN node, aliases ORDER BY node.id
"""
_BY_TEXT = f"""
UNWIND range(0, size($queries) - 1) AS row
CALL (row) {{
  CALL db.index.fulltext.queryNodes('{TEXT_INDEX}', $queries[row], {{limit: $limit}}) YIELD node
  RETURN collect({{node: {node_expression("node")}, aliases: node._trellis_aliases}}) AS found
}}
RETURN row, found
"""
_BY_VECTOR = f"""
UNWIND range(0, size($vectors) - 1) AS row
CALL (row) {{
  CALL db.index.vector.queryNodes('{VECTOR_INDEX}', $limit, $vectors[row]) YIELD node, score
  RETURN collect({{node: {node_expression("node")}, score: score}}) AS found
}}
RETURN row, found
"""
_MOST_STARTED = 500  # nodes of one beginning that are looked at
_MOST_NODES = 40  # of one query: Lucene ranks them by rare words, then we rank them by spelling
_MOST_WORDS = 12  # of one query
_MOST_KEYS = 500  # of one query: Lucene takes about a thousand
_MOST_OF_A_KEY = 1_000  # nodes of one query of keys
_LEAST_FUZZY, _MOST_FUZZY = 4, 40  # letters of a word that may have a typo
_LONGEST_WORD = 255  # characters; the analyzer splits longer words
_WORD = re.compile(r"\w+(?:['’.]\w+)*")
_LEAST_SCORE = 1e-3
_CLOSE = 0.75  # closeness from which a text is not searched again with more typos
_LONGEST_CODE = 3  # characters; aliases so short are codes, which are close to any short word
_ALIAS_WEIGHT = 0.98  # weight of an alias, so that an equally close name wins


async def find_by_key(connection: GraphConnection, keys: Sequence[str]) -> dict[str, list[Node]]:
    """Find nodes by the `name_key` of their naming text; keys without a node are left out."""
    nodes: dict[str, list[Node]] = defaultdict(list)
    for row in await connection.read_rows(_EXACT, keys=list(keys)):
        nodes[row["key"]].append(parse_node(row["node"]))
    return dict(nodes)


async def find_by_start(connection: GraphConnection, start: str) -> list[Node]:
    """Find nodes whose key begins with that of a text, the shortest first; some of very many."""
    key = name_key(start)
    rows = await connection.read_rows(_BY_START, start=key, most=_MOST_STARTED) if key else []
    return [parse_node(row["node"]) for row in rows]


async def find_by_spelling(
    connection: GraphConnection, keys: Sequence[str]
) -> dict[str, list[NodeName]]:
    """Find nodes by the `spellings` of their names and aliases; at most 1,000 for 500 keys."""
    wanted = set(keys)
    parts = (keys[at : at + _MOST_KEYS] for at in range(0, len(keys), _MOST_KEYS))
    queries = [" OR ".join(part) for part in parts]  # without OR, Lucene reads one key
    called: dict[str, list[NodeName]] = defaultdict(list)
    for row in await connection.read_rows(_ALSO, queries=queries, limit=_MOST_OF_A_KEY):
        node = parse_node(row["node"])
        for text in (node.name, *row["aliases"]):
            for key in wanted.intersection(make_spelling_keys(text)):
                called[key].append(NodeName(node, text))
    return dict(called)


async def search_by_text(
    connection: GraphConnection, texts: Sequence[str], limit: int
) -> list[list[Link]]:
    """For each text the nodes of similar spelling, scored by `measure_closeness`.

    A text whose words are all in another text shares that text's query. The first search forgives
    one typo in a word. The second forgives two, for the words of texts without a close match.
    """
    words = [split_query_words(text) for text in texts]
    whole = _drop_contained(words)
    results = await _run_text_search(connection, whole, 1)
    links = _link_texts(texts, words, results, limit)
    pairs = zip(words, links, strict=True)
    matched = {
        word for words_of_text, best in pairs if _has_close_link(best) for word in words_of_text
    }
    again = _drop_contained(tuple(word for word in query if word not in matched) for query in whole)
    if not again:
        return links
    return _link_texts(texts, words, results | await _run_text_search(connection, again, 2), limit)


async def _run_text_search(
    connection: GraphConnection, word_lists: Sequence[Words], typos: int
) -> dict[Words, list[list[NodeName]]]:
    queries = [" ".join(format_fuzzy_word(word, typos) for word in words) for words in word_lists]
    rows = (
        await connection.read_rows(_BY_TEXT, queries=queries, limit=_MOST_NODES) if queries else []
    )
    return {word_lists[row["row"]]: [_parse_called(node) for node in row["found"]] for row in rows}


def _link_texts(
    texts: Sequence[str],
    words: Sequence[Words],
    results: Mapping[Words, Sequence[Sequence[NodeName]]],
    limit: int,
) -> list[list[Link]]:
    pairs = zip(texts, words, strict=True)
    return [rank_text_links(text, _pool_results(query, results), limit) for text, query in pairs]


def _has_close_link(links: Sequence[Link]) -> bool:
    return bool(links) and links[0].score >= _CLOSE


def rank_text_links(text: str, candidates: Iterable[Sequence[NodeName]], limit: int) -> list[Link]:
    """Links to the nodes of similar spelling, closest first; nodes unlike the text are left out."""
    scored = [Link(calls[0].node, _score_node(text, calls), "text") for calls in candidates]
    return select_best_links([link for link in scored if link.score >= _LEAST_SCORE], limit)


def _score_node(text: str, calls: Sequence[NodeName]) -> float:
    return max(
        measure_closeness(text, c.text) * (_ALIAS_WEIGHT if c.is_alias else 1.0) for c in calls
    )


def _parse_called(row: Row) -> list[NodeName]:
    """A node with its name, then with each alias that is longer than a code."""
    node = parse_node(row["node"])
    aliases = (text for text in row["aliases"] or () if len(text) > _LONGEST_CODE)
    return [NodeName(node, text) for text in (node.name, *aliases)]


def _drop_contained(word_lists: Iterable[Words]) -> list[Words]:
    """The lists of words that are not contained in a longer list."""
    widest: list[Words] = []
    for candidate in sorted(word_lists, key=len, reverse=True):
        if candidate and not any(set(candidate) <= set(wider) for wider in widest):
            widest.append(candidate)
    return widest


def _pool_results(
    words: Words, results: Mapping[Words, Sequence[Sequence[NodeName]]]
) -> list[Sequence[NodeName]]:
    """The results of all queries that hold all these words, each node once."""
    rows = [nodes for query, nodes in results.items() if words and set(words) <= set(query)]
    return list({calls[0].node.id: calls for nodes in rows for calls in nodes}.values())


def select_best_links(links: list[Link], limit: int) -> list[Link]:
    """The `limit` links of the highest scores; ties are ordered by name and id, always alike."""
    return sorted(links, key=lambda link: (-link.score, link.node.name, link.node.id))[:limit]


def split_query_words(text: str) -> Words:
    """The words of a full-text query, in lower case, without characters of Lucene's syntax.

    Function words are left out if two other words remain: half of all names hold `the` or `of`.
    """
    words = list(dict.fromkeys(_WORD.findall(remove_accents(text))))
    content = [word for word in words if word not in FUNCTION_WORDS]
    return tuple((content if len(content) > 1 else words)[:_MOST_WORDS])


def list_content_words(text: str) -> list[str]:
    """The words of a text in lower case, with their accents, without characters of Lucene's syntax;
    without function words if any others remain."""
    words = _WORD.findall(text.lower())
    return [word for word in words if word not in FUNCTION_WORDS] or words


def format_fuzzy_word(word: str, typos: int) -> str:
    """A word of a Lucene query that allows `typos` edits; only one for the shortest words, and none
    for words that are shorter or very long."""
    if not _LEAST_FUZZY <= len(word) <= _MOST_FUZZY:
        return word[:_LONGEST_WORD]
    return f"{word}~{typos if len(word) > _LEAST_FUZZY else 1}"


async def search_by_vector(
    connection: GraphConnection, vectors: NDArray[np.float32], limit: int
) -> list[list[Link]]:
    """For each row of `vectors` [n, d] the nearest names; the score is the cosine."""
    links: list[list[Link]] = [[] for _ in vectors]
    if not len(vectors):
        return links
    rows = await connection.read_rows(_BY_VECTOR, vectors=vectors.tolist(), limit=limit)
    for row in rows:
        scored = [
            Link(parse_node(f["node"]), _cosine_of_score(f["score"]), "vector")
            for f in row["found"]
        ]
        links[row["row"]] = select_best_links(scored, limit)
    return links


def _cosine_of_score(score: float) -> float:
    """The cosine of a vector index's score, which is (1 + cosine) / 2."""
    return min(1.0, max(_LEAST_SCORE, 2 * score - 1))
