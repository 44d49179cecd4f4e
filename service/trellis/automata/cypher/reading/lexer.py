"""Splits a Cypher text into tokens: names, literals and marks, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from trellis.domain.errors import CypherReadError

TokenType = Literal["name", "quoted", "text", "number", "parameter", "mark", "end"]

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<quoted>`(?:[^`]|``)*`)
  | (?P<number>\d+\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+)?|\.\d+)
  | (?P<parameter>\$(?:`(?:[^`]|``)*`|\w+))
  | (?P<name>[^\W\d]\w*)
  | (?P<mark><=|>=|<>|!=|[-<>=()\[\]{}:,.*|;+/&!?@%^~#])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True)
class LexerToken:
    """A token, without its quotes and escapes. `at`: its offset in the text."""

    kind: TokenType
    value: str
    at: int

    def is_word(self, word: str) -> bool:
        """Whether it is a keyword, in any case."""
        return self.kind == "name" and self.value.upper() == word


def split_tokens(text: str) -> Iterator[LexerToken]:
    """The tokens of a text, `end` last; raises CypherReadError where the text has no token."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise CypherReadError(f"{text[at : at + 10]!r} at offset {at} is no Cypher")
        kind, value = found.lastgroup, found.group()
        if kind != "blank":
            yield LexerToken(kind, _unquote(kind, value), at)  # type: ignore[arg-type]
        at = found.end()
    yield LexerToken("end", "", at)


def _unquote(kind: str | None, value: str) -> str:
    if kind == "text":
        return _ESCAPE.sub(_unescape_character, value[1:-1])
    if kind == "quoted":
        return _unescape_name(value)
    if kind == "parameter":
        return _unescape_name(value[1:]) if value.startswith("$`") else value[1:]
    return value


def _unescape_name(value: str) -> str:
    """A name without its quotes and unicode escapes."""
    return _UNICODE.sub(lambda found: chr(int(found[1], 16)), value[1:-1].replace("``", "`"))


def _unescape_character(found: re.Match[str]) -> str:
    escape = found[1]
    if escape[0] in "uU" and len(escape) > 1:
        return chr(int(escape[1:], 16))
    return _ESCAPED.get(escape, escape)
