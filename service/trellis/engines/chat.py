"""What a hosted chat model is told, whatever it writes, and how its lines are taken.

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
"""What one line of a model can be meant to say, the likeliest first."""


class LineReader(Protocol):
    """Says what a text means in a language, or where it leaves it."""

    def read(self, text: str) -> Reading[Any] | Departure: ...


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages that ask for the sentences of one prompt, and what reads the answer's lines."""

    messages: Sequence[Message]
    reader: LineReader


class ChatFormat(Protocol):
    """How a hosted chat model is asked for what one task writes."""

    @property
    def line_tokens(self) -> int:
        """Tokens that one line may take."""

    def open_conversation(
        self, prompt: Prompt, language: Any, width: int, shown: int
    ) -> Conversation | None:
        """Asks for up to `width` lines, of at most `shown` things that can be said; None where
        the language says nothing."""


@dataclass(frozen=True, slots=True)
class Unreadable(Departure):
    """A line of another form than the language's, that means nothing in it; `why` not."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A line of the model, as it was taken, and what it means in the language."""

    text: str
    found: Reading[Any] | Departure


_LONGEST = 1_000
"""Characters of a line that are read."""

_MARK = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


def corrected(lines: Sequence[Written]) -> list[Message]:
    """What was written, and what is wrong with it: the messages of the one retry."""
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
    bare = [line.strip() for line in content.splitlines()]
    kept = [line for line in bare if line and not line.startswith("```")]
    listed = _json("".join(kept))
    if isinstance(listed, list):
        return [Line((str(item)[:_LONGEST],)) for item in listed]
    return [_spellings(line[:_LONGEST]) for line in kept]


def quoted(text: str) -> str:
    """A text as JSON, on one line."""
    dumped = json.dumps(text, ensure_ascii=False)
    return re.sub(
        r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", dumped
    )


def _wrong(text: str, departure: Departure) -> str:
    """Where a line left, and what it could have said from its last whole move on."""
    if isinstance(departure, Unreadable):
        return f"- {quoted(text)}: {departure.why}."
    rest, kept = text[departure.at :], text[: departure.since]
    then = f"not {quoted(rest)}" if rest else "but it stops too early"
    begun = [quoted((kept + one).removeprefix(" ")) for one in departure.instead if one != END]
    end = f" It could end after {quoted(kept)}." if END in departure.instead else ""
    fine = f"- {quoted(text)}: fine up to {quoted(departure.said)}, {then}."
    return f"{fine} It could begin with: {', '.join(begun)}.{end}"


def _spellings(line: str) -> Line:
    """A line as it is meant if it was quoted as it was shown, and as it stands; without a mark."""
    bare = _MARK.sub("", line)
    found: list[str] = []
    for text in (line, bare, bare.removesuffix(","), bare.strip('`", ')):
        said = _json(text) if text.startswith('"') else _json(f'"{text}"')
        found += [said, text] if isinstance(said, str) else [text]
    return tuple(dict.fromkeys(found))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
