"""Accepts decodes: checks them, looks up their languages, limits how many run, and counts them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from prometheus_client import Counter, Gauge, Histogram

from trellis.automata.tokens.vocabulary import Tokens, Vocabulary
from trellis.decoding.cursor import Automaton
from trellis.domain.errors import (
    BusyError,
    InputError,
    NotReadyError,
    TrellisError,
    VocabularyMismatchError,
)
from trellis.domain.models.decoding import Sentence
from trellis.http.turns import ConcurrencyLimiter
from trellis.wire.decoding import DecodeBody, LanguageBody, TemplateBody
from trellis.worker.beams import Decoder
from trellis.worker.engine import Engine
from trellis.worker.languages import LanguageCache

_DECODES = Counter("trellis_decodes_total", "Decodes by how they ended.", ["mode", "end"])
_SECONDS = Histogram("trellis_decode_seconds", "Seconds of a decode, its turn included.", ["mode"])
_SENTENCES = Counter("trellis_sentences_total", "Sentences that were decoded.")
_LANGUAGES = Counter("trellis_languages_total", "Languages by how they came.", ["how"])
_BYTES = Counter("trellis_language_bytes_total", "Bytes of languages that came by value.")
_RUNNING = Gauge("trellis_decodes_running", "Decodes under way, those that wait included.")


class DecodeService:
    """Accepts decodes: `turns` of them run at once, and `waiting` more may wait.

    `engines`: by the name of the adapter; the empty name stands for the model itself. `is_broken`
    tells whether the engine is lost.
    """

    def __init__(
        self,
        engines: Mapping[str, Engine],
        vocabulary: Vocabulary,
        languages: LanguageCache,
        *,
        turns: int,
        waiting: int,
        is_broken: Callable[[], bool],
    ) -> None:
        self._thread = ThreadPoolExecutor(1, "automata")
        self._decoders = {name: Decoder(engine, self._thread) for name, engine in engines.items()}
        self._vocabulary = vocabulary
        self._languages = languages
        self._turns = ConcurrencyLimiter(turns, waiting, _build_refusal)
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self.is_draining = False
        self.is_broken = is_broken

    def check_body(self, body: DecodeBody) -> None:
        """Raise the error for which a decode is refused, before any work is done for it."""
        if self.is_draining:
            raise NotReadyError("the worker drains: it takes nothing new", "ask another")
        self._turns.check_capacity()
        mine = self._vocabulary.fingerprint
        if body.vocabulary not in (None, mine):
            refused = VocabularyMismatchError(
                f"the asker's vocabulary {body.vocabulary} is not the worker's ({mine})",
                "ask what this worker serves: GET /v1/decoder",
            )
            refused.status = 409
            raise refused
        if body.adapter not in self._decoders:
            known = ", ".join(filter(None, self._decoders)) or "none"
            raise InputError(
                f"there is no adapter {body.adapter!r}", f"adapters of this worker: {known}"
            )
        body.search.to_search()

    async def decode(
        self, body: DecodeBody, watch: Callable[[Sentence], None]
    ) -> tuple[str, list[Sentence]]:
        """The hash of the language, and the sentences, best first.

        Raises TrellisError where the decode is refused or fails.
        """
        self.check_body(body)
        mode, end = body.search.mode, "left"
        self._count_begun()
        try:
            with _SECONDS.labels(mode).time():
                async with self._turns.acquire():
                    name, sentences = await self._decode_body(body, watch)
            end = "done"
            _SENTENCES.inc(len(sentences))
            return name, sentences
        except TrellisError:
            end = "refused"
            raise
        finally:
            _DECODES.labels(mode, end).inc()
            self._count_ended()

    async def drain(self, seconds: float) -> bool:
        """Accept nothing new, and wait for running decodes; gives whether all ended in time."""
        self.is_draining = True
        try:
            async with asyncio.timeout(seconds):
                await self._idle.wait()
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _decode_body(
        self, body: DecodeBody, watch: Callable[[Sentence], None]
    ) -> tuple[str, list[Sentence]]:
        loop = asyncio.get_running_loop()
        opened = partial(self._open_language, body)
        name, automaton, data = await loop.run_in_executor(self._thread, opened)
        prompt = self._encode_prompt(body)
        search = body.search.to_search()
        decoder = self._decoders[body.adapter]
        if body.parts is None and not body.begun:
            return name, await decoder.decode(prompt, automaton, data, search, watch)
        begun = [each.to_sentence() for each in body.begun]
        return name, await decoder.extend_sentences(prompt, automaton, begun, search, watch)

    def _open_language(self, body: DecodeBody) -> tuple[str, Automaton, bytes]:
        """The hash, automaton and bytes of a request's language."""
        name, automaton, data = self._find_language(body.language)
        growth = body.language.growth
        if growth and body.parts is None:
            raise InputError("a growth without parts", "say after how many parts sentences stop")
        if body.parts is not None:
            _BYTES.inc(sum(map(len, growth)))
            automaton = self._languages.grow_automaton(automaton, growth, body.parts)
        return name, automaton, data

    def _find_language(self, body: LanguageBody) -> tuple[str, Automaton, bytes]:
        """A language that is sent by value or named by its hash, as it began."""
        if body.data is None:
            _LANGUAGES.labels("reference").inc()
            return self._languages.get_language(body.hash or "")
        _LANGUAGES.labels("value").inc()
        _BYTES.inc(len(body.data))
        return self._languages.put_language(body.data)

    def _encode_prompt(self, body: DecodeBody) -> Tokens:
        if not isinstance(body.prompt, TemplateBody):
            wrong = [token for token in body.prompt if token >= self._vocabulary.size]
            if wrong or not body.prompt:
                raise InputError(f"{wrong[:3] or 'no'} tokens as a prompt", "send its token ids")
            return tuple(body.prompt)
        head, mark, tail = body.prompt.template.partition("{question}")
        if not mark:
            raise InputError("the template has no {question}", "say where the question goes")
        encode = self._vocabulary.encode
        return encode(head) + encode(body.prompt.question) + encode(tail)

    def _count_begun(self) -> None:
        self._running += 1
        self._idle.clear()
        _RUNNING.set(self._running)

    def _count_ended(self) -> None:
        self._running -= 1
        _RUNNING.set(self._running)
        if not self._running:
            self._idle.set()


def _build_refusal(running: int, waiting: int, retry_seconds: int) -> BusyError:
    problem, remedy = f"{running + waiting} decodes run and wait", f"ask again in {retry_seconds} s"
    return BusyError(problem, remedy, retry_seconds)
