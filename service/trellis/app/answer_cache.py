"""Replies that were given before, each as long as the graph is what it was."""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from cachetools import LRUCache

from trellis.automata.tokens.tries import CacheFigures
from trellis.domain.replies.reply import Reply, StepTime
from trellis.graph.database.connection import GraphVersion
from trellis.graph.kept import collect_versions

RECALL = "recall"
"""The only step of a reply that was remembered."""


class AnswerCache:
    """The replies that were asked for last, up to `max_bytes` bytes; for one event loop.

    `read_version`: what the graph holds now, asked before each question, so that no reply is given
    of a graph that has changed since; None where it cannot be told, and then nothing is kept.
    Replies are kept as bytes: so their size is known, and nobody can change them.
    """

    def __init__(
        self, max_bytes: int, read_version: Callable[[], Awaitable[GraphVersion | None]]
    ) -> None:
        self._replies: LRUCache[Hashable, bytes] = LRUCache(max_bytes, getsizeof=len)
        self._pending: dict[Hashable, asyncio.Event] = {}
        self._read_version = read_version
        self._hits = self._misses = 0

    def collect_figures(self) -> CacheFigures:
        """How many requests were answered from memory, how many were not, and what is kept."""
        size = int(self._replies.currsize)
        return CacheFigures(self._hits, self._misses, len(self._replies), size)

    async def get(
        self,
        request: Sequence[Hashable],
        answer: Callable[[], Awaitable[Reply]],
        *,
        is_busy: bool = False,
        may_keep: bool = True,
    ) -> Reply:
        """The kept reply to an equal request, else what `answer` gives.

        While an equal request is answered, others wait for its reply; where it is none to keep,
        each is answered by itself. `request`: all that the reply depends on beside the graph.
        `is_busy`: whether others wait, so that a reply for which fewer methods were asked will do.
        `may_keep`: whether the reply is worth keeping, if nothing fails on the way to it.
        """
        began = time.perf_counter()
        version = await self._read_version()
        key = (version, *request)
        if version and key in self._pending:
            await self._pending[key].wait()
        kept = self._find(key, is_busy=is_busy) if version else None
        if kept is not None:
            self._hits += 1
            return replace(kept, steps=(StepTime(RECALL, time.perf_counter() - began),))
        self._misses += 1
        with self._work_on(key), collect_versions() as versions:
            reply = await answer()
            if version and may_keep and versions <= {version} and _is_final(reply):
                self._keep(key, reply)
        return reply

    @contextmanager
    def _work_on(self, key: Hashable) -> Iterator[None]:
        """Let equal requests wait until the block ends."""
        ended = self._pending.setdefault(key, asyncio.Event())
        try:
            yield
        finally:
            ended.set()
            if self._pending.get(key) is ended:
                del self._pending[key]

    def _find(self, key: Hashable, *, is_busy: bool) -> Reply | None:
        kept = self._replies.get(key)
        if kept is None:
            return None
        reply: Reply = pickle.loads(kept)
        return None if _is_cut_short(reply) and not is_busy else reply

    def _keep(self, key: Hashable, reply: Reply) -> None:
        kept = pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)
        if len(kept) <= self._replies.maxsize:
            self._replies[key] = kept


def _is_cut_short(reply: Reply) -> bool:
    return reply.choice is not None and reply.choice.cut_short


def _is_final(reply: Reply) -> bool:
    """Whether nothing failed, or came too late, on the way to a reply: asking again may help."""
    opinions = reply.choice.opinions if reply.choice else ()
    failed = any(opinion.stance in ("failed", "late") for opinion in opinions)
    return not failed and not any(candidate.problem for candidate in reply.candidates)
