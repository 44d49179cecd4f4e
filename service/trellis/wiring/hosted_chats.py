"""Chat models behind an OpenAI-compatible API: the one that writes, and the one that reasons."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from openai import AsyncOpenAI

from trellis.domain.ports import (
    Reasoner,
)
from trellis.engines.chats.completions import DECODER, REASONER, ChatCompletions
from trellis.engines.chats.reasoner import HostedReasoner
from trellis.settings import Settings


@asynccontextmanager
async def open_completions(settings: Settings) -> AsyncIterator[ChatCompletions | None]:
    """The hosted chat model that the settings name, for texts of any kind; None without one."""
    if not settings.decoder_url:
        yield None
        return
    async with build_decoder_client(settings) as client:
        yield build_decoder_completions(client, settings)


def build_decoder_completions(client: AsyncOpenAI, settings: Settings) -> ChatCompletions:
    return ChatCompletions(
        client,
        settings.decoder_model,
        settings.decoder_timeout,
        DECODER,
        settings.thought_tokens,
    )


def build_decoder_client(settings: Settings) -> AsyncOpenAI:
    return AsyncOpenAI(
        base_url=settings.decoder_url,
        api_key=settings.decoder_key.get_secret_value() or "none",
        timeout=settings.decoder_timeout,
        max_retries=2,
    )


@asynccontextmanager
async def open_reasoner(settings: Settings) -> AsyncIterator[Reasoner | None]:
    if not settings.reasoner_url:
        yield None
        return
    client = AsyncOpenAI(
        base_url=settings.reasoner_url,
        api_key=settings.reasoner_key.get_secret_value() or "none",
        timeout=settings.reasoner_timeout,
        max_retries=2,
    )
    try:
        yield HostedReasoner(
            ChatCompletions(
                client,
                settings.reasoner_model,
                settings.reasoner_timeout,
                REASONER,
                settings.thought_tokens,
            ),
            settings.reasoner_tokens,
            settings.reasoner_written_tokens,
            settings.reasoner_chooses,
        )
    finally:
        await client.close()
