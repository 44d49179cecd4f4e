"""What a hosted model writes, whatever the task: how its lines are parsed, and corrected once.

In a correction, whatever comes from outside (names of the graph, lines of the model) is quoted as
JSON, on one line: no text can pass for a part of the protocol.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from openai.types.chat import ChatCompletionMessageParam

from trellis.automata.reader import END, WORDS, Departure, Reader, SentenceReading
from trellis.domain.printable import escape_controls, quote_as_data

Message = ChatCompletionMessageParam

LineSpellings = tuple[str, ...]
"""The texts that one line of a model may mean, the likeliest first."""


class LineReader(Protocol):
    """Reads a text in a language: what it means, or where it leaves the language."""

    def read_text(self, text: str) -> SentenceReading[Any] | Departure: ...


@dataclass(frozen=True, slots=True)
class JsonForm:
    """How the sentences of a task are written as JSON objects, of some `line_tokens` tokens.

    `instructions`: what a model is told of it. `build_schema`: the JSON schema, of a language.
    `read_object`: the sentence that an object says; InputError where it says none.
    `write_sentence`: a sentence as JSON.
    """

    instructions: str
    build_schema: Callable[[Any], Mapping[str, Any]]
    read_object: Callable[[Mapping[str, Any]], str]
    write_sentence: Callable[[str], str]
    line_tokens: int


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """What a hosted model writes for one task: a line of about `line_tokens` tokens at most, which
    what `open_reader` opens for a language reads. `json_form`: its sentences as JSON objects, for
    servers that keep to a schema. `write_grammar`: writes the grammar (GBNF) of a language, None
    where it is too large; without it, one is compiled of the language's states."""

    line_tokens: int
    open_reader: Callable[[Any], LineReader] = Reader
    json_form: JsonForm | None = None
    write_grammar: Callable[[Any], str | None] | None = None


@dataclass(frozen=True, slots=True)
class UnreadableLine(Departure):
    """A line that cannot be read in the language at all; `reason`: the reason."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A line of the model in its chosen spelling, and what it means or where it departs."""

    text: str
    result: SentenceReading[Any] | Departure


_LONGEST = 1_000
"""Characters of a line that are read."""

_FENCE = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_COMMENT = re.compile(r"^\s*//[^\n]*$|\s//\s[^\n]*$|/\*.*?\*/", re.MULTILINE | re.DOTALL)
_BETWEEN = re.compile(r";\s*\n|\n\s*\n")
_MARK = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


def build_corrections(lines: Sequence[ParsedLine]) -> list[Message]:
    """The messages of the one retry: the model's lines, and what is wrong with them."""
    written = "\n".join(quote_as_data(line.text) for line in lines)
    wrong = "\n".join(
        _describe_departure(line.text, line.result)
        for line in lines
        if isinstance(line.result, Departure)
    )
    content = (
        f"These lines cannot be said in this graph:\n{wrong}\n\n"
        "Write these lines again, corrected, in this order and nothing else."
    )
    return [{"role": "assistant", "content": written}, {"role": "user", "content": content}]


def split_lines(content: str) -> list[LineSpellings]:
    """The lines of an answer: plain, quoted, numbered, fenced, or a JSON list of strings."""
    stripped = [line.strip() for line in content.splitlines()]
    lines = [line for line in stripped if line and not line.startswith("```")]
    listed = _parse_json("".join(lines))
    if isinstance(listed, list):
        return [LineSpellings((str(item)[:_LONGEST],)) for item in listed]
    return [_list_spellings(line[:_LONGEST]) for line in lines]


def split_blocks(content: str) -> list[str]:
    """The sentences of an answer that go over several lines: what stands between blank lines, or
    ends in a semicolon; without fences and comments, each on one line."""
    fenced = _FENCE.findall(content)
    bare = _COMMENT.sub(" ", "\n\n".join(fenced) if fenced else content)
    joined = (" ".join(block.split()) for block in _BETWEEN.split(bare))
    return [block[:_LONGEST] for block in joined if block]


def _describe_departure(text: str, departure: Departure) -> str:
    """Where a line left the language, and how it could go on from its last whole move."""
    if isinstance(departure, UnreadableLine):
        return f"- {quote_as_data(text)}: {escape_controls(departure.reason)}."
    rest, kept = text[departure.at :], text[: departure.move_start]
    then = f"not {quote_as_data(rest)}" if rest else "but it stops too early"
    begun = [
        quote_as_data((kept + text).removeprefix(" "))
        for text in departure.alternatives
        if text not in (END, WORDS)
    ]
    ways = [f" It could begin with: {', '.join(begun)}."] if begun else []
    if WORDS in departure.alternatives:
        ways.append(f" It could go on with {WORDS} after {quote_as_data(kept)}.")
    if END in departure.alternatives:
        ways.append(f" It could end after {quote_as_data(kept)}.")
    fine = f"- {quote_as_data(text)}: fine up to {quote_as_data(departure.accepted)}, {then}."
    return fine + "".join(ways)


def _list_spellings(line: str) -> LineSpellings:
    """The readings of a line: unquoted or as it stands, with or without its list mark."""
    bare = _MARK.sub("", line)
    spellings: list[str] = []
    for text in (line, bare, bare.removesuffix(","), bare.strip('`", ')):
        unquoted = _parse_json(text) if text.startswith('"') else _parse_json(f'"{text}"')
        spellings += [unquoted, text] if isinstance(unquoted, str) else [text]
    return tuple(dict.fromkeys(spellings))


def _parse_json(text: str) -> Any:
    """The value of a JSON text; None where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None
