"""The worker engine: decoding workers write sentences, which are read here in the same language.

A worker needs only the sentences of a language, not their values: these are read here from the
tokens that come back. So values are exact, and an answer outside the language is noticed.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import httpx
from tokenizers import Tokenizer

from trellis.automata.codec import encode_language, language_hash
from trellis.automata.codec.chains import encode_growths
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.endings import Configuration
from trellis.automata.tokens.tries import CacheFigures, SiteTries
from trellis.automata.tokens.vocabulary import TokenizerVocabulary, Tokens
from trellis.domain.errors import DecoderError, TooLargeError, VocabularyMismatchError
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt, PromptMessage
from trellis.domain.reasons import with_reason
from trellis.engines.general import encode_prompt
from trellis.engines.workers.replica import REMEDY, DecodeCall, Replica
from trellis.engines.workers.replicas import Replicas, WorkerFigures
from trellis.models.chat_template import ChatTemplate
from trellis.models.folder import parse_card
from trellis.wire.decoding import DecoderBody, SentenceBody

Automaton = TokenAutomaton[Any, Any]

_SURE = 1e-6  # how far rounding may lift a log-probability above 0


class WorkerModel:
    """LanguageModel port over workers that all serve one model."""

    def __init__(
        self,
        replicas: Replicas,
        vocabulary: TokenizerVocabulary,
        card: ModelCard,
        timeout: float,
        language_limit: int,
        adapters: Mapping[str, str],
        template: ChatTemplate | None = None,
        context: int = 0,
    ) -> None:
        """`timeout`: seconds of one decode. `language_limit`: bytes of an encoded language.

        `adapters`: by task, the adapter that does it. `template`, `context`: of a general
        model, how its chats are written, and the tokens that it can read.
        """
        self.vocabulary = vocabulary
        self.template = template or ChatTemplate()
        self.context = context
        self._replicas = replicas
        self._card = card
        self._timeout = timeout
        self._language_limit = language_limit
        self._adapters = adapters
        self._tries = SiteTries()
        self._turn = threading.Lock()
        self._encoded: WeakKeyDictionary[Any, tuple[bytes, str]] = WeakKeyDictionary()

    @classmethod
    async def connect(cls, urls: str, key: str = "", seconds: float = 30.0) -> WorkerModel:
        """The model that the workers at some addresses (comma-separated) serve.

        `key`: their key, if they ask for one; `seconds`: the most that one decode may take.
        Raises DecoderError where none answers, VocabularyMismatchError where they differ.
        """
        replicas = Replicas([Replica(url, key) for url in _parse_addresses(urls)])
        try:
            served = await replicas.describe_workers()
            vocabulary = await asyncio.to_thread(_build_vocabulary, served)
            card = parse_card(served.card, "the model that the worker serves")
        except BaseException:
            await replicas.close()
            raise
        template = ChatTemplate(served.chat_template, served.chat_tokens)
        return cls(
            replicas,
            vocabulary,
            card,
            seconds,
            served.language_limit,
            served.adapters,
            template,
            served.context,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._replicas.close()

    def count_chat_tokens(self, messages: Sequence[PromptMessage]) -> int:
        """The tokens of a chat, as a general model reads it."""
        return len(self.template.encode_chat(messages, self.vocabulary))

    @property
    def card(self) -> ModelCard:
        return self._card

    def worker_figures(self) -> WorkerFigures:
        """Figures of the requests to the workers."""
        return self._replicas.figures

    def site_figures(self) -> CacheFigures:
        """Figures of the site tries, which all questions share."""
        return self._tries.figures

    async def check(self) -> None:
        """Raises DecoderError where no worker answers."""
        await self._replicas.check_ready()

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """Raises DecoderError, DecoderTimeoutError, or the error that a worker refuses with."""
        deadline = asyncio.get_running_loop().time() + self._timeout
        pairs = zip(prompts, languages, strict=True)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._decode_prompt(prompt, language, search, deadline))
                    for prompt, language in pairs
                ]
        except ExceptionGroup as failed:  # the first failure cancelled the other tasks
            raise failed.exceptions[0] from None
        return [task.result() for task in tasks]

    async def extend_sentences(
        self, prompt: Prompt, language: Any, begun: Sequence[Sentence], search: Search
    ) -> Sequence[Sentence]:
        """Raises as `decode`. What the language has grown by travels with each request; its base is
        sent once and then named."""
        deadline = asyncio.get_running_loop().time() + self._timeout
        automaton: Automaton = TokenAutomaton(language, self.vocabulary, self._tries)
        grown = language.language
        data, name = await asyncio.to_thread(self._encode_base, grown.base)
        growth = await asyncio.to_thread(encode_growths, grown)
        self._check_size(len(data) + sum(map(len, growth)))
        call = DecodeCall(
            encode_prompt(prompt, self.vocabulary, self.template),
            data,
            name,
            search,
            self.vocabulary.fingerprint,
            deadline,
            self._adapters.get(prompt.task, ""),
            growth,
            language.parts,
            begun,
        )
        decoded = await self._replicas.decode_call(call)
        bodies = decoded.sentences
        starts = {each.tokens for each in begun}
        for body in bodies:
            is_begun = any(tuple(body.tokens[: len(start)]) == start for start in starts)
            _require(is_begun or not starts, "did not go on from what was begun")
        return await asyncio.to_thread(self._read_sentences, automaton, bodies, search)

    def _encode_base(self, base: Any) -> tuple[bytes, str]:
        """The bytes and the hash of a language that grows, as it began."""
        known = self._encoded.get(base)
        if known is None:
            data = encode_language(base)
            known = self._encoded[base] = data, language_hash(data)
        return known

    def _check_size(self, size: int) -> None:
        if size > self._language_limit:
            raise TooLargeError(
                f"the language has {size:,} bytes of {self._language_limit:,} that the "
                "worker takes",
                "lower TRELLIS_EDGE_BUDGET, or raise the worker's limit",
            )

    async def _decode_prompt(
        self, prompt: Prompt, language: Any, search: Search, deadline: float
    ) -> list[Sentence]:
        automaton: Automaton = TokenAutomaton(language, self.vocabulary, self._tries)
        request = await asyncio.to_thread(self._encode_request, prompt, automaton)
        if request is None:
            return []
        tokens, data = request
        call = DecodeCall(
            tokens,
            data,
            language_hash(data),
            search,
            self.vocabulary.fingerprint,
            deadline,
            self._adapters.get(prompt.task, ""),
        )
        decoded = await self._replicas.decode_call(call)
        return await asyncio.to_thread(self._read_sentences, automaton, decoded.sentences, search)

    def _encode_request(self, prompt: Prompt, automaton: Automaton) -> tuple[Tokens, bytes] | None:
        """The prompt's tokens and the encoded language; None where the language is empty."""
        with self._turn:
            if not len(automaton.allowed_tokens(automaton.start())):
                return None
        data = encode_language(automaton.language)
        self._check_size(len(data))
        return encode_prompt(prompt, self.vocabulary, self.template), data

    def _read_sentences(
        self, automaton: Automaton, bodies: Sequence[SentenceBody], search: Search
    ) -> list[Sentence]:
        """The worker's sentences with their values; DecoderError if one is not in the language."""
        with self._turn:
            sentences = [_read_sentence(automaton, body) for body in bodies[: search.width]]
        _require(len(bodies) <= search.width, "wrote more sentences than it was asked for")
        distinct = {sentence.tokens for sentence in sentences}
        _require(len(distinct) == len(sentences), "wrote a sentence twice")
        return sentences


def _read_sentence(automaton: Automaton, body: SentenceBody) -> Sentence:
    """One sentence of a worker, read from its tokens; DecoderError where it is not valid."""
    state: Configuration[Any] | None = automaton.start()
    for token in body.tokens:
        state = automaton.advance(state, token) if token < automaton.vocabulary.size else None
    _require(automaton.accepting(state), "wrote what the language does not say")
    _require(math.isfinite(body.score) and body.score <= _SURE, "gave a score that is none")
    return Sentence(
        text=(automaton.text(state) or "").strip(),
        tokens=tuple(body.tokens),
        values=automaton.values(state),
        score=body.score,
        choices=body.choices,
        support=body.support.to_support(),
    )


def _require(is_met: bool, fault: str) -> None:
    if not is_met:
        raise DecoderError(f"a decoding worker {fault}", "run the same version on both sides")


def _parse_addresses(urls: str) -> list[str]:
    """The addresses of a comma-separated list, each once; DecoderError where one is malformed."""
    addresses = list(
        dict.fromkeys(url.strip().rstrip("/") for url in urls.split(",") if url.strip())
    )
    for url in addresses:
        if not url.startswith(("http://", "https://")):
            raise DecoderError(f"the worker's address {url!r} is none", REMEDY)
        try:
            httpx.URL(url)
        except httpx.InvalidURL as error:
            raise DecoderError(f"the worker's address {url!r} is none ({error})", REMEDY) from error
    if not addresses:
        raise DecoderError("no worker's address is given", REMEDY)
    return addresses


def _build_vocabulary(served: DecoderBody) -> TokenizerVocabulary:
    """The workers' tokenizer; VocabularyMismatchError where it is read differently here."""
    try:
        tokenizer = Tokenizer.from_str(served.tokenizer)
    except Exception as error:  # the library raises bare Exceptions
        problem = with_reason("the worker's tokenizer cannot be read", error)
        raise DecoderError(problem, REMEDY) from error
    vocabulary = TokenizerVocabulary(tokenizer, served.ends, served.size)
    if vocabulary.fingerprint != served.vocabulary:
        raise VocabularyMismatchError(
            f"the worker's tokenizer is read as {vocabulary.fingerprint} here and as "
            f"{served.vocabulary} there",
            "install the same version of `tokenizers` on both sides",
        )
    return vocabulary
