"""One call of a hosted chat model, its failures told as ours."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from openai import APITimeoutError, AsyncOpenAI, OpenAIError

from trellis.domain.errors import DecoderError, DecoderTimeoutError
from trellis.domain.reasons import with_reason
from trellis.engines.chat import Message

_REMEDY = (
    "check TRELLIS_DECODER_URL, TRELLIS_DECODER_MODEL and TRELLIS_DECODER_KEY, "
    "or unset TRELLIS_DECODER_URL to use a trained model"
)
_SLOW = "raise TRELLIS_DECODER_TIMEOUT, or name a faster model in TRELLIS_DECODER_MODEL"


@dataclass(frozen=True, slots=True)
class ChatCompletions:
    """Calls of the model `model` at an OpenAI-compatible address.

    `timeout`: seconds of one call, its retries included.
    """

    client: AsyncOpenAI
    model: str
    timeout: float

    async def complete_chat(
        self, messages: Sequence[Message], max_tokens: int, temperature: float = 0.0
    ) -> str:
        """The model's text, without its last line where it was cut.

        Raises DecoderError or DecoderTimeoutError where the model does not answer.
        """
        where = f"the decoder at {self.client.base_url}"
        try:
            async with asyncio.timeout(self.timeout):
                done = await self.client.chat.completions.create(
                    model=self.model,
                    messages=list(messages),
                    temperature=temperature,
                    max_tokens=max_tokens,
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
