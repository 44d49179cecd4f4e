"""Hosted models over a chat server of a test: what they write, and what they are asked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import Response
from openai import AsyncOpenAI

from chat_server import chat_server
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.engines.chats.chat import ChatFormat
from trellis.engines.chats.completions import ChatCompletions
from trellis.engines.chats.hosted import HostedModel
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.steps.retrieve.paths.settings import PathSettings

Body = dict[str, Any]
AnswerBody = Callable[[Body], str | Response]

PATH_CARD = ModelCard.of("m", PathSettings(meets=True))
PATH_FORMAT = ChatFormat(64)
PATH_PROMPT = build_masked_path_prompt("what is the capital of ENT1?")
TRIPLES = ((0, "HAS_CAPITAL", 1), (0, "PART_OF", 2), (3, "FLOWS_IN", 0), (3, "FLOWS_BY", 1))


@dataclass(frozen=True)
class Written:
    """What came of one decoding."""

    sentences: Sequence[Sentence]
    requests: list[Body]
    model: HostedModel

    @property
    def texts(self) -> list[str]:
        return [sentence.text for sentence in self.sentences]

    @property
    def tally(self) -> dict[str, int]:
        return dict(self.model.tally)

    def told(self, request: int) -> str:
        """The last message of a request."""
        said: str = self.requests[request]["messages"][-1]["content"]
        return said


@asynccontextmanager
async def open_hosted(
    url: str, card: ModelCard, formats: dict[str, ChatFormat], seconds: float = 200.0, **more: Any
) -> AsyncIterator[HostedModel]:
    """A hosted model of the server at an address."""
    async with AsyncOpenAI(base_url=url, api_key="k", max_retries=0) as client:
        yield HostedModel(ChatCompletions(client, "m", seconds), card, formats, **more)


async def write(
    answer: AnswerBody,
    prompt: Prompt,
    language: Any,
    chat: ChatFormat,
    card: ModelCard = PATH_CARD,
    *,
    width: int = 3,
    times: int = 1,
    **more: Any,
) -> Written:
    """What a model writes that gives these answers to the bodies of its requests."""
    with chat_server(lambda _: answer(server.requests[-1])) as server:
        async with open_hosted(server.url, card, {prompt.task: chat}, **more) as model:
            for _ in range(times):
                [sentences] = await model.decode([prompt], [language], Search(width=width))
    return Written(sentences, server.requests, model)


def walks(triples: Sequence[tuple[int, str, int]] = TRIPLES, **more: Any) -> Walks:
    """Walks from the first node, which is `ENT1`."""
    size = 1 + max(i for head, _, tail in triples for i in (head, tail))
    names = more.pop("names", tuple(f"n{i}" for i in range(size)))
    hood = cut_neighbourhood(build_adjacency(names, names, triples), [0], more.get("hops", 2))
    return Walks(hood, [Start(" ENT1", (0,))], **{"hops": 2, "revisit": "simple", **more})
