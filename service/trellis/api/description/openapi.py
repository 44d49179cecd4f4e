"""The OpenAPI description, completed with this service's limits, methods and keys."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from trellis.access.routes import find_rule, is_open
from trellis.api.chats.chat_errors import document_chat_errors, is_chat_path
from trellis.api.description.agent_route import describe_agent_route
from trellis.api.description.response_headers import describe_headers
from trellis.api.middleware.problems import document_errors
from trellis.api.routes import agents
from trellis.methods import METHODS
from trellis.methods.registry import AUTO
from trellis.settings import Settings
from trellis.wire.chat import ChatErrorsBody
from trellis.wire.problems import Problem


def describe_app(app: FastAPI, settings: Settings) -> None:
    """Complete the OpenAPI description of `app`: the question limit, the methods' names, the scopes
    where keys are asked for, and the routes of each graph where there is a file of graphs."""
    build_schema = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            described = build_schema()
            schemas = described["components"]["schemas"]
            for name in ("QuestionRequest", "LinkRequest", "RetrievalRequest"):
                _limit_question(schemas[name]["properties"], settings.question_limit)
            named = schemas["QuestionRequest"]["properties"]["method"]["anyOf"][0]
            named["enum"] = [AUTO, *METHODS]
            _drop_library_errors(described)
            schemas["ChatRequest"]["properties"]["model"]["enum"] = [
                *("trellis", f"trellis-{AUTO}"),
                *(f"trellis-{name}" for name in METHODS),
            ]
            for body in (Problem, ChatErrorsBody):
                _add_schema(schemas, body)
            if settings.mcp:
                describe_agent_route(described, agents.PATHS)
            described["security"] = []  # nobody is asked for a key
            if settings.require_keys:
                _describe_keys(described)
            if settings.graphs_file:
                _describe_graphs(described)
            describe_headers(described, is_limited=bool(settings.rate_limit))
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _describe_keys(described: dict[str, Any]) -> None:
    """Say which operations want a key, with which of which scopes, and how they refuse."""
    described["components"]["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "`trl_…`, or an issuer's token."}
    }
    refusals = _name_statuses(document_errors(401, 403, 429, 503))
    of_chats = _name_statuses(document_chat_errors(401, 403, 429, 503))
    for path, operations in described["paths"].items():
        if is_open(path):
            for operation in operations.values():
                operation["security"] = []
            continue
        for operation in operations.values():
            operation["security"] = [{"key": [scope]} for scope in find_rule(path).scopes] or [
                {"key": []}
            ]
            refused = of_chats if is_chat_path(path) else refusals
            operation["responses"] = refused | operation["responses"]


def _describe_graphs(described: dict[str, Any]) -> None:
    """Describe the routes of a named graph: those of the default one, with a graph's name."""
    graph = {
        "name": "graph",
        "in": "path",
        "required": True,
        "schema": {"type": "string"},
        "description": "A graph's name, as `/v1/graphs` gives it.",
    }
    for path, operations in list(described["paths"].items()):
        if not path.startswith("/v1/") or path == "/v1/graphs":
            continue
        described["paths"][f"/v1/graphs/{{graph}}{path.removeprefix('/v1')}"] = {
            verb: {
                **operation,
                "operationId": f"{operation['operationId']}_of_graph",
                "parameters": [graph, *operation.get("parameters", ())],
                "responses": _name_statuses(document_errors(404)) | operation["responses"],
            }
            for verb, operation in operations.items()
        }


def _name_statuses(responses: dict[int | str, dict[str, Any]]) -> dict[str, Any]:
    """Responses by status as the description writes it."""
    return {str(status): response for status, response in responses.items()}


def _drop_library_errors(described: dict[str, Any]) -> None:
    """Take out what FastAPI says of routes that describe no 422: theirs is a 400."""
    for path, operations in described["paths"].items():
        for operation in operations.values():
            if is_chat_path(path):
                operation["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        described["components"]["schemas"].pop(name, None)


def _add_schema(schemas: dict[str, Any], body: type[BaseModel]) -> None:
    """Add a body that no route returns by itself, with the parts that it is made of."""
    schema = body.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schema.pop("$defs", {}))
    schemas[body.__name__] = schema


def _limit_question(properties: dict[str, Any], limit: int) -> None:
    """Limit the characters of a question and of each of its topics."""
    properties["question"]["maxLength"] = limit
    if "topics" in properties:
        properties["topics"]["anyOf"][0]["items"]["maxLength"] = limit
