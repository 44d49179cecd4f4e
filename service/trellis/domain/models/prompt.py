"""The prompt of a model that decodes: a value that training, engines and hosted models share.

A trained model reads `Prompt.render()`, the text that it was trained on. A *general* model, which
nobody trained for the graph, reads `Prompt.messages`: the turns of a chat, which
`prompting.writer.PromptWriter` adds to a prompt before an engine sees it:

    system     the instructions of the task, and the part of the schema that matters
    user       the question of an example       } for each example,
    assistant  its sentence                     } the nearest one last
    user       the question that is asked, its mentions named and typed

The sentence that is decoded is the assistant's next turn. A message is a role and parts; its text
is its parts, one after the other. An engine with a tokenizer renders the roles by the model's own
chat template and encodes each part apart, without special tokens, so that no text of a question or
of a graph can pass for a turn (`models/chat_template.py`). The parts of an assistant's turn are the
segments of its sentence, so they have the spelling that decoding has. A hosted endpoint is sent
`role` and `text` as its own messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One turn of the chat by which a general model is asked."""

    role: Role
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """All that the turn says."""
        return "".join(self.parts)


@dataclass(frozen=True, slots=True)
class NamedMention:
    """A mention under the name that sentences have for it.

    `name`: such as `v0` or `ENT1`. `text`: what the question says. `kinds`: what it may be, in the
    schema's words, best first: `Country`, or `country name`.
    """

    name: str
    text: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt for one task: a question on one line, its mentions masked.

    `cue` ends the text and tells the tasks of one model apart: "Path", "Query". `sections`:
    further titles and texts, between question and cue. `mentions`: what the masked question's names
    stand for. `messages`: the chat for a general model; empty until it is written.
    """

    task: str
    question: str
    cue: str
    sections: tuple[tuple[str, str], ...] = ()
    mentions: tuple[NamedMention, ...] = ()
    messages: tuple[PromptMessage, ...] = ()

    def render(self) -> str:
        """The text that a trained model reads: `Question: …`, the sections, then the cue such as
        `Path:`."""
        titled = (("Question", self.question), *self.sections)
        return "\n".join((*(f"{title}: {text}" for title, text in titled), f"{self.cue}:"))


@dataclass(frozen=True, slots=True)
class PromptExample:
    """A question as a prompt, and the segments of the sentence that answers it."""

    prompt: Prompt
    segments: tuple[str, ...]
