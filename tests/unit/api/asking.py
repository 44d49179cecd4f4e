"""What the tests of the service ask, and what every problem that it tells has."""

from __future__ import annotations

from typing import Any

import httpx

QUESTION = "What is the capital of France?"
ASKED = {"question": QUESTION}
EVENTS = {"Accept": "text/event-stream"}
JSON = {"Content-Type": "application/json"}


async def ask(
    client: httpx.AsyncClient,
    question: str = QUESTION,
    root: str = "/v1",
    headers: dict[str, str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """The body of an answer; `more`: further fields of the question."""
    asked = {"question": question, **more}
    response = await client.post(f"{root}/questions", json=asked, headers=headers)
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def check_problem(response: httpx.Response, status: int, kind: str = "") -> dict[str, Any]:
    """The body of a problem of that status, and of that kind where one is named."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert {"type", "title", "status", "detail", "remedy", "instance"} <= body.keys()
    assert body["status"] == status
    assert body["detail"]
    assert body["request_id"] == response.headers["X-Request-ID"]
    assert "Traceback" not in response.text
    assert not kind or body["type"] == f"urn:trellis:problem:{kind}"
    return body
