"""Searches on an engine: at each step every live beam is one short request.

The search is that of local decoding (`decoding.search.hunt`). Beams share the engine's prefix
cache, forced runs are taken at once, and the engine gives log-probabilities renormalised over what
a mask allows. So an engine of the same precision finds what the local one finds. Greedy decoding
and sampling need no search: the engine writes inside the language by itself, and its tokens are
checked against the language here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from trellis.automata.masks import Mask, pack
from trellis.automata.vocabulary import Tokens
from trellis.decoding.cursor import END, Automaton, Cursor, opened
from trellis.decoding.hypotheses import Beam, Ending, Told, best_first, told
from trellis.decoding.search import Hunt, hunt
from trellis.domain.decoding import Search, Sentence
from trellis.domain.errors import DecoderError, InputError
from trellis.worker.engine import Engine, Likely, Written

T = TypeVar("T")

Watch = Callable[[Sentence], None]
"""Called with each sentence as it ends."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The request for one beam: the `count` likeliest tokens after `prompt` that `mask` allows."""

    prompt: Tokens
    options: NDArray[np.int32]  # END and tokens, ascending
    mask: Mask
    count: int


class Decoder:
    """Decodes prompts inside languages on one engine.

    `thread` runs the work of searches and automata; it has to be a single thread, as automata are
    not safe for several.
    """

    def __init__(self, engine: Engine, thread: Executor) -> None:
        self._engine = engine
        self._thread = thread

    async def decode(
        self, prompt: Tokens, automaton: Automaton, language: bytes, search: Search, watch: Watch
    ) -> list[Sentence]:
        """Up to `search.width` sentences of a language, best first.

        `language`: the encoded language of `automaton`. Raises InputError where no sentence fits
        the budget, or the engine gives too few log-probabilities for an exact sample.
        """
        if search.mode in ("greedy", "sample"):
            return await self._written(prompt, automaton, language, search, watch)
        return await self._searched(prompt, automaton, search, watch)

    async def _searched(
        self, prompt: Tokens, automaton: Automaton, search: Search, watch: Watch
    ) -> list[Sentence]:
        running = await self._work(hunt, search, prompt, automaton)
        seen: set[Tokens] = set()
        asks = await self._work(self._asks, running, prompt, search)
        while asks:
            rows = await asyncio.gather(*(self._next(ask, search.temperature) for ask in asks))
            asks = await self._work(self._stepped, running, prompt, search, asks, rows)
            for sentence in await self._work(_fresh, running, seen):
                watch(sentence)
        return await self._work(running.found)

    async def _next(self, ask: Ask, temperature: float) -> Likely:
        return await self._engine.next(ask.prompt, ask.mask, ask.count, temperature)

    def _stepped(
        self, one: Hunt, prompt: Tokens, search: Search, asks: list[Ask], rows: list[Likely]
    ) -> list[Ask]:
        """Take one step of a search with the engine's answers; gives its next requests."""
        cursors = [beam.cursor for beam in one.live]
        ends = cursors[0].automaton.vocabulary.ends
        pairs = zip(asks, rows, strict=True)
        one.step(told(cursors, [_told(ask, row, ends) for ask, row in pairs]))
        return self._asks(one, prompt, search)

    def _asks(self, one: Hunt, prompt: Tokens, search: Search) -> list[Ask]:
        return [self._ask(beam, prompt, search) for beam in one.live]

    def _ask(self, beam: Beam, prompt: Tokens, search: Search) -> Ask:
        """The request of a beam: for its likeliest options, or for all where the search samples.

        A beam search takes at most `width` options of one row, and passes over as many that other
        groups have taken; the ids that end a sentence are asked for beside these.
        """
        vocabulary = beam.cursor.automaton.vocabulary
        options = beam.cursor.options()
        allowed = options[options != END]
        if len(allowed) < len(options):
            allowed = np.union1d(allowed, sorted(vocabulary.ends)).astype(np.int32)
        count = len(allowed)
        if search.mode == "beam":
            count = min(count, 2 * search.width + len(vocabulary.ends))
        if count > self._engine.most:
            raise InputError(
                f"{count:,} choices at once, of which this worker tells {self._engine.most:,}",
                "decode with mode beam, or raise --max-logprobs",
            )
        mask = pack(allowed, vocabulary.size)
        return Ask(prompt + beam.cursor.tokens, options, mask, count)

    async def _written(
        self,
        prompt: Tokens,
        automaton: Automaton,
        language: bytes,
        search: Search,
        watch: Watch,
    ) -> list[Sentence]:
        """The distinct sentences that the engine writes by itself, best first."""
        start = await self._work(hunt, search, prompt, automaton)
        if not start.live:
            return start.found()
        samples = search.width if search.mode == "sample" else 0
        written = await self._engine.write(
            prompt, language, search.max_tokens, samples, search.temperature, search.seed
        )
        different = list({each.tokens: each for each in written}.values())
        sentences: list[Sentence] = await self._work(_read, different, automaton, search)
        for sentence in sentences:
            watch(sentence)
        return sentences

    async def _work(self, do: Callable[..., T], *arguments: Any) -> T:
        """Run a function in the thread of the automata."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(do, *arguments))


def _told(ask: Ask, row: Likely, ends: frozenset[int]) -> Told:
    """The engine's answer for one beam, with all ids that end a text as one option, `END`."""
    ending = np.isin(row.tokens, sorted(ends))
    tokens, gains = row.tokens[~ending], row.scores[~ending]
    order = np.argsort(tokens)
    tokens, gains = tokens[order], gains[order]
    if ending.any():
        tokens = np.concatenate(([END], tokens)).astype(np.int32)
        gains = np.concatenate(([np.logaddexp.reduce(row.scores[ending])], gains))
    return Told(tokens, gains, len(ask.options) > 1)


def _fresh(one: Hunt, seen: set[Tokens]) -> list[Sentence]:
    """The sentences that have ended since the last call; `seen` remembers them by tokens."""
    fresh = [ending for ending in one.ended if ending.cursor.tokens not in seen]
    seen.update(ending.cursor.tokens for ending in fresh)
    return [ending.sentence() for ending in fresh]


def _read(written: Sequence[Written], automaton: Automaton, search: Search) -> list[Sentence]:
    """The sentences that an engine wrote, checked against the language; sorted best first."""
    endings = [_ending(each, automaton, search.max_tokens) for each in written]
    return [ending.sentence() for ending in best_first(endings, search)]


def _ending(written: Written, automaton: Automaton, budget: int) -> Ending:
    cursor = opened(automaton, budget)
    while cursor is not None and len(cursor.tokens) < len(written.tokens):
        cursor = _said(cursor, written.tokens[len(cursor.tokens)])
    if cursor is None or cursor.tokens != written.tokens or not cursor.accepting:
        raise DecoderError("the engine left the language", "this is a defect: please report it")
    return Ending(cursor, written.score, len(cursor.options()) > 1)


def _said(cursor: Cursor, token: int) -> Cursor | None:
    options = cursor.options()
    return cursor.said(token, 0.0, len(options) > 1) if token in options else None
