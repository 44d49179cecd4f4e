"""How many of the values in gold queries linking finds in their questions, and how fast."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import numpy as np

from trellis.domain.links import ValueLink
from trellis.evaluation.benchmark.figure import Figure
from trellis.evaluation.suite import read_suite
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.connection import GraphConnection
from trellis.graph.trie_cache import TrieCache
from trellis.graph.trie_files import TrieFiles
from trellis.steps.queries.link_values import link_values

_NODE = re.compile(r"\((\w+):(\w+)")
_EQUAL = re.compile(r'(\w+)\.(\w+) = "([^"]*)"')


Gold = tuple[str, str, str]


async def figures(connection: GraphConnection, file: Path) -> list[Figure]:
    """Recall of (label, property, value), and how often the best of a span is one of the gold."""
    suite = [(one.question, gold_values(one.cypher or "")) for one in read_suite(file)]
    graph = CachedGraph(connection, TrieCache(1), TrieFiles(file.parent))
    await link_values(suite[0][0], graph)
    links, seconds = [], []
    for question, _ in suite:
        began = time.perf_counter()
        links.append(await link_values(question, graph))
        seconds.append(time.perf_counter() - began)
    pairs = [(one, found) for (_, gold), found in zip(suite, links, strict=True) for one in gold]
    there = mean(any(_says(link, one) for link in found) for one, found in pairs)
    first = mean(_is_first(one, found) for one, found in pairs)
    p50, p95 = np.percentile([1000 * taken for taken in seconds], (50, 95))
    quality = f"recall {there:.3f}, first of its span {first:.3f}"
    cost = f"{mean(map(len, links)):.1f} values, p50 {p50:.0f} ms, p95 {p95:.0f} ms"
    return [Figure(f"values, {file.parent.name} ({len(suite)})", f"{quality}; {cost}")]


def gold_values(cypher: str) -> set[Gold]:
    """The (label, property, value) that a query compares texts with."""
    labels = dict(_NODE.findall(cypher))
    return {(labels[node], name, value) for node, name, value in _EQUAL.findall(cypher)}


def _says(link: ValueLink, gold: Gold) -> bool:
    return (link.label, link.property, link.value) == gold


def _is_first(gold: Gold, found: Sequence[ValueLink]) -> bool:
    """Whether nothing that overlaps the span that says it is ranked above it; ties count."""
    own = next((link for link in found if _says(link, gold)), None)
    if own is None:
        return False
    beside = [link for link in found if link.start < own.end and own.start < link.end]
    return own.score >= max(link.score for link in beside)
