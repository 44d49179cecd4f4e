"""A hosted chat model that decodes: it has no masks, so what it writes is read by the language.

It is shown what can be said and writes paths, or queries, one a line. Lines that leave the
language go back to it once, with what was fine and what could have been said; what still leaves is
dropped. So what comes out are sentences of the language, as from any other engine.
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

    `formats`: how it is asked for, by task.
    `timeout`: seconds of one call, its retries included; `shown`: sentences, or texts a step, that
    the model is told of. `tally` counts lines: `read`, `sent_back` in a retry, and `dropped`.
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
        """How what the task writes is asked for; WrongTaskError where that cannot be asked for."""
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
        """The lines that are sentences, each once; those that are not are dropped and counted."""
        found = [line.found for line in lines]
        read = {said.text: said for said in found if isinstance(said, Reading)}
        dropped = sum(isinstance(said, Departure) for said in found)
        self.tally.update(read=len(found) - dropped, dropped=dropped)
        if dropped:
            log.info("%d of %d lines of the decoder left the language", dropped, len(found))
        return ranked(list(read.values())[:width])


def ranked(readings: Sequence[Reading[Any]]) -> list[Sentence]:
    """Readings as sentences, the model's first choice first.

    A chat model gives no probability over the language, and those of a list's tokens hang on the
    lines before them. Its order is what it says of the paths, so the i-th is held half as likely
    as the one before it: p_i = 2^-i / (2^-1 + … + 2^-n), which add up to 1 as the vote needs.
    """
    total = sum(0.5**rank for rank in range(len(readings)))
    return [
        Sentence(one.text.strip(), (), one.values, math.log(0.5**rank / total), 1)
        for rank, one in enumerate(readings)
    ]


async def _ask_again(
    ask: Callable[[Sequence[Message]], Awaitable[list[Written]]],
    messages: Sequence[Message],
    lines: list[Written],
) -> list[Written]:
    """The lines with the corrections of the one retry; where it fails, what has been read."""
    try:
        return _mended(lines, await ask([*messages, *corrected(lines)]))
    except DecoderError as error:
        if not any(isinstance(line.found, Reading) for line in lines):
            raise
        log.warning("the retry failed, what was read before stands: %s", error)
        return lines


def _taken(reader: LineReader, lines: Sequence[Line], width: int) -> list[Written]:
    """The lines up to the one with which `width` have been read; not many more, whatever comes."""
    taken: list[Written] = []
    for line in lines[: 2 * width]:
        taken.append(_read(reader, line))
        if sum(isinstance(one.found, Reading) for one in taken) == width:
            break
    return taken


def _read(reader: LineReader, line: Line) -> Written:
    """A line in the first of its spellings that reads, else in the one that comes furthest."""
    spellings = [Written(text, reader.read(text)) for text in line]
    read = (one for one in spellings if isinstance(one.found, Reading))
    return next(read, None) or max(spellings, key=_fine)


def _fine(line: Written) -> int:
    return len(line.found.said) if isinstance(line.found, Departure) else len(line.text)


def _mended(lines: Sequence[Written], again: Sequence[Written]) -> list[Written]:
    """The lines, those that left replaced by their corrections as far as there are any."""
    corrections = iter(again)
    mended = [
        next(corrections, line) if isinstance(line.found, Departure) else line for line in lines
    ]
    return [*mended, *corrections]
