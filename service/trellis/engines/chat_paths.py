"""The chat of task `path`: a hosted model is shown the paths of the language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trellis.automata.outline import Outline, outline_language
from trellis.automata.reader import Reader
from trellis.domain.printable import quote_as_data
from trellis.domain.prompt import Prompt
from trellis.engines.chat import Conversation, Message

INSTRUCTIONS = (
    "You look for paths in a graph that lead from the entities of a question (ENT1, ENT2, …) to "
    "its answer. `-> r` goes along relation r, `<- r` goes against it. `a & b` joins two paths "
    "that end in the same node. Only the paths that you are shown can be said, letter by letter. "
    "Write paths only, one a line, the likeliest first, without numbers or comments."
)


@dataclass(frozen=True, slots=True)
class ChatPaths:
    """The `ChatFormat` of task `path`."""

    line_tokens: int = 64

    def open_conversation(
        self, prompt: Prompt, language: Any, width: int, shown_limit: int
    ) -> Conversation | None:
        outline = outline_language(language, prompt.question, shown_limit)
        if outline.is_empty:
            return None
        return Conversation(build_messages(prompt.question, outline, width), Reader(language))


def build_messages(question: str, outline: Outline, width: int) -> list[Message]:
    """The messages that ask for paths: instructions, an example, and the question."""
    paths = (
        "ENT1 -> PRINTED_IN",
        "ENT1 <- WROTE",
        "ENT1 <- EDITED",
        "ENT1 -> PRINTED_IN -> LIES_IN",
    )
    example = write_request("who is the author of ENT1?", Outline(paths), 2)
    return [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": example},
        {"role": "assistant", "content": "ENT1 <- WROTE\nENT1 <- EDITED"},
        {"role": "user", "content": write_request(question, outline, width)},
    ]


def write_request(question: str, outline: Outline, width: int) -> str:
    """The request: the paths that can be said, and the question."""
    return (
        f"{_describe_outline(outline)}\n\nQuestion: {quote_as_data(question)}\n"
        f"Write the paths that lead to its answer, at most {width}."
    )


def _describe_outline(outline: Outline) -> str:
    """The paths of an outline, whole or step by step."""
    if outline.sentences:
        return "The paths that can be said:\n" + "\n".join(map(quote_as_data, outline.sentences))
    steps = "\n".join(
        f"Step {number}: [{', '.join(map(quote_as_data, texts))}]"
        for number, texts in enumerate(outline.steps, 1)
    )
    more = " These are not all: others can be said too." if outline.cut else ""
    return (
        "A path takes one text of each step, in order, with a space between, and may end after "
        f"any relation.{more}\n{steps}"
    )
