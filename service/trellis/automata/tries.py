"""Site tries kept across questions: a trie depends on its site's texts alone, so none is stale."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from cachetools import LRUCache

from trellis.automata.trie import SegmentTrie


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """How a cache of tries has done; `bytes` as last counted."""

    hits: int
    misses: int
    entries: int
    bytes: int


class SiteTries:
    """Tries of one vocabulary by site, the least recently used out first, bounded by bytes.

    Keys are sites, which say all of their texts (or a digest of them): equal sites of two
    questions, or of two graphs, have equal tries. Not for several threads at once.
    """

    def __init__(self, limit: int = 1 << 28) -> None:
        self._tries: LRUCache[Hashable, SegmentTrie] = LRUCache(limit, lambda trie: trie.nbytes)
        self._hits = 0
        self._misses = 0

    def get(self, site: Hashable, build: Callable[[], SegmentTrie]) -> SegmentTrie:
        """The site's trie, built where it is not there."""
        trie = self._tries.get(site)
        if trie is None:
            self._misses += 1
            trie = build()
        else:
            self._hits += 1
        if trie.nbytes <= self._tries.maxsize:
            self._tries[site] = trie  # counts anew what has grown
        return trie

    @property
    def figures(self) -> SiteFigures:
        size = int(self._tries.currsize)
        return SiteFigures(self._hits, self._misses, len(self._tries), size)
