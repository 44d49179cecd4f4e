"""The `Graph` port over a graph in memory: small, whole, and held to Neo4j's contract tests."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from memory_patterns import search_by_brute_force
from memory_traces import trace_by_brute_force
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.relation_paths import find_relation_paths
from trellis.domain.graphs.facts import PropertyFact
from trellis.domain.graphs.graph import (
    Neighbourhood,
    Node,
    NodeId,
    ReachedNode,
    RelationPath,
    Revisit,
    Step,
    Triple,
    Walk,
)
from trellis.domain.graphs.links import Link, NearName, NodeName, StoredValue
from trellis.domain.graphs.reachable import ReachablePaths
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.graphs.texts import IndexedTexts, TextMatch, TextSearch
from trellis.domain.models.token_vectors import TokenVectors
from trellis.domain.ports import Embedder
from trellis.domain.structures.patterns import PatternMatches, PatternSearch
from trellis.domain.structures.traces import Traces, TraceSearch
from trellis.graph.indexes.kind_words import list_label_names, list_relation_names, write_words
from trellis.linking.names.closeness import measure_closeness
from trellis.linking.names.spellings import make_spelling_keys
from trellis.linking.text import name_key
from trellis.linking.values.value_index import ValueIndex

_CODE = 3  # letters up to which an alias is no word that is spelt wrong
_ALIKE = 0.6  # spelling from which full-text search would find a name


class TrigramEmbedder:
    """Unit vectors of hashed letter trigrams: a real embedder of spelling, without a model."""

    name = "trigrams"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            padded = f" {name_key(text)} "
            for at in range(len(padded) - 2):
                digest = blake2b(padded[at : at + 3].encode(), digest_size=2).digest()
                vectors[row, int.from_bytes(digest) % self.dimensions] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [embed_words(self, text) for text in texts]


def embed_words(embedder: Embedder, text: str) -> TokenVectors:
    """A text's words as its tokens, each by itself."""
    spans = tuple(match.span() for match in re.finditer(r"\w+", text))
    return TokenVectors(text, spans, embedder.embed([text[start:end] for start, end in spans]))


class CountingEmbedder(TrigramEmbedder):
    """Remembers the texts that it embedded."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return super().embed(texts)


class MemoryGraph:
    """Nodes, and triples of their indices; equal triples are parallel relationships."""

    def __init__(
        self,
        nodes: Sequence[Node],
        triples: Sequence[tuple[int, str, int]],
        embedder: Embedder | None = None,
        aliases: Mapping[NodeId, Sequence[str]] | None = None,
    ) -> None:
        self.aliases = aliases or {}
        self.nodes = tuple(nodes)
        self.triples = tuple(triples)
        self._number = {node.id: index for index, node in enumerate(self.nodes)}
        self._by_key: dict[str, list[Node]] = defaultdict(list)
        for node in self.nodes:
            self._by_key[name_key(node.name)].append(node)
        names = [node.name for node in self.nodes]
        self._whole = build_adjacency([node.id for node in self.nodes], names, self.triples)
        self._embedder = embedder or TrigramEmbedder()
        self._vectors = self._embedder.embed(names)

    @classmethod
    def of(cls, triples: Sequence[tuple[str, str, str]]) -> MemoryGraph:
        """A graph of named triples, as loading them gives it: each name a node, each once."""
        names = list(dict.fromkeys(name for head, _, tail in triples for name in (head, tail)))
        number = {name: index for index, name in enumerate(names)}
        distinct = dict.fromkeys((number[h], relation, number[t]) for h, relation, t in triples)
        nodes = [Node(f"n{i}", name, ("Entity",)) for i, name in enumerate(names)]
        return cls(nodes, tuple(distinct))

    async def find_by_key(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        return {key: self._by_key[key] for key in keys if key in self._by_key}

    async def find_by_start(self, start: str, limit: int) -> Sequence[Node]:
        key = name_key(start)
        named = [node for node in self.nodes if key and name_key(node.name).startswith(key)]
        return sorted(named, key=lambda node: (len(name_key(node.name)), node.name))[:limit]

    async def find_by_spelling(self, keys: Sequence[str]) -> Mapping[str, Sequence[NodeName]]:
        calls = [NodeName(n, text) for n in self.nodes for text in (n.name, *self._aliases(n))]
        named = {key: [c for c in calls if key in make_spelling_keys(c.text)] for key in keys}
        return {key: found for key, found in named.items() if found}

    async def search_by_text(self, texts: Sequence[str], limit: int) -> Sequence[Sequence[Link]]:
        return [self._alike(text)[:limit] for text in texts]

    async def search_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[Link]]:
        cosines = np.clip(vectors @ self._vectors.T, 1e-3, 1.0)
        found = [
            [Link(n, float(c), "vector") for n, c in zip(self.nodes, row, strict=True)]
            for row in cosines
        ]
        return [_best(links)[:limit] for links in found]

    async def indexed_texts(self) -> IndexedTexts:
        return IndexedTexts()

    async def find_texts(self, phrase: str, limit: int) -> Sequence[TextMatch]:
        assert phrase
        return ()[:limit]

    async def search_texts(self, search: TextSearch) -> Sequence[TextMatch]:
        assert search.limit > 0
        return ()

    async def search_relations_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[NearName]]:
        return self._rank_names(list_relation_names(await self.schema()), vectors, limit)

    async def search_labels_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[NearName]]:
        return self._rank_names(list_label_names(await self.schema()), vectors, limit)

    def _rank_names(
        self, names: Sequence[str], vectors: NDArray[np.float32], limit: int
    ) -> list[list[NearName]]:
        embedded = self._embedder.embed([write_words(name) for name in names])
        apart = np.linalg.norm(vectors[:, None] - embedded[None], axis=2)
        ranked = [sorted(zip(row, names, strict=True)) for row in apart]
        return [[NearName(name, float(d)) for d, name in row[:limit]] for row in ranked]

    async def neighbourhood(
        self,
        anchors: Sequence[NodeId],
        hops: int,
        *,
        edge_budget: int,  # noqa: ARG002 (memory has room)
        names: bool,
    ) -> Neighbourhood:
        known = [self._number[i] for i in dict.fromkeys(anchors) if i in self._number]
        if not known:
            return replace(build_adjacency([], [], []), relation_types=(), hops=hops)
        found = cut_neighbourhood(self._whole, known, hops)
        return found if names else replace(found, names=())

    async def reach_nodes(
        self, path: RelationPath, revisit: Revisit, limit: int
    ) -> Sequence[ReachedNode]:
        counts: Counter[NodeId] = Counter()
        shown: dict[NodeId, Walk] = {}
        for nodes in self._walks(path, revisit):
            walk = Walk(tuple(self.nodes[i] for i in nodes), path.steps)
            counts[walk.tail.id] += 1
            shown.setdefault(walk.tail.id, walk)
        found = [ReachedNode(walk.tail, walk, counts[end]) for end, walk in shown.items()]
        return sorted(found, key=lambda r: (-r.walks, r.node.name, r.node.id))[:limit]

    async def check_triples(self, triples: Sequence[Triple]) -> Sequence[bool]:
        have = {(self.nodes[h].id, relation, self.nodes[t].id) for h, relation, t in self.triples}
        return [(t.head.id, t.relation, t.tail.id) in have for t in triples]

    async def check_properties(self, facts: Sequence[PropertyFact]) -> Sequence[bool]:
        nodes = {node.id: node for node in self.nodes}
        return [(nodes[it.node.id].properties or {}).get(it.key) == it.value for it in facts]

    async def schema(self) -> Schema:
        labels = Counter(label for node in self.nodes for label in node.labels)
        kinds = Counter(
            (relation, start, end)
            for head, relation, tail in self.triples
            for start in self.nodes[head].labels or ("",)
            for end in self.nodes[tail].labels or ("",)
        )
        told = tuple(sorted(labels.items())), tuple(sorted(kinds.items()))
        return _build_schema(*told, len(self.nodes), len(self.triples))

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> ReachablePaths:
        found = await self.neighbourhood(anchors, hops, edge_budget=edge_budget, names=False)
        labels = {node.id: node.labels for node in self.nodes}
        return find_relation_paths(found, labels, edge_budget=edge_budget, path_budget=path_budget)

    async def search_patterns(
        self,
        search: PatternSearch,
        limit: int,
        seconds: float,  # noqa: ARG002 (memory has time)
    ) -> PatternMatches:
        return search_by_brute_force(self.nodes, self.triples, search, limit)

    async def search_traces(
        self,
        search: TraceSearch,
        seconds: float,  # noqa: ARG002 (memory has time)
    ) -> Traces:
        return trace_by_brute_force(self.nodes, self.triples, search)

    async def values(self) -> ValueIndex:
        """The names, of each label."""
        named = [StoredValue(label, "name", n.name) for n in self.nodes for label in n.labels]
        return ValueIndex(named)

    async def search_values(self, texts: Sequence[str]) -> Sequence[Sequence[StoredValue]]:
        return [() for _ in texts]

    async def find_holders(
        self, values: Sequence[StoredValue], limit: int
    ) -> Sequence[Sequence[NodeId] | None]:
        found = [
            [n.id for n in self.nodes if one.label in n.labels and n.name == one.value]
            if one.property == "name"
            else []
            for one in values
        ]
        return [those if len(those) <= limit else None for those in found]

    def _aliases(self, node: Node) -> Sequence[str]:
        return self.aliases.get(node.id, ())

    def _alike(self, text: str) -> list[Link]:
        spoken = {n: [a for a in self._aliases(n) if len(a) > _CODE] for n in self.nodes}
        called = [(n, (n.name, *aliases)) for n, aliases in spoken.items()]
        scored = [
            Link(n, max(measure_closeness(text, t) for t in texts), "text") for n, texts in called
        ]
        return _best([link for link in scored if link.score >= _ALIKE])

    def _walks(self, path: RelationPath, revisit: Revisit) -> Iterator[list[int]]:
        walks = [[self._number[i]] for i in dict.fromkeys(path.anchors) if i in self._number]
        held = path.nodes[: len(path.steps) - 1]
        for index, step in enumerate(path.steps):
            only = set(held[index]) if index < len(held) else None
            walks = [
                [*walk, node]
                for walk in walks
                for node in self._beside(walk[-1], step)
                if _admits(walk, node, revisit) and (only is None or self.nodes[node].id in only)
            ]
        yield from walks

    def _beside(self, node: int, step: Step) -> list[int]:
        ends = [
            (t, h) if step.reversed else (h, t) for h, r, t in self.triples if r == step.relation
        ]
        return [end for start, end in ends if start == node]


@cache
def _build_schema(
    labels: tuple[tuple[str, int], ...],
    kinds: tuple[tuple[tuple[str, str, str], int], ...],
    nodes: int,
    edges: int,
) -> Schema:
    """One schema for all graphs that are alike: what is derived from it is built once."""
    name = (PropertyKind("name", "STRING"),)
    return Schema(
        tuple(LabelKind(label, count, "name", name) for label, count in labels),
        tuple(RelationshipKind(*ends, count) for ends, count in kinds),
        nodes,
        edges,
        str(hash((tuple(x for x, _ in labels), tuple(ends for ends, _ in kinds)))),
    )


def _admits(walk: Sequence[int], node: int, revisit: Revisit) -> bool:
    if revisit == "any":
        return True
    return node != walk[0] if revisit == "not_topic" else node not in walk


def _best(links: list[Link]) -> list[Link]:
    return sorted(links, key=lambda link: (-link.score, link.node.name, link.node.id))
