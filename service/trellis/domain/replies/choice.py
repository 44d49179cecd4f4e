"""Values of a choice among methods: what each of them came to, and what decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Stance = Literal["answered", "none", "abstained", "held_back", "failed", "late"]
"""What a method came to: answers; that there are none; nothing that it is sure of; a reason why
what it found is no answer; an error; or nothing in time."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one method came to on a question.

    `confidence`: in what it found, whether it was given or not. `answer_count`: of those that it
    gave. `agrees`: whether it found what the reply gives. `problem`: why it failed.
    """

    method: str
    stance: Stance
    confidence: float = 0.0
    seconds: float = 0.0
    answer_count: int = 0
    agrees: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which methods were asked, and why the reply is what it is.

    `skipped`: those that were not asked, as they could hardly have changed the reply, or not in
    time. `reason`: what decided, in plain English. `cut_short`: whether more would have been asked,
    had nobody waited.
    """

    opinions: tuple[Opinion, ...]
    skipped: tuple[str, ...] = ()
    reason: str = ""
    cut_short: bool = False
