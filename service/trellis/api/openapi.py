"""The OpenAPI description, told what only this service knows: its limits and its methods."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from trellis.methods import METHODS
from trellis.settings import Settings


def describe(app: FastAPI, settings: Settings) -> None:
    """Have `app` describe itself so that what the description allows is what it takes."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schemas = made()["components"]["schemas"]
            for name in ("Asked", "ToLink", "ToRetrieve"):
                _limited(schemas[name]["properties"], settings.question_limit)
            schemas["Asked"]["properties"]["method"]["anyOf"][0]["enum"] = list(METHODS)
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _limited(properties: dict[str, Any], most: int) -> None:
    """A question, and each of its topics, has at most that many characters."""
    properties["question"]["maxLength"] = most
    if "topics" in properties:
        properties["topics"]["anyOf"][0]["items"]["maxLength"] = most
