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
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from trellis.automata.grammars.compile_grammar import compile_grammar
from trellis.automata.reader import Departure, SentenceReading
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.errors import DecoderError, WrongTaskError
from trellis.domain.prompt import Prompt, PromptMessage
from trellis.domain.spending import get_spending
from trellis.engines.chat import (
    ChatFormat,
    LineReader,
    LineSpellings,
    Message,
    ParsedLine,
    build_corrections,
    split_blocks,
    split_lines,
)
from trellis.engines.completions import ChatCompletions, ChatText
from trellis.engines.means import Means, MeansName, find_means

log = logging.getLogger(__name__)


_RANDOM = ("sample", "stochastic_beam")
_WARMTH = 0.7  # temperature of further samples: warm enough to differ
_MOST_LINES = 40  # of one text that are looked at
_REMEMBERED = 64  # requests whose texts are kept
_UNKNOWN_CONTEXT = 1_000_000
_CHARACTERS_A_TOKEN = 3  # of a schema and of queries; ordinary English has more
_TOKENS_A_TURN = 8

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SampledText:
    """The lines of one text, and how probable the text is; None where its server does not say."""

    lines: tuple[ParsedLine, ...]
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages that ask for the sentences of one prompt, and the reader of its lines."""

    messages: Sequence[Message]
    reader: LineReader


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
    _remembered: dict[str, list[ChatText]] = field(default_factory=dict, compare=False)

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
        reader = await asyncio.to_thread(chat.open_reader, language)
        conversation = Conversation(_list_turns(prompt), reader)
        means, options = await self._choose_means(language)
        texts = await self._ask_samples(conversation.messages, options, search, chat.line_tokens)
        read = partial(_read_sample, conversation.reader, means, search.width)
        samples = [await asyncio.to_thread(read, text) for text in texts]
        request = chat.line_tokens, options
        samples = await self._correct_samples(samples, conversation, means, search.width, request)
        return self._build_sentences(samples, search.width)

    def _find_format(self, task: str) -> ChatFormat:
        """The chat format of a task; WrongTaskError where there is none."""
        if task not in self.formats:
            raise WrongTaskError(
                f"a hosted model cannot do task {task!r}",
                f"train a model with `trellis train --task {task}`, and name it in TRELLIS_MODEL",
            )
        return self.formats[task]

    async def _choose_means(self, language: Any) -> tuple[Means, Options]:
        """The means for a language, and the parameters of a request; text where none fits it."""
        means = await self.find_means()
        if means.name == "text":
            return means, {}
        grammar = await asyncio.to_thread(compile_grammar, language)
        return (means, means.build_options(grammar)) if grammar else (Means("text"), {})

    async def _ask_samples(
        self, messages: Sequence[Message], options: Options, search: Search, line_tokens: int
    ) -> list[ChatText]:
        """The model's first text, and further ones by chance; what was asked before is remembered.

        The first text of a search that takes no chances is the likeliest one.
        """
        key = json.dumps([messages, options, search.mode, search.temperature], default=str)
        if key in self._remembered:
            return self._remembered[key]
        is_random = search.mode in _RANDOM
        tokens = line_tokens * (search.width if self.samples == 1 else 1)
        wanted = {**options, "logprobs": True} if self.samples > 1 else options
        first = search.temperature if is_random else 0.0
        texts = list((await self.completions.ask(messages, tokens, first, wanted)).texts)
        while len(texts) < min(self.samples, search.width) and not _is_spent():
            missing = min(self.samples, search.width) - len(texts)
            more = {**wanted, "n": missing} if missing > 1 else wanted
            answer = await self.completions.ask(messages, tokens, first or _WARMTH, more)
            texts += answer.texts[:missing]
        if not is_random:
            self._remember(key, texts)
        return texts

    def _remember(self, key: str, texts: list[ChatText]) -> None:
        self._remembered[key] = texts
        while len(self._remembered) > _REMEMBERED:
            del self._remembered[next(iter(self._remembered))]

    async def _correct_samples(
        self,
        samples: Sequence[SampledText],
        conversation: Conversation,
        means: Means,
        width: int,
        request: tuple[int, Options],
    ) -> list[SampledText]:
        """The samples with the lines that left the language corrected, as far as one retry goes.

        `request`: the tokens that a line may take, and the parameters that keep to the language.
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
            tokens = request[0] * len(first.lines)
            answer = await self.completions.ask(messages, tokens, options=request[1])
        except DecoderError as error:
            if not is_read:
                raise
            log.warning("the retry failed, what was read before stands: %s", error)
            return list(samples)
        read = partial(_read_sample, conversation.reader, means, width)
        corrected = await asyncio.to_thread(read, answer.texts[0])
        merged = SampledText(
            tuple(_merge_corrections(first.lines, corrected.lines)), first.probability
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


def weigh_readings(samples: Sequence[SampledText]) -> list[Sentence]:
    """The sentences of samples, the most probable first, with probabilities that add up to 1.

    A sentence is as probable as its server says, where it says so of all samples of one line; else
    as many samples as have it. The order in which one text lists several says nothing of how
    probable they are: it only orders those that are equal.
    """
    is_told = all(len(it.lines) == 1 and it.probability is not None for it in samples)
    weights: dict[str, float] = {}
    readings: dict[str, SentenceReading[Any]] = {}
    for sample in samples:
        found = [it.result for it in sample.lines if isinstance(it.result, SentenceReading)]
        for reading in {it.text: it for it in found}.values():
            readings.setdefault(reading.text, reading)
            before = weights.get(reading.text, 0.0)
            told = max(before, sample.probability or 0.0)
            weights[reading.text] = told if is_told else before + 1.0
    total = sum(weights.values()) or 1.0
    ranked = sorted(weights, key=lambda text: -weights[text])
    return [
        Sentence(text.strip(), (), readings[text].values, _log(weights[text] / total), 1)
        for text in ranked
    ]


def _log(probability: float) -> float:
    return math.log(max(probability, 1e-300))


def _is_spent() -> bool:
    """Whether the question may cost no further call."""
    spending = get_spending()
    return bool(spending and spending.limit_reached)


def _list_turns(prompt: Prompt) -> list[Message]:
    """The chat of a prompt as the messages of a request; without one, its text as the user's."""
    turns = prompt.messages or (PromptMessage("user", (prompt.render(),)),)
    listed: list[Any] = [{"role": turn.role, "content": turn.text.strip()} for turn in turns]
    return listed


def _read_sample(reader: LineReader, means: Means, width: int, text: ChatText) -> SampledText:
    """The lines of a text, up to the one that completes `width` readings."""
    said = means.read_text(text.whole_lines if means.name == "text" else text.text)
    lines = [LineSpellings((said,))] if means.name != "text" else _split_text(reader, said)
    chances = [chance.logprob for chance in text.chances]
    probability = math.exp(max(sum(chances), -600.0)) if chances else None
    return SampledText(tuple(_read_lines(reader, lines, width)), probability)


def _split_text(reader: LineReader, text: str) -> list[LineSpellings]:
    """The lines of a text, or its blocks where more of these are sentences."""
    lines = split_lines(text)
    blocks = [LineSpellings((block,)) for block in split_blocks(text)]
    return max((lines, blocks), key=partial(_count_readings, reader))


def _count_readings(reader: LineReader, lines: Sequence[LineSpellings]) -> int:
    read = (_read_line(reader, line).result for line in lines[:_MOST_LINES])
    return sum(isinstance(result, SentenceReading) for result in read)


def _read_lines(reader: LineReader, lines: Sequence[LineSpellings], width: int) -> list[ParsedLine]:
    """The lines up to the one that completes `width` readings; at most twice as many lines."""
    taken: list[ParsedLine] = []
    for line in lines[: 2 * width]:
        taken.append(_read_line(reader, line))
        if sum(isinstance(written.result, SentenceReading) for written in taken) == width:
            break
    return taken


def _read_line(reader: LineReader, line: LineSpellings) -> ParsedLine:
    """A line in its first spelling that can be read, else in the one that is read furthest."""
    spellings = [ParsedLine(text, reader.read_text(text)) for text in line]
    readable = (spelling for spelling in spellings if isinstance(spelling.result, SentenceReading))
    return next(readable, None) or max(spellings, key=_measure_readable_part)


def _measure_readable_part(line: ParsedLine) -> int:
    """The number of characters that are inside the language."""
    return len(line.result.accepted) if isinstance(line.result, Departure) else len(line.text)


def _merge_corrections(
    lines: Sequence[ParsedLine], corrected_lines: Sequence[ParsedLine]
) -> list[ParsedLine]:
    """The lines, with those outside the language replaced by their corrections, in order."""
    corrections = iter(corrected_lines)
    mended = [
        next(corrections, line) if isinstance(line.result, Departure) else line for line in lines
    ]
    return [*mended, *corrections]
