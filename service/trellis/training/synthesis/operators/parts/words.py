"""Draws words, and fills frames. All random draws of a drawing's words come in one order.

Frames are those in which operators are asked: `which of {s} is the {t}`, `{x} or {y}`. They are in
`operators.json`. Their slots: `{s}` a set of things, `{n}` the noun of their kind, `{a}` and `{b}`
verb phrases, `{c}` a denied one, `{d}` one in its base form, `{e}` what stands behind `is`, `{o}`
what something has, `{p}` a property, `{m}` a comparative, `{t}` a superlative, `{q}` who or what,
`{g}` an aggregate, `{v}` and `{w}` numbers, `{k}` a number of rows, `{x}`, `{y}` and `{z}` names.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeVar

from trellis.lexicon.plurals import make_plural

_Option = TypeVar("_Option")

_SLOT = re.compile(r"\{(\w)\}")
_TRIES = 8
_QUESTION = 0.35  # probability of a whole question, of an operator that has frames of both sorts
_SINGULAR = 0.1  # probability that a noun for several things is left as it is
_BARE, _SHORT = 0.2, 0.55  # shares of requests for a set: its noun phrase alone; and a word before
_REQUESTS = ("which", "what", "which", "name", "list", "show me")


@dataclass(frozen=True, slots=True)
class Frames:
    """Frames by the operator that they ask for; `questions`: whole ones, `phrases`: the others."""

    phrases: Mapping[str, Sequence[str]]
    questions: Mapping[str, Sequence[str]]

    @classmethod
    def parse(cls, body: Mapping[str, Any]) -> Frames:
        phrases = {k: v if isinstance(v, list) else v["phrases"] for k, v in body.items()}
        questions = {k: v["questions"] for k, v in body.items() if isinstance(v, dict)}
        return cls(phrases, questions)


@cache
def load_frames() -> Frames:
    """The frames that Trellis comes with."""
    text = resources.files(__package__).joinpath("operators.json").read_text("utf-8")
    return Frames.parse(json.loads(text))


def list_slots(frame: str) -> list[str]:
    """The slots of a frame, in its order."""
    return _SLOT.findall(frame)


def fill_frame(
    frames: Sequence[str], choice: random.Random, slots: Mapping[str, str | None]
) -> str | None:
    """One of some frames with its slots filled; None where none has just these slots, or fewer."""
    known = {name for name, text in slots.items() if text is not None}
    fitting = [frame for frame in frames if known.issuperset(list_slots(frame))]
    if not fitting:
        return None
    return _SLOT.sub(lambda slot: slots[slot[1]] or "", choice.choice(fitting))


@dataclass(frozen=True, slots=True)
class FilledFrame:
    """The words of a frame: a whole question, or a noun phrase."""

    text: str
    is_question: bool


@dataclass(frozen=True, slots=True)
class Words:
    """Draws words and fills frames, by the random choice that all of a drawing share."""

    choice: random.Random

    def flip(self, probability: float) -> bool:
        return self.choice.random() < probability

    def pick(self, options: Sequence[str]) -> str:
        return self.choice.choice(options)

    def draw_option(self, weights: Mapping[_Option, float]) -> _Option:
        """One of some options by their weights."""
        return self.choice.choices(list(weights), list(weights.values()))[0]

    def make_plural(self, noun: str) -> str:
        """A noun for several things, mostly in the plural."""
        return noun if noun.endswith("s") or self.flip(_SINGULAR) else make_plural(noun)

    def fill(self, kind: str, **slots: str | None) -> str | None:
        """A phrase of a kind; None where no frame has just these slots, or fewer."""
        return fill_frame(load_frames().phrases[kind], self.choice, slots)

    def fill_with(self, needed: str, kind: str, **slots: str | None) -> str | None:
        """A phrase of a kind with all the slots needed; None where none is drawn in some tries."""
        for _ in range(_TRIES):
            text = self.fill(kind, **slots)
            if text and all(f"{slots[name]}" in text for name in needed):
                return text
        return None

    def fill_either(self, kind: str, **slots: str | None) -> FilledFrame | None:
        """A phrase, or now and then a whole question; None where no frame fits."""
        questions = load_frames().questions.get(kind)
        if questions and self.flip(_QUESTION):
            question = fill_frame(questions, self.choice, slots)
            if question:
                return FilledFrame(question, True)
        phrase = self.fill(kind, **slots)
        return FilledFrame(phrase, False) if phrase else None

    def ask_list(self, text: str) -> str:
        """A request for all of a set, by its noun phrase."""
        draw = self.choice.random()
        if draw < _BARE:
            return text
        if draw < _SHORT:
            return f"{self.pick(_REQUESTS)} {text}"
        return self.fill("list", s=text) or text
