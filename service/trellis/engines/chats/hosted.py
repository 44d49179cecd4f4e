"""A hosted chat model that decodes, led by the strongest means that its server has.

It is asked by the chats that all general models are asked by. A grammar or a JSON schema of the
language keeps what it writes inside, where the server has one of them. Whatever it writes is read
through the language: what leaves it is sent back once, with what is wrong and what could follow,
and else dropped. So the result are sentences of the language, as from any other engine.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from cachetools import FIFOCache

from trellis.automata.grammars.compile_grammar import compile_grammar
from trellis.automata.reader import Departure, SentenceReading
from trellis.domain.errors import DecoderError, WrongTaskError
from trellis.domain.limits.spending import get_spending
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt, PromptMessage
from trellis.engines.chats.chat import ChatFormat, Message, build_corrections
from trellis.engines.chats.completions import ChatCompletions, ChatText, is_refusal
from trellis.engines.chats.json_lines import JsonReader, write_json_turns
from trellis.engines.chats.means import Means, MeansName, build_json_options, find_means
from trellis.engines.chats.sampled_texts import (
    Conversation,
    SampledText,
    merge_corrections,
    read_sample,
    weigh_readings,
)

log = logging.getLogger(__name__)


_RANDOM = ("sample", "stochastic_beam")
_WARMTH = 0.7  # temperature of further samples: warm enough to differ
_REMEMBERED = 64  # requests whose texts are kept
_UNKNOWN_CONTEXT = 1_000_000
_CHARACTERS_A_TOKEN = 3  # of a schema and of queries; ordinary English has more
_TOKENS_A_TURN = 8


@dataclass(frozen=True, slots=True)
class HostedModel:
    """A ChatEngine over an OpenAI-compatible chat endpoint, whose model is `card.base`.

    `formats`: what it writes, by task. `samples`: how many texts are asked for where a search wants
    several sentences. `fixed_means`: those that are used without asking the server. `tally` counts
    lines: `read`, `sent_back` in a retry, and `dropped`.
    """

    completions: ChatCompletions
    card: ModelCard
    formats: Mapping[str, ChatFormat]
    samples: int = 1
    fixed_means: MeansName | None = "text"
    tally: Counter[str] = field(default_factory=Counter, compare=False)
    _found: list[Means] = field(default_factory=list, compare=False)
    _finding: asyncio.Lock = field(default_factory=asyncio.Lock, compare=False)
    _remembered: FIFOCache[str, list[ChatText]] = field(
        default_factory=partial(FIFOCache, _REMEMBERED), compare=False
    )

    async def find_means(self) -> Means:
        """The means by which the server keeps to a language, found out at the first call."""
        if self.fixed_means:
            return Means(self.fixed_means)
        async with self._finding:
            if not self._found:
                self._found.append(await find_means(self.completions))
        return self._found[0]

    @property
    def context(self) -> int:
        """The tokens that it can read are not known: the settings bound its prompts."""
        return _UNKNOWN_CONTEXT

    def count_chat_tokens(self, messages: Sequence[PromptMessage]) -> int:
        """The tokens of a chat, about: its tokenizer is not known."""
        return sum(len(turn.text) // _CHARACTERS_A_TOKEN + _TOKENS_A_TURN for turn in messages)

    @property
    def known_means(self) -> str:
        """The name of the means, empty where nobody asked yet."""
        return self.fixed_means or (self._found[0].name if self._found else "")

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """Raises DecoderError or DecoderTimeoutError where the model does not answer."""
        pairs = zip(prompts, languages, strict=True)
        return await asyncio.gather(*(self._decode_prompt(*pair, search) for pair in pairs))

    async def _decode_prompt(self, prompt: Prompt, language: Any, search: Search) -> list[Sentence]:
        chat = self._find_format(prompt.task)
        if language.is_empty() or _is_spent():
            return []
        conversation = await self._open_conversation(prompt, chat, language)
        try:
            texts = await self._ask_samples(conversation, search)
        except DecoderError as error:
            if not (conversation.options and is_refusal(error)):
                raise
            log.warning("asked again for plain text, the other means is refused: %s", error)
            conversation = await self._open_conversation(prompt, chat, language, Means("text"))
            texts = await self._ask_samples(conversation, search)
        read = partial(read_sample, conversation, search.width)
        samples = [await asyncio.to_thread(read, text) for text in texts]
        samples = await self._correct_samples(samples, conversation, search.width)
        return self._build_sentences(samples, search.width)

    def _find_format(self, task: str) -> ChatFormat:
        """The chat format of a task; WrongTaskError where there is none."""
        if task not in self.formats:
            raise WrongTaskError(
                f"a hosted model cannot do task {task!r}",
                f"train a model with `trellis train --task {task}`, and name it in TRELLIS_MODEL",
            )
        return self.formats[task]

    async def _open_conversation(
        self, prompt: Prompt, chat: ChatFormat, language: Any, given: Means | None = None
    ) -> Conversation:
        """How sentences of a language are asked for: by the server's means, or the given ones; by
        text where the language is too large for these."""
        means = given or await self.find_means()
        reader = await asyncio.to_thread(chat.open_reader, language)
        turns, tokens = _list_turns(prompt), chat.line_tokens
        if means.name == "json" and (form := chat.json_form):
            schema = await asyncio.to_thread(form.build_schema, language)
            asked, read = write_json_turns(turns, form), JsonReader(form, reader)
            options = build_json_options(schema)
            return Conversation(asked, read, means, form.line_tokens, options, form)
        if means.name == "text":
            return Conversation(turns, reader, means, tokens)
        is_written = chat.write_grammar is not None and means.name != "json"
        make_grammar: Any = chat.write_grammar if is_written else compile_grammar
        grammar = await asyncio.to_thread(make_grammar, language)
        if grammar is None:
            return Conversation(turns, reader, Means("text"), tokens)
        return Conversation(turns, reader, means, tokens, means.build_options(grammar))

    async def _ask_samples(self, conversation: Conversation, search: Search) -> list[ChatText]:
        """The model's first text, and further ones by chance; what was asked before is remembered.

        The first text of a search that takes no chances is the likeliest one.
        """
        messages, options = conversation.messages, conversation.options
        key = json.dumps([messages, options, search.mode, search.temperature], default=str)
        if key in self._remembered:
            return self._remembered[key]
        is_random = search.mode in _RANDOM
        tokens = conversation.line_tokens * (search.width if self.samples == 1 else 1)
        wanted = {**options, "logprobs": True} if self.samples > 1 else options
        first = search.temperature if is_random else 0.0
        texts = list(await self.completions.ask(messages, tokens, first, wanted))
        while len(texts) < min(self.samples, search.width) and not _is_spent():
            missing = min(self.samples, search.width) - len(texts)
            more = {**wanted, "n": missing} if missing > 1 else wanted
            further = await self.completions.ask(messages, tokens, first or _WARMTH, more)
            texts += further[:missing]
        if not is_random:
            self._remembered[key] = texts
        return texts

    async def _correct_samples(
        self, samples: Sequence[SampledText], conversation: Conversation, width: int
    ) -> list[SampledText]:
        """The samples with the lines that left the language corrected, as far as one retry goes.

        Where some sample was read, those that left are dropped: the others say enough.
        """
        outside = [
            line for it in samples for line in it.lines if isinstance(line.result, Departure)
        ]
        is_read = any(
            isinstance(line.result, SentenceReading) for it in samples for line in it.lines
        )
        if not outside or _is_spent() or (is_read and len(samples) > 1):
            return list(samples)
        first = next(it for it in samples if any(line in outside for line in it.lines))
        self.tally["sent_back"] += sum(isinstance(line.result, Departure) for line in first.lines)
        messages = [*conversation.messages, *build_corrections(first.lines)]
        try:
            tokens = conversation.line_tokens * len(first.lines)
            texts = await self.completions.ask(messages, tokens, options=conversation.options)
        except DecoderError as error:
            if not is_read:
                raise
            log.warning("the retry failed, what was read before stands: %s", error)
            return list(samples)
        read = partial(read_sample, conversation, width)
        corrected = await asyncio.to_thread(read, texts[0])
        merged = SampledText(
            tuple(merge_corrections(first.lines, corrected.lines)), first.probability
        )
        return [merged if it is first else it for it in samples]

    def _build_sentences(self, samples: Sequence[SampledText], width: int) -> list[Sentence]:
        """The lines that are sentences, each once; other lines are dropped and counted."""
        lines = [line for sample in samples for line in sample.lines]
        read = sum(isinstance(line.result, SentenceReading) for line in lines)
        self.tally.update(read=read, dropped=len(lines) - read)
        if read < len(lines):
            log.info("%d of %d lines of the decoder left the language", len(lines) - read, read)
        return weigh_readings(samples)[:width]


def _is_spent() -> bool:
    """Whether the question may cost no further call."""
    spending = get_spending()
    return bool(spending and spending.limit_reached)


def _list_turns(prompt: Prompt) -> list[Message]:
    """The chat of a prompt as the messages of a request; without one, its text as the user's."""
    turns = prompt.messages or (PromptMessage("user", (prompt.render(),)),)
    listed: list[Any] = [{"role": turn.role, "content": turn.text.strip()} for turn in turns]
    return listed
