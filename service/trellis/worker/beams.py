"""Searches on an engine: at each step every live beam is one short request.

The search is that of local decoding (`decoding.search.start_search`). Beams share the engine's
prefix cache, forced runs are taken at once, and the engine gives log-probabilities renormalised
over what a mask allows. So an engine of the same precision finds what the local one finds. Greedy
decoding and sampling need no search: the engine writes inside the language by itself, and its
tokens are checked against the language here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from trellis.automata.tokens.masks import Mask, pack_mask
from trellis.automata.tokens.vocabulary import Tokens
from trellis.decoding.cursor import END, Automaton, Cursor, open_cursor
from trellis.decoding.hypotheses import (
    Beam,
    Ending,
    NextTokenScores,
    collect_options,
    sort_best_first,
)
from trellis.decoding.search import PromptSearch, continue_search, start_search
from trellis.domain.errors import DecoderError, InputError
from trellis.domain.models.decoding import Search, Sentence, Support
from trellis.worker.engine import Completion, Engine, TopTokens

T = TypeVar("T")

Watch = Callable[[Sentence], None]
"""Called with each sentence as it ends."""


@dataclass(frozen=True, slots=True)
class BeamRequest:
    """The request for one beam: the `count` likeliest tokens after `prompt` that `mask` allows, and
    its share of what `alphabet` has (None: the vocabulary)."""

    prompt: Tokens
    options: NDArray[np.int32]  # END and tokens, ascending
    mask: Mask
    count: int
    alphabet: Mask | None


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
            return await self._write_freely(prompt, automaton, language, search, watch)
        running = await self._run_in_thread(start_search, search, prompt, automaton)
        return await self._run_search(running, prompt, search, watch)

    async def extend_sentences(
        self,
        prompt: Tokens,
        automaton: Automaton,
        begun: Sequence[Sentence],
        search: Search,
        watch: Watch,
    ) -> list[Sentence]:
        """As `decode`, for sentences that go on from those that were begun."""
        running = await self._run_in_thread(continue_search, search, automaton, begun)
        return await self._run_search(running, prompt, search, watch)

    async def _run_search(
        self, running: PromptSearch, prompt: Tokens, search: Search, watch: Watch
    ) -> list[Sentence]:
        seen: set[Tokens] = set()
        asks = await self._run_in_thread(self._list_requests, running, prompt, search)
        while asks:
            rows = await asyncio.gather(
                *(self._ask_engine(ask, search.temperature) for ask in asks)
            )
            asks = await self._run_in_thread(self._take_step, running, prompt, search, asks, rows)
            for sentence in await self._run_in_thread(_list_new_sentences, running, seen):
                watch(sentence)
        return await self._run_in_thread(running.list_sentences)

    async def _ask_engine(self, ask: BeamRequest, temperature: float) -> TopTokens:
        return await self._engine.find_top_tokens(
            ask.prompt, ask.mask, ask.count, temperature, ask.alphabet
        )

    def _take_step(
        self,
        search_of_prompt: PromptSearch,
        prompt: Tokens,
        search: Search,
        requests: list[BeamRequest],
        rows: list[TopTokens],
    ) -> list[BeamRequest]:
        """Take one step of a search with the engine's answers; gives its next requests."""
        cursors = [beam.cursor for beam in search_of_prompt.live_beams]
        ends = cursors[0].automaton.vocabulary.ends
        pairs = zip(requests, rows, strict=True)
        search_of_prompt.step(
            collect_options(cursors, [_collect_scores(ask, row, ends) for ask, row in pairs])
        )
        return self._list_requests(search_of_prompt, prompt, search)

    def _list_requests(
        self, search_of_prompt: PromptSearch, prompt: Tokens, search: Search
    ) -> list[BeamRequest]:
        return [self._build_request(beam, prompt, search) for beam in search_of_prompt.live_beams]

    def _build_request(self, beam: Beam, prompt: Tokens, search: Search) -> BeamRequest:
        """The request of a beam: for its likeliest options, or for all where the search samples.

        A beam search takes at most `width` options of one row, and passes over as many that other
        groups have taken. Where a sentence can end, all options are asked for as far as the engine
        tells them: an end is no live beam, and counts even where `width` others are likelier.
        """
        vocabulary = beam.cursor.automaton.vocabulary
        options = beam.cursor.find_options()
        allowed = options[options != END]
        if len(allowed) < len(options):
            allowed = np.union1d(allowed, sorted(vocabulary.ends)).astype(np.int32)
        count = len(allowed)
        if search.mode == "beam":
            can_end = len(options) and options[0] == END
            count = min(count, self._engine.top_limit if can_end else 2 * search.width)
        if count > self._engine.top_limit:
            raise InputError(
                f"{count:,} choices at once, of which this worker tells {self._engine.top_limit:,}",
                "decode with mode beam, or raise --max-logprobs",
            )
        mask = pack_mask(allowed, vocabulary.size)
        alphabet = pack_alphabet(beam.cursor.automaton)
        return BeamRequest(prompt + beam.cursor.tokens, options, mask, count, alphabet)

    async def _write_freely(
        self,
        prompt: Tokens,
        automaton: Automaton,
        language: bytes,
        search: Search,
        watch: Watch,
    ) -> list[Sentence]:
        """The distinct sentences that the engine writes by itself, best first."""
        start = await self._run_in_thread(start_search, search, prompt, automaton)
        if not start.live_beams:
            return start.list_sentences()
        samples = search.width if search.mode == "sample" else 0
        written = await self._engine.write_completions(
            prompt, language, search.max_tokens, samples, search.temperature, search.seed
        )
        different = list({each.tokens: each for each in written}.values())
        endings: list[Ending] = await self._run_in_thread(
            _read_completions, different, automaton, search
        )
        sentences = await asyncio.gather(
            *(self._add_support(ending, prompt, search) for ending in endings)
        )
        for sentence in sentences:
            watch(sentence)
        return sentences

    async def _add_support(self, ending: Ending, prompt: Tokens, search: Search) -> Sentence:
        """A sentence that the engine wrote by itself, with the support of its choices."""
        cursors = await self._run_in_thread(_list_choosing_cursors, ending, search.max_tokens)
        shares_alone = Search(width=1)  # the likeliest token is enough to be told the share
        requests = [self._build_request(Beam(it, 0, ()), prompt, shares_alone) for it in cursors]
        rows = await asyncio.gather(*(self._ask_engine(r, search.temperature) for r in requests))
        support = Support()
        for cursor, row in zip(cursors, rows, strict=True):
            support = support.add_choice(row.share, len(cursor.tokens))
        return replace(ending.finish_sentence(), support=support)

    async def _run_in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run a function in the thread of the automata."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(work, *arguments))


def _collect_scores(request: BeamRequest, row: TopTokens, ends: frozenset[int]) -> NextTokenScores:
    """The engine's answer for one beam, with all ids that end a text as one option, `END`."""
    ending = np.isin(row.tokens, sorted(ends))
    tokens, gains = row.tokens[~ending], row.scores[~ending]
    order = np.argsort(tokens)
    tokens, gains = tokens[order], gains[order]
    if ending.any():
        tokens = np.concatenate(([END], tokens)).astype(np.int32)
        gains = np.concatenate(([np.logaddexp.reduce(row.scores[ending])], gains))
    return NextTokenScores(tokens, gains, len(request.options) > 1, row.share)


def _list_new_sentences(search: PromptSearch, seen: set[Tokens]) -> list[Sentence]:
    """The sentences that have ended since the last call; `seen` remembers them by tokens."""
    fresh = [ending for ending in search.endings if ending.cursor.tokens not in seen]
    seen.update(ending.cursor.tokens for ending in fresh)
    return [ending.finish_sentence() for ending in fresh]


def _read_completions(
    completions: Sequence[Completion], automaton: Automaton, search: Search
) -> list[Ending]:
    """The sentences that an engine wrote, checked against the language; sorted best first."""
    endings = [_replay_completion(each, automaton, search.max_tokens) for each in completions]
    return sort_best_first(endings, search)


def _list_choosing_cursors(ending: Ending, budget: int) -> list[Cursor]:
    """The cursors of an ended sentence before each token at which it had a choice."""
    automaton, tokens = ending.cursor.automaton, ending.cursor.tokens
    choosing = []
    cursor = open_cursor(automaton, budget)
    while cursor is not None:
        if len(cursor.find_options()) > 1:
            choosing.append(cursor)
        if len(cursor.tokens) >= len(tokens):
            break
        cursor = _advance_if_offered(cursor, tokens[len(cursor.tokens)])
    return choosing


def pack_alphabet(automaton: Automaton) -> Mask | None:
    """The mask of the tokens that sentences of the language's task may have; None: of all."""
    alphabet = automaton.alphabet
    if alphabet is None:
        return None
    return pack_mask(alphabet.astype(np.int32), automaton.vocabulary.size)


def _replay_completion(completion: Completion, automaton: Automaton, budget: int) -> Ending:
    cursor = open_cursor(automaton, budget)
    while cursor is not None and len(cursor.tokens) < len(completion.tokens):
        cursor = _advance_if_offered(cursor, completion.tokens[len(cursor.tokens)])
    if cursor is None or cursor.tokens != completion.tokens or not cursor.accepting:
        raise DecoderError("the engine left the language", "this is a defect: please report it")
    return Ending(cursor, completion.score, len(cursor.find_options()) > 1)


def _advance_if_offered(cursor: Cursor, token: int) -> Cursor | None:
    options = cursor.find_options()
    return cursor.advance(token, 0.0, len(options) > 1) if token in options else None
