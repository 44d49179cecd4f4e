"""A cache of site tries across questions; a trie depends only on its site, so none gets stale."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from cachetools import LRUCache

from trellis.automata.tokens.site_trie import SiteTrie


@dataclass(frozen=True, slots=True)
class CacheFigures:
    """The hits and misses of a cache, its entries, and their bytes as last counted."""

    hits: int
    misses: int
    entries: int
    bytes: int


class SiteTries:
    """A cache of the tries of one vocabulary by site, of at most `limit` bytes.

    The least recently used trie is dropped first. A site contains all its texts, or a digest of
    them, so equal sites of two questions, or of two graphs, have equal tries. Not for several
    threads at once.
    """

    def __init__(self, limit: int = 1 << 28) -> None:
        self._tries: LRUCache[Hashable, SiteTrie] = LRUCache(limit, lambda trie: trie.nbytes)
        self._hits = 0
        self._misses = 0

    def get_or_build(self, site: Hashable, build: Callable[[], SiteTrie]) -> SiteTrie:
        """The site's trie; `build` makes it where the cache does not have it."""
        trie = self._tries.get(site)
        if trie is None:
            self._misses += 1
            trie = build()
        else:
            self._hits += 1
        if trie.nbytes <= self._tries.maxsize:
            self._tries[site] = trie  # counts its bytes again, as tries grow
        return trie

    @property
    def figures(self) -> CacheFigures:
        size = int(self._tries.currsize)
        return CacheFigures(self._hits, self._misses, len(self._tries), size)
