"""The recall and speed of linking the values of gold queries in their questions."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import numpy as np

from bench.figure import Figure
from trellis.domain.graphs.links import Mention
from trellis.evaluation.suite import read_suite
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neighbourhoods.trie_cache import TrieCache
from trellis.graph.neighbourhoods.trie_files import TrieFiles
from trellis.steps.link.values.link_values import link_values

_NODE = re.compile(r"\((\w+):(\w+)")
_EQUAL = re.compile(r'(\w+)\.(\w+) = "([^"]*)"')


GoldValue = tuple[str, str, str]


async def measure_value_linking(connection: GraphConnection, file: Path) -> list[Figure]:
    """Recall of (label, property, value), and how often the best value of a span is a gold one."""
    suite = [(row.question, find_gold_values(row.cypher or "")) for row in read_suite(file)]
    graph = CachedGraph(connection, TrieCache(1), TrieFiles(file.parent))
    await link_values(suite[0][0], graph)
    mentions, seconds = [], []
    for question, _ in suite:
        began = time.perf_counter()
        mentions.append(await link_values(question, graph))
        seconds.append(time.perf_counter() - began)
    pairs = [
        (value, linked) for (_, gold), linked in zip(suite, mentions, strict=True) for value in gold
    ]
    recall = mean(
        any(_means_gold_value(mention, value) for mention in linked) for value, linked in pairs
    )
    first = mean(_is_ranked_first(value, linked) for value, linked in pairs)
    p50, p95 = np.percentile([1000 * taken for taken in seconds], (50, 95))
    quality = f"recall {recall:.3f}, first of its span {first:.3f}"
    cost = f"{mean(map(len, mentions)):.1f} values, p50 {p50:.0f} ms, p95 {p95:.0f} ms"
    return [Figure(f"values, {file.parent.name} ({len(suite)})", f"{quality}; {cost}")]


def find_gold_values(cypher: str) -> set[GoldValue]:
    """The (label, property, value) of each comparison with a text in a query."""
    labels = dict(_NODE.findall(cypher))
    return {(labels[node], name, value) for node, name, value in _EQUAL.findall(cypher)}


def _means_gold_value(mention: Mention, gold: GoldValue) -> bool:
    stored = mention.best.stored
    return (stored.label, stored.property, stored.value) == gold


def _is_ranked_first(gold: GoldValue, mentions: Sequence[Mention]) -> bool:
    """Whether the gold value is found, and no mention that overlaps it has a higher score."""
    own = next((mention for mention in mentions if _means_gold_value(mention, gold)), None)
    if own is None:
        return False
    beside = [other for other in mentions if other.start < own.end and own.start < other.end]
    return own.score >= max(other.score for other in beside)
