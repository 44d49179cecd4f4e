"""The OpenAPI description, completed with this service's limits and methods."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from trellis.methods import METHODS
from trellis.settings import Settings


def describe(app: FastAPI, settings: Settings) -> None:
    """Add the question limit and the methods' names to the OpenAPI description of `app`."""
    build_schema = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schemas = build_schema()["components"]["schemas"]
            for name in ("Asked", "ToLink", "ToRetrieve"):
                _limited(schemas[name]["properties"], settings.question_limit)
            schemas["Asked"]["properties"]["method"]["anyOf"][0]["enum"] = list(METHODS)
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _limited(properties: dict[str, Any], most: int) -> None:
    """Limit the characters of a question and of each of its topics."""
    properties["question"]["maxLength"] = most
    if "topics" in properties:
        properties["topics"]["anyOf"][0]["items"]["maxLength"] = most
