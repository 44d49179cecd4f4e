"""What a worker serves and to whom, on an app that has every kind of route there is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from fastapi import APIRouter, FastAPI, Request, Response, WebSocket
from starlette.routing import Host, Mount, Route
from starlette.types import Message

from trellis.domain.errors import ServiceError
from trellis.worker.access import (
    ALLOWED_ROUTES,
    HEALTH_ROUTES,
    AccessControl,
    check_no_tls,
    read_keys,
    restrict_routes,
)

KEY = "Bearer opensesame"

CLOSED_PATHS = (
    *("/", "/docs", "/redoc", "/openapi.json", "/docs/oauth2-redirect", "/invocations", "/pause"),
    *("/v1", "/v1/", "/v1/responses", "/v1/files/7", "/mounted", "/mounted/inner", "/anything"),
)
ODD_PATHS = (
    *("", "*", "v1/models", "//v1/models", "/v1//models", "/v1/models/", "/v1/models//"),
    *("/V1/models", "/v1/./models", "/x/../v1/models", "/v1/models\n", "/v1/models\0"),
    *("/v1/models;x", " /v1/models", "/v1/models?x", "/v1%2Fmodels", "/metrics/", "/metricsx"),
    *("/metrics/inner", "/health/", "/health/../invocations", "/health\n", "/healthy"),
    *("/readyz/", "http://worker/v1/models"),
)


def built_app() -> FastAPI:
    """An app with more than is allowed; each of its routes answers with its own name."""
    app, router = FastAPI(), APIRouter()

    def say(name: str) -> Any:
        async def answer(request: Request) -> Response:
            return Response(f"{name} under {request.scope['root_path']!r}")

        return answer

    for path, method in ALLOWED_ROUTES.items():
        adder = app if path == "/v1/models" else router
        adder.add_api_route(path, say(path), methods=[method])
    for path in ("/invocations", "/pause", "/v1/responses", "/v1/files/{number}"):
        router.add_api_route(path, say(path), methods=["GET", "POST"])

    @app.websocket("/v1/realtime")
    async def speak(socket: WebSocket) -> None:
        await socket.accept()

    app.include_router(router)
    inner = FastAPI()
    inner.add_api_route("/inner", say("inner"))
    app.mount("/mounted", inner)
    app.mount("/metrics", inner)
    app.router.routes.append(Host("worker", inner))
    app.router.routes.append(Mount("/v1", routes=[Route("/models", say("a mount"))]))
    app.add_api_route("/{path:path}", say("anything"), methods=["GET", "POST", "OPTIONS", "PUT"])
    return app


def worker_app(keys: Sequence[str] = (), prefix: str = "") -> AccessControl:
    app = built_app()
    restrict_routes(app)
    return AccessControl(app, keys, prefix)


class Answer:
    """What an app sends for one request."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def send(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.messages).decode()

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.messages[0]["headers"]}


async def ask(app: Any, path: str, method: str = "GET", key: str = "", **more: Any) -> Answer:
    """Ask an app for exactly this path, which no client or server has made proper before."""
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"worker"), *([(b"authorization", key.encode())] if key else [])],
        **more,
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    answer = Answer()
    await app(scope, receive, answer.send)
    return answer


@pytest.mark.parametrize(("path", "method"), ALLOWED_ROUTES.items(), ids=list(ALLOWED_ROUTES))
async def test_what_is_allowed_answers_as_before(path: str, method: str) -> None:
    assert (await ask(worker_app(), path, method)).text == f"{path} under ''"
    assert (await ask(worker_app(["opensesame"]), path, method, KEY)).text == f"{path} under ''"


@pytest.mark.parametrize("path", CLOSED_PATHS + ODD_PATHS)
@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "OPTIONS", "PUT"])
async def test_nothing_else_is_there(path: str, method: str) -> None:
    assert (await ask(worker_app(), path, method)).status == 404
    keyed = worker_app(["opensesame"])
    assert (await ask(keyed, path, method)).status == 401
    assert (await ask(keyed, path, method, KEY)).status == 404


@pytest.mark.parametrize("path", [*CLOSED_PATHS, "/v1/models/"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
async def test_the_route_table_holds_nothing_else_either(path: str, method: str) -> None:
    app = built_app()
    restrict_routes(app)
    assert (await ask(app, path, method)).status == 404


@pytest.mark.parametrize(("path", "method"), ALLOWED_ROUTES.items(), ids=list(ALLOWED_ROUTES))
@pytest.mark.parametrize("other", ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "get", ""])
async def test_other_methods_of_what_is_allowed_are_refused(
    path: str, method: str, other: str
) -> None:
    if other == method:
        return
    refused = await ask(worker_app(), path, other)
    assert (refused.status, refused.headers["allow"]) == (405, method)
    unknown = await ask(worker_app(["opensesame"]), path, other)
    assert unknown.status == (405 if path in HEALTH_ROUTES else 401)


@pytest.mark.parametrize(
    "key",
    [
        *("", "Bearer", "Bearer ", "Bearer  opensesame", "Bearer opensesame ", "Bearer opensesam"),
        *("Bearer OPENSESAME", "Basic opensesame", "opensesame", "Bearer opensesame,other"),
        *("Bearer ", "Bearer é", "Bearer opensesame\0", "Bearer null"),
    ],
)
async def test_all_but_health_asks_for_the_key(key: str) -> None:
    app = worker_app(["opensesame", "other"])
    for path, method in ALLOWED_ROUTES.items():
        answer = await ask(app, path, method, key)
        assert answer.status == (200 if path in HEALTH_ROUTES else 401)


@pytest.mark.parametrize("key", [KEY, "bearer opensesame", "Bearer other"])
async def test_any_of_the_keys_will_do(key: str) -> None:
    assert (await ask(worker_app(["opensesame", "other"]), "/metrics", key=key)).status == 200


async def test_a_refusal_says_what_to_do() -> None:
    refused = await ask(worker_app(["opensesame"]), "/v1/models")
    told = json.loads(refused.text)
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.headers["www-authenticate"] == "Bearer"
    assert (told["status"], told["title"], told["instance"]) == (401, "Unauthorized", "/v1/models")
    assert "Authorization: Bearer" in told["remedy"]
    assert "opensesame" not in refused.text
    assert "/v1/decode" in json.loads((await ask(worker_app(), "/docs")).text)["remedy"]


async def test_what_is_added_later_is_not_reached() -> None:
    app = built_app()
    restrict_routes(app)
    worker = AccessControl(app, ["opensesame"])

    @app.post("/later")
    async def later() -> str:
        raise AssertionError

    @app.middleware("http")
    async def answer_everything(*_: Any) -> Response:
        return Response("of a middleware")

    assert (await ask(worker, "/later", "POST")).status == 401
    assert (await ask(worker, "/later", "POST", KEY)).status == 404
    assert (await ask(worker, "/v1/models")).status == 401


@pytest.mark.parametrize("kind", ["websocket", "webtransport"])
async def test_nothing_but_http_is_served(kind: str) -> None:
    answer = await ask(worker_app(), "/v1/realtime", type=kind)
    assert [message["type"] for message in answer.messages] == ["websocket.close"]


@pytest.mark.parametrize("path", ["/v1/models", "/behind/a/proxy/v1/models"])
async def test_a_prefix_is_of_the_proxy_and_opens_nothing(path: str) -> None:
    app = worker_app(["opensesame"], "/behind/a/proxy/")
    assert (await ask(app, path)).status == 401
    assert (await ask(app, path, key=KEY)).text == "/v1/models under ''"
    for other in ("/behind/a/proxy", "/behind/a/proxy/", "/behind/a/proxy/invocations"):
        assert (await ask(app, other, key=KEY)).status == 404
    assert (await ask(app, "/behind/a/proxy/health")).status == 200


async def test_a_root_path_changes_nothing() -> None:
    app = built_app()
    app.root_path = "/v1"
    restrict_routes(app)
    assert (await ask(AccessControl(app, ()), "/v1/models")).text == "/v1/models under ''"
    answer = await ask(worker_app(), "/health", root_path="/health")
    assert answer.text == "/health under ''"
    assert (await ask(worker_app(), "/v1/invocations", "POST", root_path="/v1")).status == 404


def test_keys_are_read_from_where_vllm_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VLLM_API_KEY", raising=False)
    assert not read_keys(None)
    monkeypatch.setenv("VLLM_API_KEY", "")
    assert not read_keys(None)
    monkeypatch.setenv("VLLM_API_KEY", "opensesame")
    assert list(read_keys(None)) == list(read_keys([])) == ["opensesame"]
    assert list(read_keys(["a", "b"])) == ["a", "b"]


def test_an_empty_key_is_refused_as_it_would_open_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_API_KEY", "opensesame")
    with pytest.raises(ServiceError, match="leave --api-key out"):
        read_keys(["a", ""])


@pytest.mark.parametrize("files", [("key.pem", "cert.pem"), ("key.pem", None), (None, "cert.pem")])
def test_certificates_are_refused_and_the_remedy_is_a_proxy(
    files: tuple[str | None, str | None],
) -> None:
    with pytest.raises(ServiceError, match=r"no TLS by itself.*put a proxy"):
        check_no_tls(*files)
    check_no_tls(None, None)
