"""The frames in which operators are asked: `which of {s} is the {t}`, `{x} or {y}`.

They are read from `operators.json`. A frame's slots: `{s}` a set of things, `{n}` the noun of
their kind, `{a}` and `{b}` verb phrases, `{c}` a denied one, `{d}` one in its base form, `{e}` what
stands behind `is`, `{o}` what something has, `{p}` a property, `{m}` a comparative, `{t}` a
superlative, `{q}` who or what, `{g}` an aggregate, `{v}` and `{w}` numbers, `{k}` a number of
rows, `{x}`, `{y}` and `{z}` names.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

_SLOT = re.compile(r"\{(\w)\}")


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
