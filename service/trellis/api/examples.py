"""Responses as the bundled graph gives them, shortened: the examples of the description."""

from __future__ import annotations

from typing import Any

Response = dict[str, Any]

ANSWERED: Response = {}
ANSWERED_OR_EVENTS: Response = {}
LINKED: Response = {}
RETRIEVED: Response = {}
METHODS: Response = {}
SCHEMA: Response = {}
METRICS: Response = {}
ALIVE: Response = {}
READY: Response = {}
KEPT: Response = {}
NOTED: Response = {}
