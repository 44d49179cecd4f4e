"""A hosted chat model that decodes: it has no token masks, so the language reads what it writes.

It is shown what can be said, and writes paths, queries or patterns, one a line. Lines outside the
language are sent back to it once, with their correct part and what could follow; those that are
still outside are dropped. So the result are sentences of the language, as from any other engine.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from trellis.automata.reader import Departure, SentenceReading
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.errors import DecoderError, WrongTaskError
from trellis.domain.prompt import Prompt
from trellis.engines.chat import (
    ChatFormat,
    LineReader,
    LineSpellings,
    Message,
    ParsedLine,
    build_corrections,
    split_lines,
)
from trellis.engines.completions import ChatCompletions

log = logging.getLogger(__name__)


_RANDOM = ("sample", "stochastic_beam")


@dataclass(frozen=True, slots=True)
class HostedModel:
    """LanguageModel port over an OpenAI-compatible chat endpoint, whose model is `card.base`.

    `formats`: the format of the chat by task.
    `shown_limit`: the most sentences, or texts of one step, that the model is shown. `tally` counts
    lines: `read`, `sent_back` in a retry, and `dropped`.
    """

    completions: ChatCompletions
    card: ModelCard
    formats: Mapping[str, ChatFormat]
    shown_limit: int = 120
    tally: Counter[str] = field(default_factory=Counter, compare=False)

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """Raises DecoderError or DecoderTimeoutError where the model does not answer."""
        pairs = zip(prompts, languages, strict=True)
        return await asyncio.gather(*(self._decode_prompt(*pair, search) for pair in pairs))

    async def _decode_prompt(self, prompt: Prompt, language: Any, search: Search) -> list[Sentence]:
        chat = self._find_format(prompt.task)
        conversation = await asyncio.to_thread(
            chat.open_conversation, prompt, language, search.width, self.shown_limit
        )
        if conversation is None:
            return []
        asking = partial(self._ask_lines, conversation.reader, search, chat.line_tokens)
        lines = await asking(conversation.messages)
        left = sum(isinstance(line.result, Departure) for line in lines)
        if left:
            self.tally["sent_back"] += left
            lines = await _ask_again(asking, conversation.messages, lines)
        return self._build_sentences(lines, search.width)

    def _find_format(self, task: str) -> ChatFormat:
        """The chat format of a task; WrongTaskError where there is none."""
        if task not in self.formats:
            raise WrongTaskError(
                f"a hosted model cannot do task {task!r}",
                f"train a model with `trellis train --task {task}`, and name it in TRELLIS_MODEL",
            )
        return self.formats[task]

    async def _ask_lines(
        self, reader: LineReader, search: Search, line_tokens: int, messages: Sequence[Message]
    ) -> list[ParsedLine]:
        lines = split_lines(await self._complete_chat(messages, search, line_tokens))
        return await asyncio.to_thread(_read_lines, reader, lines, search.width)

    async def _complete_chat(
        self, messages: Sequence[Message], search: Search, line_tokens: int
    ) -> str:
        temperature = search.temperature if search.mode in _RANDOM else 0.0
        return await self.completions.complete_chat(
            messages, search.width * line_tokens, temperature
        )

    def _build_sentences(self, lines: Sequence[ParsedLine], width: int) -> list[Sentence]:
        """The lines that are sentences, each once; other lines are dropped and counted."""
        readings = [line.result for line in lines if isinstance(line.result, SentenceReading)]
        distinct = {reading.text: reading for reading in readings}
        dropped = len(lines) - len(readings)
        self.tally.update(read=len(readings), dropped=dropped)
        if dropped:
            log.info("%d of %d lines of the decoder left the language", dropped, len(lines))
        return rank_readings(list(distinct.values())[:width])


def rank_readings(readings: Sequence[SentenceReading[Any]]) -> list[Sentence]:
    """Readings as sentences, the model's first choice first.

    A chat model gives no probability over the language, and the probabilities of a line's tokens
    depend on the lines before it. So its order is used instead: each reading is taken to be half as
    probable as the one before it, p_i = 2^-i / (2^-1 + … + 2^-n), which add up to 1, as the vote
    needs.
    """
    total = sum(0.5**rank for rank in range(len(readings)))
    return [
        Sentence(reading.text.strip(), (), reading.values, math.log(0.5**rank / total), 1)
        for rank, reading in enumerate(readings)
    ]


async def _ask_again(
    ask: Callable[[Sequence[Message]], Awaitable[list[ParsedLine]]],
    messages: Sequence[Message],
    lines: list[ParsedLine],
) -> list[ParsedLine]:
    """The lines, corrected by one retry; unchanged where the retry fails and some were read."""
    try:
        return _merge_corrections(lines, await ask([*messages, *build_corrections(lines)]))
    except DecoderError as error:
        if not any(isinstance(line.result, SentenceReading) for line in lines):
            raise
        log.warning("the retry failed, what was read before stands: %s", error)
        return lines


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
