"""What answers a command's questions: a running service, or this process itself."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer

from trellis.cli.opening import open_app
from trellis.client import Client
from trellis.domain.replies.events import Watch
from trellis.domain.replies.question import check_question
from trellis.settings import Settings
from trellis.wire.asked import TurnBody
from trellis.wire.bodies import MethodBody, ReplyBody
from trellis.wire.claims import ClaimBody
from trellis.wire.events import QuestionEvent

if TYPE_CHECKING:
    from trellis.app.trellis_app import TrellisApp

_ATTEMPTS = 2  # a user at a terminal would rather see the error than wait in silence


class InProcessClient:
    """Answers questions in this process; answers have ids, and are not kept."""

    def __init__(self, trellis_app: TrellisApp) -> None:
        self._app = trellis_app

    async def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        topics: Sequence[str] | None = None,
        limit: int | None = None,
        history: Sequence[TurnBody] = (),
    ) -> AsyncGenerator[QuestionEvent]:
        # a remote question needs neither
        from trellis.app.events import stream_question
        from trellis.app.follow_ups import answer_in_conversation

        asked_at = datetime.now(UTC)
        asked = self._app.make_question(question, list(topics) if topics else None, limit)

        async def answer_question(watch: Watch) -> ReplyBody:
            turns = [turn.as_turn() for turn in history]
            reply = await answer_in_conversation(self._app, asked, turns, method, watch)
            body = ReplyBody.of(str(uuid.uuid4()), reply)
            return body.model_copy(update={"asked_at": asked_at})

        async with aclosing(stream_question(answer_question)) as events:
            async for event in events:
                yield event

    async def verify(self, claim: str) -> ClaimBody:
        asked_at = datetime.now(UTC)
        reply = await self._app.verify(self._app.make_claim(claim))
        return ClaimBody.of(str(uuid.uuid4()), reply).model_copy(update={"asked_at": asked_at})

    async def list_methods(self) -> list[MethodBody]:
        from trellis.app.listing import list_methods  # a remote question does not need it

        return await list_methods(self._app)


QuestionClient = Client | InProcessClient
"""Who answers a command's questions."""


def build_client(settings: Settings, address: str, attempts: int = _ATTEMPTS) -> Client:
    """A client of the service at an address, with the key and the graph that are set."""
    key = settings.key.get_secret_value()
    graph = settings.graph if "graph" in settings.model_fields_set else None
    return Client(address, attempts=attempts, key=key, graph=graph)


def check_no_model(url: str | None, model: str | None) -> None:
    """A usage error where both a service and a model are named."""
    if url and model:
        raise typer.BadParameter("a service has a model of its own", param_hint="--model")


@asynccontextmanager
async def open_client(
    url: str | None, model: str | None, question: str | None = None, method: str | None = None
) -> AsyncIterator[QuestionClient]:
    """The service at `url`, else the one of TRELLIS_URL unless a model is named, else this process.

    A usage error if both are given. In this process, a `question` or `method` that cannot be used
    is told before anything is opened.
    """
    check_no_model(url, model)
    settings = Settings()
    address = url or (None if model else settings.url)
    if address:
        async with build_client(settings, address) as client:
            yield client
        return
    from trellis.graphs_file import select_graph

    chosen = select_graph(settings)
    _check_question(question, method, chosen)
    async with open_app(chosen, model) as opened:
        yield InProcessClient(opened)


def _check_question(question: str | None, method: str | None, settings: Settings) -> None:
    """Raise QuestionError or UnknownMethodError for what cannot be asked."""
    if question is not None:
        check_question(question, settings.question_limit)
    if method is not None:
        from trellis.methods import METHODS
        from trellis.methods.registry import AUTO, find_method

        if method != AUTO:
            find_method(METHODS, method)
