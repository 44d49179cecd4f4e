"""Which scope each route wants. A route that is not listed wants `admin`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from trellis.access.callers import Scope


@dataclass(frozen=True, slots=True)
class RouteRule:
    """The scopes, any of which opens the paths that a pattern matches whole; none: any caller."""

    pattern: re.Pattern[str]
    scopes: tuple[Scope, ...]


def _rule(pattern: str, *scopes: Scope) -> RouteRule:
    return RouteRule(re.compile(pattern), scopes)


OPEN_PATHS = re.compile(
    r"/|/page/.+|/livez|/readyz|/docs(/.*)?|/redoc|/openapi\.json|/static-offline-docs/.*"
)
"""Paths that answer anybody: health, and what is the same for everybody."""

RULES = (
    _rule(r"/v1/questions|/v1/claims|/v1/answers|/v1/answers/[^/]+", "ask"),
    _rule(r"/v1/answers/[^/]+/feedback", "feedback"),
    _rule(r"/v1/links|/v1/retrieve/\w+", "retrieve"),
    _rule(r"/v1/cypher/\w+", "cypher"),
    _rule(r"/v1/schema|/v1/schema/examples|/v1/methods"),
    _rule(r"/metrics", "admin"),
)

_UNLISTED: tuple[Scope, ...] = ("admin",)


def is_open(path: str) -> bool:
    """Whether a path answers without a key."""
    return bool(OPEN_PATHS.fullmatch(path))


def find_rule(path: str) -> RouteRule | None:
    """The rule of a path that wants a key, or None where no rule lists it."""
    return next((rule for rule in RULES if rule.pattern.fullmatch(path)), None)


def list_wanted_scopes(path: str) -> Collection[Scope]:
    """The scopes, any of which a path wants; empty: any caller may."""
    rule = find_rule(path)
    return rule.scopes if rule else _UNLISTED
