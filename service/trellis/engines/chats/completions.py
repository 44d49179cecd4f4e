"""Calls of a hosted chat model: what servers refuse is left out, and failures become our errors.

Servers of one protocol differ. Some refuse `max_tokens` and want `max_completion_tokens`, some
refuse a temperature; some models think before they write; some answer 200 with an error in the
body. All of this is met here, so that nobody above needs to know which server it talks to.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openai import (
    APITimeoutError,
    AsyncOpenAI,
    BadRequestError,
    OpenAIError,
    UnprocessableEntityError,
)

from trellis.domain.errors import DecoderError, DecoderTimeoutError, ReasonerError, TrellisError
from trellis.domain.limits.spending import get_spending
from trellis.domain.reasons import with_reason
from trellis.engines.chats.chat import Message

log = logging.getLogger(__name__)

_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_OTHER_NAMES = {"max_tokens": "max_completion_tokens"}
_OPTIONAL = ("n", "logprobs")  # parameters that a server may refuse without harm
_LONGEST_REASON = 200
_LONGEST_TEXT = 100_000  # characters; a server need not keep to the tokens that it was asked for
_UNREADABLE = (ValueError, AttributeError, IndexError, TypeError, RecursionError)
"""What reading a reply raises that is none of a chat model's."""


@dataclass(frozen=True, slots=True)
class HostedRole:
    """What a hosted model is for: how errors name it, and of which type they are.

    `settings`: the prefix of the environment variables that set it.
    """

    name: str
    settings: str
    error: type[TrellisError]
    timeout_error: type[TrellisError]
    otherwise: str = ""

    @property
    def remedy(self) -> str:
        """What to do where it fails."""
        url, model, key = (f"{self.settings}_{part}" for part in ("URL", "MODEL", "KEY"))
        return f"check {url}, {model} and {key}{self.otherwise}"

    @property
    def slow_remedy(self) -> str:
        """What to do where it is too slow."""
        return f"raise {self.settings}_TIMEOUT, or name a faster model in {self.settings}_MODEL"


DECODER = HostedRole(
    "decoder",
    "TRELLIS_DECODER",
    DecoderError,
    DecoderTimeoutError,
    ", or unset TRELLIS_DECODER_URL to use a trained model",
)
REASONER = HostedRole("reasoner", "TRELLIS_REASONER", ReasonerError, ReasonerError)


@dataclass(frozen=True, slots=True)
class ChatText:
    """What a model wrote, without its thoughts.

    `is_cut`: whether the limit of tokens ended it. `logprobs`: of its tokens, where the server
    gives them. `had_thoughts`: whether the model thought before it wrote.
    """

    text: str
    is_cut: bool = False
    logprobs: tuple[float, ...] = ()
    had_thoughts: bool = False

    @property
    def whole_lines(self) -> str:
        """The text without its last line where it was cut."""
        return self.text.rpartition("\n")[0] if self.is_cut else self.text


@dataclass(slots=True)
class ServerHabits:
    """What was learnt of a server from its refusals and replies.

    `refused`: parameters that it does not take. `thinks`: whether its model thinks first.
    """

    refused: set[str] = field(default_factory=set)
    thinks: bool = False


@dataclass(frozen=True, slots=True)
class ChatCompletions:
    """Calls of the model `model` at an OpenAI-compatible address.

    `timeout`: seconds of one call, its retries included. `thought_tokens`: tokens that a model
    which thinks before it writes may take beside those of its text.
    """

    client: AsyncOpenAI
    model: str
    timeout: float
    role: HostedRole = DECODER
    thought_tokens: int = 2_048
    habits: ServerHabits = field(default_factory=ServerHabits, compare=False)

    async def complete_chat(self, messages: Sequence[Message], max_tokens: int) -> str:
        """The model's text, without its last line where it was cut; errors as of `ask`."""
        return (await self.ask(messages, max_tokens))[0].whole_lines

    async def ask(
        self,
        messages: Sequence[Message],
        max_tokens: int,
        temperature: float = 0.0,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[ChatText, ...]:
        """The texts of one call, at least one; raises the role's errors where none comes.

        `options`: further parameters. Those that are no part of the protocol go as `extra_body`.
        """
        texts = await self._ask_once(messages, max_tokens, temperature, options)
        thinking = any(text.had_thoughts for text in texts)
        if thinking and not self.habits.thinks:
            self.habits.thinks = True
            if any(text.is_cut for text in texts):  # its thoughts took the tokens
                return await self._ask_once(messages, max_tokens, temperature, options)
        return texts

    async def _ask_once(
        self,
        messages: Sequence[Message],
        max_tokens: int,
        temperature: float,
        options: Mapping[str, Any] | None,
    ) -> tuple[ChatText, ...]:
        where = f"the {self.role.name} at {self.client.base_url}"
        self._check_spending()
        wanted = {
            "max_tokens": max_tokens + (self.thought_tokens if self.habits.thinks else 0),
            "temperature": temperature,
        }
        try:
            async with asyncio.timeout(self.timeout):
                done = await self._send_until_taken(messages, wanted, options or {})
            return self._read_completion(done, where)
        except (TimeoutError, APITimeoutError) as error:
            problem = f"{where} did not answer within {self.timeout:g} s"
            raise self.role.timeout_error(problem, self.role.slow_remedy) from error
        except OpenAIError as error:
            raise self.role.error(
                with_reason(f"{where} failed", error), self.role.remedy
            ) from error
        except _UNREADABLE as error:
            problem = f"{where} did not answer as a chat model does"
            raise self.role.error(problem, self.role.remedy) from error

    def _check_spending(self) -> None:
        """Raises the role's error where the question may cost no further call."""
        spending = get_spending()
        if spending and (reached := spending.limit_reached):
            raise self.role.error(
                f"the question has taken the {reached} that it may",
                "raise TRELLIS_HOSTED_CALLS or TRELLIS_HOSTED_TOKENS",
            )

    async def _send_until_taken(
        self, messages: Sequence[Message], wanted: Mapping[str, Any], options: Mapping[str, Any]
    ) -> Any:
        """The server's reply; a parameter that it refuses by name is renamed or left out."""
        optional = {name: options[name] for name in _OPTIONAL if name in options}
        needed = {name: value for name, value in options.items() if name not in optional}
        while True:
            body = dict(self._list_parameters({**wanted, **optional}))
            try:
                return await self.client.chat.completions.create(
                    model=self.model, messages=list(messages), **body, **needed
                )
            except (BadRequestError, UnprocessableEntityError) as error:
                refused = _find_refused(error, [*body])
                if not refused:
                    raise
                self.habits.refused.add(refused)
                log.info("the %s at %s takes no %s", self.role.name, self.client.base_url, refused)

    def _list_parameters(self, wanted: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for name, value in wanted.items():
            other = _OTHER_NAMES.get(name, "")
            if name not in self.habits.refused:
                yield name, value
            elif other and other not in self.habits.refused:
                yield other, value

    def _read_completion(self, done: Any, where: str) -> tuple[ChatText, ...]:
        """The texts of a reply; the role's error where it is an error in spite of its status."""
        told = getattr(done, "error", None)
        if told:
            problem = f"{where} failed ({_describe_told_error(told)})"
            raise self.role.error(problem, self.role.remedy)
        texts = tuple(_read_choice(choice) for choice in done.choices)
        if not texts:
            raise IndexError("no choices")
        if spending := get_spending():
            usage = getattr(done, "usage", None)
            spending.add(int(getattr(usage, "total_tokens", 0) or 0))
        return texts


def is_refusal(error: TrellisError) -> bool:
    """Whether a server said that it does not take a request as it was."""
    return isinstance(error.__cause__, BadRequestError | UnprocessableEntityError)


def _find_refused(error: BadRequestError | UnprocessableEntityError, names: Sequence[str]) -> str:
    """The parameter that an error names; empty where it names none of those sent."""
    if error.param in names:
        return str(error.param)
    told = str(error.body or error)
    return next((name for name in names if re.search(rf"(?<![\w.]){name}(?!\w)", told)), "")


def _describe_told_error(told: Any) -> str:
    """The message of an error that came in the body of a reply."""
    message = told.get("message", told) if isinstance(told, Mapping) else told
    return " ".join(str(message).split())[:_LONGEST_REASON]


def _read_choice(choice: Any) -> ChatText:
    message = choice.message
    content = (message.content or "")[:_LONGEST_TEXT]
    aside = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
    thought = _THOUGHT.match(content)
    return ChatText(
        content[thought.end() :].lstrip() if thought else content,
        choice.finish_reason == "length",
        () if thought or aside else _read_logprobs(choice),
        bool(aside or thought),
    )


def _read_logprobs(choice: Any) -> tuple[float, ...]:
    logprobs = getattr(choice, "logprobs", None)
    return tuple(float(token.logprob) for token in (logprobs.content or ())) if logprobs else ()
