"""Which scope each route wants. A route that is not listed wants `admin`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trellis.access.callers import Scope


@dataclass(frozen=True, slots=True)
class RouteRule:
    """The scopes, any of which opens the paths that a pattern matches whole; none: any caller.

    `is_of_graph`: whether such a path is about one graph.
    """

    pattern: re.Pattern[str]
    scopes: tuple[Scope, ...]
    is_of_graph: bool = True


def _rule(pattern: str, *scopes: Scope, is_of_graph: bool = True) -> RouteRule:
    return RouteRule(re.compile(pattern), scopes, is_of_graph)


OPEN_PATHS = re.compile(
    r"/|/page/.+|/livez|/readyz|/docs(/.*)?|/redoc|/openapi\.json|/static-offline-docs/.*"
)
"""Paths that answer anybody: health, and what is the same for everybody."""

RULES = (
    _rule(r"/v1/questions|/v1/claims|/v1/answers|/v1/answers/[^/]+", "ask"),
    _rule(r"/v1/conversations/[^/]+|/v1/names", "ask"),
    _rule(r"/v1/models|/v1/models/[^/]+|/v1/chat/completions", "ask"),
    _rule(r"/v1/answers/[^/]+/feedback", "feedback"),
    _rule(r"/v1/links|/v1/retrieve/\w+", "retrieve"),
    _rule(r"/v1/cypher/\w+", "cypher"),
    _rule(r"/v1/schema|/v1/schema/examples|/v1/methods"),
    _rule(r"/mcp|/v1/mcp"),  # each tool calls a route, which wants its own scope
    _rule(r"/v1/graphs", is_of_graph=False),
    _rule(r"/metrics", "admin", is_of_graph=False),
)

_UNLISTED = _rule(".*", "admin")


def is_open(path: str) -> bool:
    """Whether a path answers without a key."""
    return bool(OPEN_PATHS.fullmatch(path))


def find_rule(path: str) -> RouteRule:
    """The rule of a path that wants a key."""
    return next((rule for rule in RULES if rule.pattern.fullmatch(path)), _UNLISTED)


def is_listed(path: str) -> bool:
    """Whether a rule lists a path."""
    return find_rule(path) is not _UNLISTED
