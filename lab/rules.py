"""The rules between decoding and the answer, and how each is switched off."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from trellis.steps.align.doubt import Doubt

_ALIGN = "trellis.steps.align"


@dataclass(frozen=True, slots=True)
class Rule:
    """A function of the service, and what stands in for it where it is switched off.

    `home`: its module. `neutral`: called with its arguments by name.
    """

    home: str
    name: str
    neutral: Callable[[dict[str, Any]], Any]

    @contextmanager
    def switch_off(self) -> Iterator[None]:
        """Every module that uses the function has the neutral one in its place."""
        real: FunctionType = getattr(importlib.import_module(self.home), self.name)
        signature = inspect.signature(real)

        def stand_in(*args: Any, **more: Any) -> Any:
            return self.neutral(signature.bind(*args, **more).arguments)

        async def await_stand_in(*args: Any, **more: Any) -> Any:
            return stand_in(*args, **more)

        chosen = await_stand_in if inspect.iscoroutinefunction(real) else stand_in
        users = [each for each in _list_modules() if vars(each).get(self.name) is real]
        for module in users:
            setattr(module, self.name, chosen)
        try:
            yield
        finally:
            for module in users:
                setattr(module, self.name, real)


def _list_modules() -> list[Any]:
    return [each for name, each in [*sys.modules.items()] if name.startswith("trellis.")]


def _say_nothing(_: dict[str, Any]) -> str:
    return ""


def _keep_sentences(asked: dict[str, Any]) -> list[Any]:
    return [*asked["sentences"]]


def _keep_findings(asked: dict[str, Any]) -> tuple[list[Any], tuple[Any, ...]]:
    return [*asked["sentences"]], (*asked["findings"],)


def _list_rules() -> Iterator[Rule]:
    for home, names in _SILENCES.items():
        yield from (Rule(home, name, _say_nothing) for name in names)
    for home, names in _SENTENCES.items():
        yield from (Rule(home, name, _keep_sentences) for name in names)
    for home, names in _FINDINGS.items():
        yield from (Rule(home, name, _keep_findings) for name in names)
    yield Rule(f"{_ALIGN}.unsaid_relations", "find_other_relations", lambda _: ())
    yield Rule(f"{_ALIGN}.unsaid_relations", "find_unsaid_relations", lambda _: ())
    yield Rule(f"{_ALIGN}.unshown_properties", "find_unread_properties", lambda _: ())
    yield Rule(f"{_ALIGN}.unshown_properties", "find_unshown_properties", lambda _: ())
    yield Rule(f"{_ALIGN}.unshown_properties", "find_unshown_nouns", lambda _: ())
    yield Rule(f"{_ALIGN}.doubt", "doubt_names_and_words", lambda _: Doubt())
    yield Rule(f"{_ALIGN}.queries.backed_parts", "measure_part_support", lambda _: 1.0)
    yield Rule(
        "trellis.steps.conclude.queries.check_values",
        "drop_excluded_answers",
        lambda asked: asked["judgement"],
    )


_SILENCES: dict[str, Sequence[str]] = {
    f"{_ALIGN}.answer_types.asked_kind": (
        "explain_no_time",
        "explain_other_kind",
    ),
    f"{_ALIGN}.answer_types.asked_one": ("explain_bridged_path",),
    f"{_ALIGN}.answer_types.asked_value": ("explain_asked_text", "explain_named_amount"),
    f"{_ALIGN}.queries.answer_kinds": ("explain_other_answer",),
    f"{_ALIGN}.queries.bridged_relations": ("explain_bridged_one", "explain_bridged_property"),
    f"{_ALIGN}.queries.held_back": ("explain_named_again",),
    f"{_ALIGN}.queries.held_in_time": ("explain_query_not_held", "explain_not_held_in_time"),
    f"{_ALIGN}.queries.said_operators": ("explain_unsaid_by_query",),
    f"{_ALIGN}.unsaid_operators": ("explain_unsaid_by_relations",),
    "trellis.steps.conclude.queries.check_values": ("find_foreign_units", "find_unknown_values"),
}

_SENTENCES: dict[str, Sequence[str]] = {
    f"{_ALIGN}.queries.answer_kinds": ("reweigh_kinds",),
    f"{_ALIGN}.queries.held_in_time": ("hold_in_time",),
}

_FINDINGS: dict[str, Sequence[str]] = {
    f"{_ALIGN}.answer_types.asked_step": ("prefer_asked_steps",),
    f"{_ALIGN}.answer_types.asked_value": ("doubt_other_than_values",),
}

RULES: tuple[Rule, ...] = tuple(_list_rules())
