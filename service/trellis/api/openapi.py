"""The OpenAPI description, completed with this service's limits, methods and keys."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from trellis.access.routes import find_rule, is_open
from trellis.api.problems import document_errors
from trellis.methods import METHODS
from trellis.methods.registry import AUTO
from trellis.settings import Settings


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
            if settings.require_keys:
                _describe_keys(described)
            if settings.graphs_file:
                _describe_graphs(described)
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _describe_keys(described: dict[str, Any]) -> None:
    """Say which operations want a key, with which of which scopes, and how they refuse."""
    described["components"]["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "`trl_…`, or an issuer's token."}
    }
    refusals = _describe_errors(401, 403, 429, 503)
    for path, operations in described["paths"].items():
        if is_open(path):
            continue
        for operation in operations.values():
            operation["security"] = [{"key": [scope]} for scope in find_rule(path).scopes] or [
                {"key": []}
            ]
            operation["responses"] = refusals | operation["responses"]


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
                "responses": _describe_errors(404) | operation["responses"],
            }
            for verb, operation in operations.items()
        }


def _describe_errors(*statuses: int) -> dict[str, Any]:
    """The responses of these errors, by status as the description writes it."""
    return {str(status): it for status, it in document_errors(*statuses).items()}


def _limit_question(properties: dict[str, Any], limit: int) -> None:
    """Limit the characters of a question and of each of its topics."""
    properties["question"]["maxLength"] = limit
    if "topics" in properties:
        properties["topics"]["anyOf"][0]["items"]["maxLength"] = limit
