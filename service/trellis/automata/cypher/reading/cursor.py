"""A cursor over the tokens of a Cypher text, which moves from left to right."""

from __future__ import annotations

from typing import NoReturn

from trellis.automata.cypher.reading.lexer import LexerToken, split_tokens
from trellis.domain.errors import CypherReadError

_UNREAD = {
    "UNION": "two queries joined by UNION",
    "UNWIND": "the items of a list (UNWIND)",
    "CALL": "a procedure or subquery (CALL)",
    "FOREACH": "FOREACH",
    "CASE": "a choice (CASE)",
}
"""How an error names the parts of Cypher that are not read."""


class TokenCursor:
    """Stands at one token of a text, tests it and moves past it.

    `accept_…` moves past the token where it is the wanted one, and says whether it was.
    `expect_…` raises CypherReadError where it is another one.
    """

    def __init__(self, text: str) -> None:
        self._tokens = list(split_tokens(text))
        self._at = 0

    @property
    def current(self) -> LexerToken:
        """The token that the cursor stands at."""
        return self._tokens[self._at]

    def take_token(self) -> LexerToken:
        """Move past the current token and return it; the cursor stays at the end of the text."""
        token = self.current
        self._at += token.kind != "end"
        return token

    def is_name(self) -> bool:
        return self.current.kind in ("name", "quoted")

    def is_word(self, word: str) -> bool:
        return self.current.is_word(word)

    def is_mark(self, *marks: str) -> bool:
        """Whether the current token is one of some marks."""
        return self.current.kind == "mark" and self.current.value in marks

    def is_next_mark(self, mark: str) -> bool:
        """Whether the token behind the current one is a mark."""
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        return following.kind == "mark" and following.value == mark

    def is_path(self) -> bool:
        """Whether the current parenthesis is a node's, with a relationship behind it."""
        depth = 0
        for at in range(self._at, len(self._tokens)):
            token = self._tokens[at]
            if token.kind == "mark" and token.value in "([{":
                depth += 1
            elif token.kind == "mark" and token.value in ")]}":
                depth -= 1
                if not depth:
                    return self._begins_relationship(at + 1)
        return False

    def accept_mark(self, mark: str) -> bool:
        is_wanted = self.is_mark(mark)
        self._at += is_wanted
        return is_wanted

    def accept_word(self, word: str) -> bool:
        is_wanted = self.is_word(word)
        self._at += is_wanted
        return is_wanted

    def expect_name(self) -> str:
        if not self.is_name():
            self.fail("a name")
        return self.take_token().value

    def expect_mark(self, mark: str) -> None:
        if not self.accept_mark(mark):
            self.fail(f"{mark!r}")

    def expect_word(self, word: str) -> None:
        if not self.accept_word(word):
            self.fail(word)

    def fail(self, wanted: str) -> NoReturn:
        """Raise CypherReadError: the current token stands where something else is wanted."""
        token = self.current
        found = repr(token.value) if token.value else "the end"
        unread = _UNREAD.get(token.value.upper()) if token.kind == "name" else None
        if unread:
            raise CypherReadError(
                f"{unread}, at offset {token.at}, cannot be said", "ask for each part by itself"
            )
        raise CypherReadError(
            f"the query has {found} at offset {token.at}, where {wanted} is read",
            "write it in the subset: MATCH paths, WHERE, WITH, RETURN, ORDER BY, LIMIT",
        )

    def _begins_relationship(self, at: int) -> bool:
        marks = "".join(token.value for token in self._tokens[at : at + 3] if token.kind == "mark")
        return marks.startswith(("-[", "<-[", "--", "<--"))
