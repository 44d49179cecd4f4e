"""The OpenAPI description, completed with this service's limits, methods and keys."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from trellis.access.routes import is_open, list_wanted_scopes
from trellis.api.problems import document_errors
from trellis.methods import METHODS
from trellis.methods.registry import AUTO
from trellis.settings import Settings


def describe_app(app: FastAPI, settings: Settings) -> None:
    """Add the question limit, the methods' names, and the scopes where keys are asked for, to the
    OpenAPI description of `app`."""
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
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _describe_keys(described: dict[str, Any]) -> None:
    """Say which operations want a key, with which of which scopes, and how they refuse."""
    described["components"]["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "`trl_…`, or an issuer's token."}
    }
    refusals = {str(status): it for status, it in document_errors(401, 403, 429, 503).items()}
    for path, operations in described["paths"].items():
        if is_open(path):
            continue
        for operation in operations.values():
            operation["security"] = [{"key": [scope]} for scope in list_wanted_scopes(path)] or [
                {"key": []}
            ]
            operation["responses"] = refusals | operation["responses"]


def _limit_question(properties: dict[str, Any], limit: int) -> None:
    """Limit the characters of a question and of each of its topics."""
    properties["question"]["maxLength"] = limit
    if "topics" in properties:
        properties["topics"]["anyOf"][0]["items"]["maxLength"] = limit
