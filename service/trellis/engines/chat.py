"""The chat with a hosted model, whatever the task: its messages, and how its lines are parsed.

Whatever comes from outside (the question, names of the graph, lines of the model) is quoted as
JSON, on one line: no text can pass for a part of the protocol.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from openai.types.chat import ChatCompletionMessageParam

from trellis.automata.reader import END, Departure, Reading
from trellis.domain.prompt import Prompt

Message = ChatCompletionMessageParam

Line = tuple[str, ...]
"""The texts that one line of a model may mean, the likeliest first."""


class LineReader(Protocol):
    """Reads a text in a language: what it means, or where it leaves the language."""

    def read(self, text: str) -> Reading[Any] | Departure: ...


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages that ask for the sentences of one prompt, and the reader of its lines."""

    messages: Sequence[Message]
    reader: LineReader


class ChatFormat(Protocol):
    """How a hosted chat model is asked for the sentences of one task."""

    @property
    def line_tokens(self) -> int:
        """Tokens that one line may take."""

    def open_conversation(
        self, prompt: Prompt, language: Any, width: int, shown: int
    ) -> Conversation | None:
        """A conversation that asks for up to `width` lines; None where the language is empty.

        `shown`: the most sentences, or parts of sentences, that the model is shown.
        """


@dataclass(frozen=True, slots=True)
class Unreadable(Departure):
    """A line that cannot be read in the language at all; `why`: the reason."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A line of the model in its chosen spelling, and what it means or where it departs."""

    text: str
    found: Reading[Any] | Departure


_LONGEST = 1_000
"""Characters of a line that are read."""

_MARK = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


def corrected(lines: Sequence[Written]) -> list[Message]:
    """The messages of the one retry: the model's lines, and what is wrong with them."""
    written = "\n".join(quoted(line.text) for line in lines)
    wrong = "\n".join(
        _wrong(line.text, line.found) for line in lines if isinstance(line.found, Departure)
    )
    content = (
        f"These lines cannot be said in this graph:\n{wrong}\n\n"
        "Write these lines again, corrected, in this order and nothing else."
    )
    return [{"role": "assistant", "content": written}, {"role": "user", "content": content}]


def lines_of(content: str) -> list[Line]:
    """The lines of an answer: plain, quoted, numbered, fenced, or a JSON list of strings."""
    stripped = [line.strip() for line in content.splitlines()]
    lines = [line for line in stripped if line and not line.startswith("```")]
    listed = _json("".join(lines))
    if isinstance(listed, list):
        return [Line((str(item)[:_LONGEST],)) for item in listed]
    return [_spellings(line[:_LONGEST]) for line in lines]


def quoted(text: str) -> str:
    """A text as JSON, on one line."""
    dumped = json.dumps(text, ensure_ascii=False)
    return re.sub(
        r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", dumped
    )


def _wrong(text: str, departure: Departure) -> str:
    """Where a line left the language, and how it could go on from its last whole move."""
    if isinstance(departure, Unreadable):
        return f"- {quoted(text)}: {departure.why}."
    rest, kept = text[departure.at :], text[: departure.since]
    then = f"not {quoted(rest)}" if rest else "but it stops too early"
    begun = [quoted((kept + text).removeprefix(" ")) for text in departure.instead if text != END]
    end = f" It could end after {quoted(kept)}." if END in departure.instead else ""
    fine = f"- {quoted(text)}: fine up to {quoted(departure.said)}, {then}."
    return f"{fine} It could begin with: {', '.join(begun)}.{end}"


def _spellings(line: str) -> Line:
    """The readings of a line: unquoted or as it stands, with or without its list mark."""
    bare = _MARK.sub("", line)
    spellings: list[str] = []
    for text in (line, bare, bare.removesuffix(","), bare.strip('`", ')):
        unquoted = _json(text) if text.startswith('"') else _json(f'"{text}"')
        spellings += [unquoted, text] if isinstance(unquoted, str) else [text]
    return tuple(dict.fromkeys(spellings))


def _json(text: str) -> Any:
    """The value of a JSON text; None where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None
