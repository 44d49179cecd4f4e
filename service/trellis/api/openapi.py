"""The OpenAPI description, completed with this service's limits and methods."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from trellis.methods import METHODS
from trellis.methods.registry import AUTO
from trellis.settings import Settings


def describe_app(app: FastAPI, settings: Settings) -> None:
    """Add the question limit and the methods' names to the OpenAPI description of `app`."""
    build_schema = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schemas = build_schema()["components"]["schemas"]
            for name in ("QuestionRequest", "LinkRequest", "RetrievalRequest"):
                _limit_question(schemas[name]["properties"], settings.question_limit)
            schemas["QuestionRequest"]["properties"]["method"]["anyOf"][0]["enum"] = [
                AUTO,
                *METHODS,
            ]
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _limit_question(properties: dict[str, Any], limit: int) -> None:
    """Limit the characters of a question and of each of its topics."""
    properties["question"]["maxLength"] = limit
    if "topics" in properties:
        properties["topics"]["anyOf"][0]["items"]["maxLength"] = limit
