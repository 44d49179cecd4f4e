"""Builds KG-Tries ahead of questions, for the nodes of a list of names."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trellis.domain.errors import GraphError, UnknownTopicError
from trellis.graph.database.connection import GraphVersion
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.neighbourhoods.trie_cache import TrieKey
from trellis.graph.neighbourhoods.trie_files import TrieFiles
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.link import link_topics


@dataclass(frozen=True, slots=True)
class BuildReport:
    """How many tries a build wrote, and for which names it could not."""

    built: int
    fresh: int  # names whose file was there already, at the same version of the graph
    unknown: tuple[str, ...]  # names that no node has
    changed: bool  # the graph changed during the build, so that some files are stale


@dataclass(frozen=True, slots=True)
class TrieBuilder:
    """Writes the neighbourhoods that questions will ask for into files."""

    graph: Neo4jGraph
    files: TrieFiles
    hops: int
    edge_budget: int
    names: bool

    async def build(
        self, names: Sequence[str], progress: Progress = ignore_progress
    ) -> BuildReport:
        """Write one file per name, for the nodes that a question with that name is linked to.

        Files of the graph's current version are left alone, so that an interrupted build resumes.
        Files of older versions are removed.
        """
        first = await self._read_version()
        await asyncio.to_thread(self.files.prune, first)
        outcome: dict[str, Outcome] = dict.fromkeys(names, "unknown")
        for done, name in enumerate(outcome, start=1):
            outcome[name] = await self._build_trie(name)
            progress("tries", done, len(outcome))
        counts = list(outcome.values())
        return BuildReport(
            built=counts.count("built"),
            fresh=counts.count("fresh"),
            unknown=tuple(name for name, result in outcome.items() if result == "unknown"),
            changed=await self._read_version() != first,
        )

    async def _build_trie(self, name: str) -> Outcome:
        try:
            (mention,) = await link_topics(name, (name,), self.graph)
        except UnknownTopicError:
            return "unknown"
        key = TrieKey.of(
            list_anchor_ids(mention), self.hops, edge_budget=self.edge_budget, names=self.names
        )
        version = await self._read_version()
        if await asyncio.to_thread(self.files.read_neighbourhood, key, version) is not None:
            return "fresh"
        neighbourhood = await self.graph.neighbourhood(
            key.anchors, key.hops, edge_budget=key.edge_budget, names=key.names, after=version
        )
        await asyncio.to_thread(self.files.write_neighbourhood, key, version, neighbourhood)
        return "built"

    async def _read_version(self) -> GraphVersion:
        version = await self.graph.read_version()
        if version is None:
            raise GraphError("this Neo4j does not say its version", "tries cannot be built ahead")
        return version


Outcome = Literal["built", "fresh", "unknown"]
