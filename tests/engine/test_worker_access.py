"""A real worker serves what is allowed and nothing else of vLLM's, with a key and without."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from engine.vllm_routes import VARIABLES
from real_worker import RunningWorker, running_worker
from trellis.cli.operation.worker import find_python
from trellis.domain.errors import DecoderError
from trellis.worker.access import ALLOWED_ROUTES, HEALTH_ROUTES
from unit.decoding.workers import asking

KEY = "opensesame"
METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE")
OUR_ROUTES = {"/livez", "/readyz", "/v1/decoder", "/v1/decode"}

Routes = list[tuple[str, list[str]]]


@pytest.fixture(scope="module")
def vllm_routes(worker: RunningWorker) -> Routes:  # noqa: ARG001  skips where there is no vLLM
    """Every route of vLLM's app before any is taken away: its path and methods."""
    script = Path(__file__).with_name("vllm_routes.py")
    done = subprocess.run(
        [str(find_python()), str(script)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: Routes = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWorker]:
    """A worker with a key, and with whatever else vLLM can be made to serve."""
    log = tmp_path_factory.mktemp("guarded") / "log"
    more = ("--api-key", KEY, "--enable-offline-docs")
    with running_worker(*more, log=log, environment=VARIABLES) as running:
        yield running


def ask(worker: RunningWorker, method: str, path: str, key: str = "", **headers: str) -> int:
    """The status of an answer to exactly this path, which nobody makes proper before."""
    connection = http.client.HTTPConnection(urlsplit(worker.url).netloc, timeout=60)
    try:
        given = {"Authorization": f"Bearer {key}"} if key else {}
        connection.request(method, path, headers={**given, **headers})
        return connection.getresponse().status
    finally:
        connection.close()


def paths(routes: Routes) -> list[str]:
    """Each route's path, its parameters filled in, and what may lie beneath it or beside."""
    found = sorted({re.sub(r"{[^}]*}", "x", path) or "/" for path, _ in routes})
    return [path + more for path in found for more in ("", "/", "/x")]


def test_vllm_has_the_routes_that_are_to_be_closed(vllm_routes: Routes) -> None:
    """So that the other tests have something to find."""
    found = {path for path, _ in vllm_routes}
    assert {"/invocations", "/tokenize", "/load", "/version", "/pause", "/docs"} <= found
    assert {"/collective_rpc", "/update_weights", "/v1/load_lora_adapter", "/v1/realtime"} <= found
    assert {"/static", "/openapi.json", "/redoc", "/fault_tolerance/apply"} <= found


def test_what_is_allowed_of_vllm_is_there(vllm_routes: Routes) -> None:
    served = {(path, method) for path, methods in vllm_routes for method in methods}
    assert {pair for pair in ALLOWED_ROUTES.items() if pair[0] not in OUR_ROUTES} <= served


def test_without_the_key_only_health_answers(guarded: RunningWorker, vllm_routes: Routes) -> None:
    for path in {*paths(vllm_routes), *ALLOWED_ROUTES}:
        for method in METHODS:
            health = path in HEALTH_ROUTES
            wanted = 401 if not health else 200 if method == "GET" else 405
            assert ask(guarded, method, path) == wanted, (method, path)
            assert ask(guarded, method, path, "another key") == wanted, (method, path)


def test_with_the_key_only_what_is_allowed_answers(
    guarded: RunningWorker, vllm_routes: Routes
) -> None:
    closed = set(paths(vllm_routes)) - set(ALLOWED_ROUTES)
    for path in closed:
        for method in METHODS:
            assert ask(guarded, method, path, KEY) == 404, (method, path)
    for path, method in ALLOWED_ROUTES.items():
        # What is posted is nothing that a route could use, so that it answers for itself.
        assert ask(guarded, method, path, KEY) in ((200,) if method == "GET" else (400, 415, 422))


def test_a_worker_without_a_key_serves_no_more(worker: RunningWorker, vllm_routes: Routes) -> None:
    for path in set(paths(vllm_routes)) - set(ALLOWED_ROUTES):
        for method in METHODS:
            assert ask(worker, method, path) == 404, (method, path)


@pytest.mark.parametrize(
    "path",
    [
        *("//invocations", "/v1/../invocations", "/health/../invocations", "/%69nvocations", "/?x"),
        *("//metrics", "/%6Detrics", "/metrics%2F", "/metrics%0A", "/health%2F..%2Fmetrics"),
        *("http://worker/metrics", "/v1%2Fmodels", "/health;/metrics", "/health%00", "/health%0A"),
    ],
)
def test_no_spelling_of_a_path_goes_past_the_key(guarded: RunningWorker, path: str) -> None:
    assert ask(guarded, "GET", path) == 401
    assert ask(guarded, "POST", path) == 401


def test_no_websocket_is_opened(guarded: RunningWorker) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    upgrade["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
    for path in ("/v1/realtime", "/health", "/x"):
        assert ask(guarded, "GET", path, KEY, **upgrade) == 403


async def test_the_service_is_served_by_a_guarded_worker_if_it_has_the_key(
    guarded: RunningWorker,
) -> None:
    async with asking(guarded.url, key=KEY) as model:
        await model.check()
    with pytest.raises(DecoderError, match="TRELLIS_WORKER_KEY"):
        async with asking(guarded.url, key="another key"):
            pass
