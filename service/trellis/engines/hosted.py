"""A hosted chat model that decodes: it has no token masks, so the language reads what it writes.

It is shown what can be said, and writes paths, or queries, one a line. Lines outside the language
are sent back to it once, with their correct part and what could follow; those that are still
outside are dropped. So the result are sentences of the language, as from any other engine.
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

from openai import APITimeoutError, AsyncOpenAI, OpenAIError

from trellis.automata.reader import Departure, Reading
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.errors import DecoderError, DecoderTimeoutError, WrongTaskError
from trellis.domain.prompt import Prompt
from trellis.domain.reasons import with_reason
from trellis.engines.chat import ChatFormat, Line, LineReader, Message, Written, corrected, lines_of

log = logging.getLogger(__name__)


_RANDOM = ("sample", "stochastic_beam")

_REMEDY = (
    "check TRELLIS_DECODER_URL, TRELLIS_DECODER_MODEL and TRELLIS_DECODER_KEY, "
    "or unset TRELLIS_DECODER_URL to use a trained model"
)
_SLOW = "raise TRELLIS_DECODER_TIMEOUT, or name a faster model in TRELLIS_DECODER_MODEL"


@dataclass(frozen=True, slots=True)
class HostedModel:
    """LanguageModel port over an OpenAI-compatible chat endpoint, whose model is `card.base`.

    `formats`: the format of the chat by task. `timeout`: seconds of one call, its retries included.
    `shown`: the most sentences, or texts of one step, that the model is shown. `tally` counts
    lines: `read`, `sent_back` in a retry, and `dropped`.
    """

    client: AsyncOpenAI
    card: ModelCard
    formats: Mapping[str, ChatFormat]
    timeout: float = 60.0
    shown: int = 120
    tally: Counter[str] = field(default_factory=Counter, compare=False)

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """Raises DecoderError or DecoderTimeoutError where the model does not answer."""
        pairs = zip(prompts, languages, strict=True)
        return await asyncio.gather(*(self._decoded(*pair, search) for pair in pairs))

    async def _decoded(self, prompt: Prompt, language: Any, search: Search) -> list[Sentence]:
        chat = self._format(prompt.task)
        conversation = await asyncio.to_thread(
            chat.open_conversation, prompt, language, search.width, self.shown
        )
        if conversation is None:
            return []
        asking = partial(self._lines, conversation.reader, search, chat.line_tokens)
        lines = await asking(conversation.messages)
        left = sum(isinstance(line.found, Departure) for line in lines)
        if left:
            self.tally["sent_back"] += left
            lines = await _ask_again(asking, conversation.messages, lines)
        return self._sentences(lines, search.width)

    def _format(self, task: str) -> ChatFormat:
        """The chat format of a task; WrongTaskError where there is none."""
        if task not in self.formats:
            raise WrongTaskError(
                f"a hosted model cannot do task {task!r}",
                f"train a model with `trellis train --task {task}`, and name it in TRELLIS_MODEL",
            )
        return self.formats[task]

    async def _lines(
        self, reader: LineReader, search: Search, line_tokens: int, messages: Sequence[Message]
    ) -> list[Written]:
        lines = lines_of(await self._ask(messages, search, line_tokens))
        return await asyncio.to_thread(_taken, reader, lines, search.width)

    async def _ask(self, messages: Sequence[Message], search: Search, line_tokens: int) -> str:
        where = f"the decoder at {self.client.base_url}"
        try:
            async with asyncio.timeout(self.timeout):
                done = await self.client.chat.completions.create(
                    model=self.card.base,
                    messages=list(messages),
                    temperature=search.temperature if search.mode in _RANDOM else 0.0,
                    max_tokens=search.width * line_tokens,
                )
            choice = done.choices[0]
            content = choice.message.content or ""
            return content.rpartition("\n")[0] if choice.finish_reason == "length" else content
        except (TimeoutError, APITimeoutError) as error:
            problem = f"{where} did not answer within {self.timeout:g} s"
            raise DecoderTimeoutError(problem, _SLOW) from error
        except OpenAIError as error:
            raise DecoderError(with_reason(f"{where} failed", error), _REMEDY) from error
        except (ValueError, AttributeError, IndexError, TypeError) as error:
            raise DecoderError(f"{where} did not answer as a chat model does", _REMEDY) from error

    def _sentences(self, lines: Sequence[Written], width: int) -> list[Sentence]:
        """The lines that are sentences, each once; other lines are dropped and counted."""
        readings = [line.found for line in lines if isinstance(line.found, Reading)]
        distinct = {reading.text: reading for reading in readings}
        dropped = len(lines) - len(readings)
        self.tally.update(read=len(readings), dropped=dropped)
        if dropped:
            log.info("%d of %d lines of the decoder left the language", dropped, len(lines))
        return ranked(list(distinct.values())[:width])


def ranked(readings: Sequence[Reading[Any]]) -> list[Sentence]:
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
    ask: Callable[[Sequence[Message]], Awaitable[list[Written]]],
    messages: Sequence[Message],
    lines: list[Written],
) -> list[Written]:
    """The lines, corrected by one retry; unchanged where the retry fails and some were read."""
    try:
        return _mended(lines, await ask([*messages, *corrected(lines)]))
    except DecoderError as error:
        if not any(isinstance(line.found, Reading) for line in lines):
            raise
        log.warning("the retry failed, what was read before stands: %s", error)
        return lines


def _taken(reader: LineReader, lines: Sequence[Line], width: int) -> list[Written]:
    """The lines up to the one that completes `width` readings; at most twice as many lines."""
    taken: list[Written] = []
    for line in lines[: 2 * width]:
        taken.append(_read(reader, line))
        if sum(isinstance(written.found, Reading) for written in taken) == width:
            break
    return taken


def _read(reader: LineReader, line: Line) -> Written:
    """A line in its first spelling that can be read, else in the one that is read furthest."""
    spellings = [Written(text, reader.read(text)) for text in line]
    readable = (spelling for spelling in spellings if isinstance(spelling.found, Reading))
    return next(readable, None) or max(spellings, key=_fine)


def _fine(line: Written) -> int:
    """The number of characters that are inside the language."""
    return len(line.found.said) if isinstance(line.found, Departure) else len(line.text)


def _mended(lines: Sequence[Written], again: Sequence[Written]) -> list[Written]:
    """The lines, with those outside the language replaced by their corrections, in order."""
    corrections = iter(again)
    mended = [
        next(corrections, line) if isinstance(line.found, Departure) else line for line in lines
    ]
    return [*mended, *corrections]
