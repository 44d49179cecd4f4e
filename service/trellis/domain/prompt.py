"""The prompt of a model that decodes: a value that only this module renders.

Training, the local engine, decoding workers and hosted models all use the same value, so that a
model is asked exactly as it was trained.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt for one task: a question on one line, its mentions masked.

    `cue` ends the text and tells the tasks of one model apart: "Path", "Query". `sections`:
    further titles and texts, between question and cue.
    """

    task: str
    question: str
    cue: str
    sections: tuple[tuple[str, str], ...] = ()

    def render(self) -> str:
        """The text that is tokenized: `Question: …`, the sections, then the cue such as `Path:`."""
        titled = (("Question", self.question), *self.sections)
        return "\n".join((*(f"{title}: {text}" for title, text in titled), f"{self.cue}:"))
