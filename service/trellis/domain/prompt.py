"""The prompt of a model that decodes: a value, rendered in this one place.

Training, the local engine, decoding workers and hosted models all start from the same value, so
that what a model was trained on is what it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model of some task is asked: a question whose mentions are masked, on one line.

    `cue` ends the text and tells the tasks of one model apart: "Path", "Query". `sections`:
    further texts, each with its title, between question and cue.
    """

    task: str
    question: str
    cue: str
    sections: tuple[tuple[str, str], ...] = ()

    def render(self) -> str:
        """The text that a model's tokens are made of: `Question: …`, the sections, `Path:`."""
        titled = (("Question", self.question), *self.sections)
        return "\n".join((*(f"{title}: {text}" for title, text in titled), f"{self.cue}:"))
