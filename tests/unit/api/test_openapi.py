"""The OpenAPI description: each example runs as it stands, and what is described holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest
import schemathesis
from schemathesis.config import NotAServerErrorConfig, SchemathesisConfig
from schemathesis.engine import events, from_schema
from schemathesis.python.asgi import shutdown_lifespans

from memory_app import MemoryGraph, opener
from openapi_examples import all_requests, requests, responses
from trellis.api.app import create_app
from trellis.domain import errors
from trellis.settings import Settings
from trellis.wire.problems import make_urn

DESCRIBED: dict[str, Any] = create_app(Settings(_env_file=None)).openapi()


MOST_EXAMPLES = 25


@pytest.mark.slow
def test_whatever_is_asked_is_answered_as_described(tmp_path: Path) -> None:
    """Schemathesis with all its checks and phases, as its own command runs them."""
    config = SchemathesisConfig(seed=1)
    config.projects.default.generation.update(max_examples=MOST_EXAMPLES, deterministic=True)
    address = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    honest = ["2xx", "3xx", "4xx", 504]  # out of the time that was asked for: a described reply
    config.projects.default.checks.not_a_server_error = NotAServerErrorConfig(
        expected_statuses=honest
    )
    app = create_app(Settings(store_url=address, _env_file=None), opener(MemoryGraph()))
    described = schemathesis.openapi.from_asgi("/openapi.json", app, config=config)
    told = list(from_schema(described.exclude(path_regex="mcp$")).execute())
    shutdown_lifespans()
    assert [failed for event in told for failed in failures(event)] == []
    phases = {event.phase for event in told if isinstance(event, events.ScenarioFinished)}
    assert len(phases) >= 4  # examples, coverage, fuzzing and stateful


def failures(event: events.EngineEvent) -> list[str]:
    """What an event of schemathesis says went wrong, each with what was sent."""
    if isinstance(event, events.NonFatalError | events.FatalError):
        return [repr(vars(event) if hasattr(event, "__dict__") else event)]
    if not isinstance(event, events.ScenarioFinished):
        return []
    return [
        f"{event.label}: {check.failure_info.failure}"[:2_000]
        for checks in event.recorder.checks.values()
        for check in checks
        if check.failure_info is not None and not is_beyond_schema(event.label, check.name)
    ]


def is_beyond_schema(label: str, check: str) -> bool:
    """What a schema cannot say: Cypher's grammar, what makes a pattern one whole, and that the last
    message of a chat is a question."""
    refusing = (
        *("POST /v1/cypher/", "POST /v1/retrieve/patterns", "POST /v1/retrieve/traces"),
        "POST /v1/chat/",
    )
    return label.startswith(refusing) and check == "positive_data_acceptance"


def test_every_operation_shows_what_goes_in_and_what_comes_out() -> None:
    for address, operations in DESCRIBED["paths"].items():
        for verb, operation in operations.items():
            named = f"{verb} {address}"
            asked = list(requests(DESCRIBED, address, verb, operation))
            assert asked, named
            if "requestBody" in operation:
                assert all(request.body for request in asked), named
            for kind, schema, example in responses(operation):
                assert kind != "application/json" or accepted(schema, example), named
            assert "application/problem+json" in operation["responses"]["500"]["content"], named


@pytest.mark.slow
async def test_every_example_runs_as_it_stands(client: httpx.AsyncClient) -> None:
    for request in all_requests(DESCRIBED):
        answered = await client.request(request.verb, request.address, json=request.body)
        assert answered.is_success, (request, answered.text)


def accepted(schema: dict[str, Any], example: Any) -> bool:
    """Whether a schema of the description accepts its example."""
    whole = {**schema, "components": DESCRIBED["components"]}
    return bool(jsonschema_rs.is_valid(whole, example))


def list_operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (address, operation)
        for address, operations in DESCRIBED["paths"].items()
        for operation in operations.values()
    ]


def test_each_status_has_a_true_example_of_the_one_problem() -> None:
    kinds = {make_urn(it): it for it in vars(errors).values() if isinstance(it, type)}
    seen: dict[str, Any] = {}
    for _, operation in list_operations():
        for status, response in operation["responses"].items():
            if told := response.get("content", {}).get("application/problem+json"):
                assert told["schema"] == {"$ref": "#/components/schemas/Problem"}
                assert accepted(told["schema"], told["example"])
                seen[status] = told["example"]
    assert seen.keys() >= {"400", "404", "406", "409", "413", "415", "422", "429", "500", "503"}
    for status, example in seen.items():
        assert str(example["status"]) == status
        assert example["remedy"]
        if example["type"] != "about:blank":
            assert kinds[example["type"]].status == example["status"]
    asked = DESCRIBED["paths"]["/v1/questions"]["post"]["responses"]
    assert asked.keys() >= {"400", "413", "422", "503"}
    assert "HTTPValidationError" not in DESCRIBED["components"]["schemas"]


def test_operations_go_by_names_of_their_own() -> None:
    ids = [operation["operationId"] for _, operation in list_operations()]
    assert len(ids) == len(set(ids))
    assert {"ask_question", "list_answers", "delete_conversation", "complete_chat"} <= set(ids)
    assert all(re.fullmatch(r"[a-z_0-9]+", id) for id in ids)


def test_headers_of_responses_are_described() -> None:
    for address, operation in list_operations():
        for status, response in operation["responses"].items():
            named = {ref["$ref"].rpartition("/")[2] for ref in response["headers"].values()}
            assert "X-Request-ID" in named, address
            assert ("Retry-After" in named) == (status in ("429", "503"))
            assert named <= DESCRIBED["components"]["headers"].keys()
    csv = DESCRIBED["paths"]["/v1/answers/{id}"]["get"]["responses"]["200"]["headers"]
    assert "Trellis-Answer" in csv


def test_chats_and_agents_are_described_with_errors_that_their_clients_read() -> None:
    chat = DESCRIBED["paths"]["/v1/chat/completions"]["post"]["responses"]
    for status in ("400", "415", "429"):
        told = chat[status]["content"]["application/json"]
        assert accepted(told["schema"], told["example"])
    assert {"/v1/models", "/mcp", "/v1/mcp"} <= DESCRIBED["paths"].keys()
    without = create_app(Settings(mcp=False, _env_file=None)).openapi()
    assert "/mcp" not in without["paths"]


def test_patterns_are_regular_expressions_of_ecmascript_too() -> None:
    """With its flag `u`, which lets nothing be escaped that needs it not."""
    patterns = re.findall(r'"pattern": ("(?:[^"\\\\]|\\\\.)*")', json.dumps(DESCRIBED))
    assert len(patterns) > 5
    for pattern in map(json.loads, patterns):
        escaped = set(re.findall(r"\\(.)", pattern))
        assert escaped <= set("dDsSwWbBtnrfvux0^$\\.*+?()[]{}|/-"), pattern
