"""A decoding worker without a GPU: the contract of `wire/decoding.py` over the local engine's core.

What it does besides is for tests: it can be held, be busy, drain, forget, and answer falsely.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from fastapi import FastAPI, HTTPException, Request

from memory_app import listening
from trellis.api.middleware.problems import install_error_handlers
from trellis.automata.chains.pausing import pause_after
from trellis.automata.codec import decode_language, language_hash
from trellis.automata.codec.chains import extend_decoded
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.decoding.search import decode, extend_sentences
from trellis.domain.errors import (
    BusyError,
    DecoderTimeoutError,
    NotReadyError,
    UnknownLanguageError,
    VocabularyMismatchError,
)
from trellis.domain.models.decoding import Sentence
from trellis.engines.cached_scorer import CachedScorer
from trellis.engines.local import LocalModel
from trellis.engines.stopping import StoppableScorer, StoppedError
from trellis.wire.decoding import DecodeBody, DecodedBody, DecoderBody, SentenceBody

LIMIT = 4_000_000


@dataclass
class WorkerServer:
    """Its address, what it was asked, and how it behaves."""

    model: LocalModel
    tokenizer: str
    key: str = ""
    url: str = ""
    asked: list[DecodeBody] = field(default_factory=list)
    languages: dict[str, bytes] = field(default_factory=dict)
    away: bool = False
    """Whether it is a proxy that answers in its place."""
    draining: bool = False
    busy: bool = False
    serves: dict[str, Any] = field(default_factory=dict)
    """Fields of `DecoderBody` that differ from what it is."""
    told: Callable[[DecodedBody], Any] = lambda said: said
    """What it answers in place of what was decoded."""
    go: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    working: int = 0
    left: int = 0

    def __post_init__(self) -> None:
        self.go.set()

    def described(self) -> DecoderBody:
        vocabulary = self.model.vocabulary
        fields = {
            "card": asdict(self.model.card),
            "vocabulary": vocabulary.fingerprint,
            "tokenizer": self.tokenizer,
            "ends": sorted(vocabulary.ends),
            "size": vocabulary.size,
            "language_limit": LIMIT,
        }
        return DecoderBody(**{**fields, **self.serves})

    async def until(self, reached: Callable[[], bool]) -> None:
        """Ends once that is so, at the latest when a test's patience does."""
        async with asyncio.timeout(600), self.changed:
            await self.changed.wait_for(reached)

    async def count(self, working: int = 0, left: int = 0) -> None:
        async with self.changed:
            self.working += working
            self.left += left
            self.changed.notify_all()

    def language(self, body: DecodeBody) -> tuple[str, Any]:
        """The language that is meant, and what it is called."""
        said = body.language
        data = self.languages.get(said.hash or "") if said.data is None else said.data
        if data is None:
            raise UnknownLanguageError(f"no language {said.hash} is held", "send its bytes")
        found: Any = decode_language(data, LIMIT * 8)
        for growth in said.growth:
            found = extend_decoded(found, growth)
        if body.parts is not None:
            found = pause_after(found, body.parts)
        self.languages[language_hash(data)] = data
        return language_hash(data), found

    def admit(self, request: Request) -> None:
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            raise HTTPException(401)
        if self.away:
            raise HTTPException(502)

    def check(self, body: DecodeBody) -> None:
        if self.draining:
            raise NotReadyError("the worker drains", "ask another")
        if self.busy:
            raise BusyError("as many decodes run as may", "ask again later")
        if body.vocabulary not in (None, self.model.vocabulary.fingerprint):
            error = VocabularyMismatchError("the vocabularies differ", "use one model")
            error.status = 409
            raise error

    def decoded(self, body: DecodeBody, language: Any, stop: threading.Event) -> list[Sentence]:
        """Decode in this thread, until `stop`."""
        assert isinstance(body.prompt, list)
        scorer = StoppableScorer(CachedScorer(self.model.weights), stop)
        automaton: Any = TokenAutomaton(language, self.model.vocabulary)
        search, prompt = body.search.to_search(), tuple(body.prompt)
        if body.parts is not None:
            begun = [each.to_sentence() for each in body.begun]
            return extend_sentences(scorer, prompt, automaton, begun, search)
        [found] = decode(scorer, [prompt], [automaton], search)
        return found


@asynccontextmanager
async def worker_server(
    model: LocalModel, tokenizer: str, key: str = ""
) -> AsyncIterator[WorkerServer]:
    """A worker on a free port of this machine, which serves `model`; `tokenizer`: its JSON."""
    worker = WorkerServer(model, tokenizer, key)
    async with listening(_app(worker)) as url:
        worker.url = url
        yield worker
        worker.go.set()


def _app(worker: WorkerServer) -> FastAPI:
    app = FastAPI()
    install_error_handlers(app)

    @app.get("/v1/decoder")
    async def describe(request: Request) -> DecoderBody:
        worker.admit(request)
        return worker.described()

    @app.get("/readyz")
    async def ready(request: Request) -> dict[str, str]:
        worker.admit(request)
        if worker.draining:
            raise NotReadyError("the worker drains", "ask another")
        return {"status": "ready"}

    @app.post("/v1/decode")
    async def decode_one(body: DecodeBody, request: Request) -> Any:
        worker.admit(request)
        worker.asked.append(body)
        began = time.monotonic()
        worker.check(body)
        name, language = worker.language(body)
        found = await _unless_left(worker, request, body, language)
        told = [SentenceBody.of(sentence) for sentence in found]
        seconds = time.monotonic() - began
        return worker.told(DecodedBody(language=name, sentences=told, seconds=seconds))

    return app


async def _unless_left(
    worker: WorkerServer, request: Request, body: DecodeBody, language: Any
) -> list[Sentence]:
    """Decode until it is done, the deadline passes, or whoever asked has left."""
    stop = threading.Event()
    work = asyncio.create_task(_work(worker, body, language, stop))
    leaving = asyncio.create_task(_left(request))
    await worker.count(working=1)
    try:
        done, _ = await asyncio.wait(
            (work, leaving), timeout=body.timeout, return_when=asyncio.FIRST_COMPLETED
        )
        if work in done:
            return work.result()
        if leaving in done:
            await worker.count(left=1)
        raise DecoderTimeoutError("the deadline has passed", "allow more time")
    finally:
        stop.set()
        work.cancel()
        leaving.cancel()
        await worker.count(working=-1)


async def _work(
    worker: WorkerServer, body: DecodeBody, language: Any, stop: threading.Event
) -> list[Sentence]:
    await worker.go.wait()
    try:
        return await asyncio.to_thread(worker.decoded, body, language, stop)
    except StoppedError:
        return []


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
