"""A real HTTP server that speaks the chat completions of OpenAI, for the tests that need one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

Messages = list[dict[str, str]]
Answer = Callable[[Messages], str | Response]


@dataclass
class ChatServer:
    """Its address, and the requests that it got."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)

    def told(self, request: int) -> str:
        """The last message of a request."""
        return self.requests[request]["messages"][-1]["content"]


@contextmanager
def chat_server(answer: Answer) -> Iterator[ChatServer]:
    """A server on a free port of this machine; `answer` gives the words, or a whole response."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        opened = ChatServer(f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
        config = uvicorn.Config(_app(opened, answer), log_level="critical", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield opened
        finally:
            server.should_exit = True
            thread.join()


def scripted(*answers: str | Response) -> Answer:
    """Gives the answers one after the other."""
    left = iter(answers)
    return lambda _: next(left)


def closed_url() -> str:
    """An address of this machine where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


def completion(words: str, ended: str = "stop", **more: Any) -> Response:
    """The whole response that says some words; `more`: further fields of the message."""
    return JSONResponse(_completion("m", words, ended, **more))


def _app(opened: ChatServer, answer: Answer) -> FastAPI:
    app = FastAPI()

    @app.post("/v1/chat/completions")
    def complete(body: dict[str, Any]) -> Any:
        opened.requests.append(body)
        said = answer(body["messages"])
        return said if isinstance(said, Response) else _completion(body["model"], said)

    return app


def _completion(model: str, words: str, ended: str = "stop", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": words, **more}
    choice = {"index": 0, "finish_reason": ended, "message": message}
    body = {"id": "1", "object": "chat.completion", "created": 0, "model": model}
    return {**body, "choices": [choice]}
