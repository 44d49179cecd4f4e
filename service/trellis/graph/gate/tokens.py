"""Splits a Cypher text into tokens whose boundaries are those that Neo4j sees.

Neo4j decodes `\\uXXXX` before it reads anything else, so that an escape could begin or end a token
unseen. Therefore escapes are allowed only inside texts and names in backticks, and only if the
decoded character cannot end these. Then the boundaries are the same before and after decoding.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trellis.domain.errors import QuerySyntaxError, RefusedQueryError

TokenKind = Literal["word", "name", "text", "number", "mark"]


@dataclass(frozen=True, slots=True)
class QueryToken:
    """One token. `text`: its content, unquoted and unescaped; a mark is one character."""

    kind: TokenKind
    text: str

    def is_mark(self, mark: str) -> bool:
        return self.kind == "mark" and self.text == mark

    def is_word(self, *words: str) -> bool:
        """Whether it is one of these keywords, in any case."""
        return self.kind == "word" and self.text.upper() in words

    @property
    def is_symbol(self) -> bool:
        """Whether it can name something: a word, or a name in backticks."""
        return self.kind in ("word", "name")


_ESCAPE = re.compile(r"\\u+([0-9A-Fa-f]{4})")
_PATTERNS = (
    ("comment", re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)),
    ("text", re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)),
    ("name", re.compile(r"`(?:[^`]|``)*`")),
    ("number", re.compile(r"\d\w*(?:\.\d\w*)?(?:(?<=[eE])[+-]\d+)?", re.ASCII)),
    ("word", re.compile(r"[^\W\d]\w*")),
)
_MARKS = frozenset("()[]{}<>.,:;|&!%*/+-^=~$")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")


def tokenize(text: str) -> Sequence[QueryToken]:
    """The tokens of a query without its comments; one `;` at the end is left out.

    Raises RefusedQueryError if a text could be read in two ways, QuerySyntaxError if a quote or a
    comment does not end.
    """
    if control := _CONTROL.search(text):
        raise _unreadable_error(control[0], "control characters")
    result: list[QueryToken] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        kind, source = _match_token(text, at)
        at += len(source)
        if kind != "comment":
            result.append(_build_token(kind, source))
    return result[:-1] if result and result[-1].is_mark(";") else result


def _match_token(text: str, at: int) -> tuple[str, str]:
    for kind, pattern in _PATTERNS:
        if match := pattern.match(text, at):
            if kind == "comment" and "\\u" in match[0]:
                raise RefusedQueryError("a comment holds an escape", "leave it out")
            return kind, match[0]
    if text[at] in _MARKS:
        if text.startswith("/*", at):
            raise QuerySyntaxError("a comment does not end", "end it with */")
        return "mark", text[at]
    if text[at] in "'\"`":
        raise QuerySyntaxError(f"a quote ({text[at]}) does not end", "close it")
    if text[at] == "\\":
        raise RefusedQueryError(
            "escapes stand outside of texts and quoted names",
            "write the characters themselves, or put names into backticks",
        )
    raise _unreadable_error(text[at], "such characters")


def _unreadable_error(character: str, kind: str) -> RefusedQueryError:
    return RefusedQueryError(
        f"the query holds {kind} (U+{ord(character):04X})",
        "write plain ASCII outside of texts and names in backticks, or use parameters",
    )


def _build_token(kind: str, source: str) -> QueryToken:
    if kind == "name":
        return QueryToken("name", _decode_escapes(source[1:-1], "`").replace("``", "`"))
    if kind == "text":
        return QueryToken("text", _unescape_text(_decode_escapes(source[1:-1], "'\"\\")))
    if kind == "number":
        return QueryToken("number", source)
    return QueryToken("word" if kind == "word" else "mark", source)


def _decode_escapes(quoted: str, terminators: str) -> str:
    """A text with its escapes decoded as Neo4j does; none may decode to one of `terminators`, the
    characters that could end the text."""
    if terminators != "`" and "\\\\u" in quoted:
        raise RefusedQueryError(
            "a text holds \\\\u, which reads in two ways", "hand such a text over as a parameter"
        )
    for escape in _ESCAPE.finditer(quoted):
        letter = chr(int(escape[1], 16))
        if letter in terminators or _CONTROL.match(letter) or 0xD800 <= ord(letter) <= 0xDFFF:
            raise RefusedQueryError(
                f"the escape {escape[0]} could end what it stands in",
                "hand such a text over as a parameter",
            )
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), quoted)


_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescape_text(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: _SIMPLE_ESCAPES.get(m[1], m[1]), text, flags=re.DOTALL)
