"""The last RETURN of a query: its order, its limit, and all the rows that these choose from.

A limit cuts anywhere among rows of equal sort keys, and whatever it keeps is right. Which rows are
equal shows in the same query without its limit, with the sort keys as further columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from trellis.automata.cypher.reading.lexer import LexerToken, split_tokens
from trellis.domain.errors import CypherReadError
from trellis.domain.structures.cypher import Cell, CypherQuery, Rows

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_LIMITS = frozenset({"SKIP", "OFFSET", "LIMIT"})
_DIRECTIONS = ("ASC", "DESC", "ASCENDING", "DESCENDING")

Tokens = Sequence[LexerToken]


@dataclass(frozen=True, slots=True)
class FinalReturn:
    """`ranking`: the query without SKIP and LIMIT, its `key_count` sort keys as its last columns.
    Of its rows the query leaves out `skip`, and returns `limit` at most (None: all)."""

    ranking: CypherQuery
    key_count: int
    skip: int = 0
    limit: int | None = None

    @property
    def leaves_choice(self) -> bool:
        """Whether it says an order or a number of rows, so that several results can be right."""
        return bool(self.key_count or self.skip or self.limit is not None)

    def split_row(self, row: Sequence[Cell]) -> tuple[Sequence[Cell], Sequence[Cell]]:
        """A row of the ranking as the row that the query returns, and its sort keys."""
        width = len(row) - self.key_count
        return row[:width], row[width:]

    def find_window(self, rows: Rows) -> range:
        """The rows of the ranking that the query returns."""
        count = len(rows.rows)
        end = count if self.limit is None else self.skip + self.limit
        return range(min(self.skip, count), min(end, count))


def parse_final_return(query: CypherQuery) -> FinalReturn | None:
    """The last RETURN of a query; None for a UNION, and where a limit is no plain number."""
    try:
        return _QueryText(query.text).build_final_return(query)
    except (CypherReadError, ValueError):
        return None


class _QueryText:
    """The tokens of a query, with where each ends."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(split_tokens(text))
        while len(self._tokens) > 1 and _is_mark(self._tokens[-2], ";"):
            self._tokens[-2:] = [replace(self._tokens[-1], at=self._tokens[-2].at)]
        self._ends = {one.at: following.at for one, following in pairwise(self._tokens)}

    def build_final_return(self, query: CypherQuery) -> FinalReturn:
        """Raises ValueError where there is none, several, or no plain number of rows."""
        start, parts = self._split_final_return()
        keys = [self._write_key(key, parts["RETURN"]) for key in _split_at_commas(parts["ORDER"])]
        returned = self._text[: self._tokens[start].at] + "RETURN " + self._cut(parts["RETURN"])
        columns = "".join(f"\n, {key}\nAS _key{index}" for index, key in enumerate(keys))
        order = f"\nORDER BY {self._cut(parts['ORDER'])}" if keys else ""
        return FinalReturn(
            replace(query, text=returned + columns + order),
            len(keys),
            _read_number([*parts["SKIP"], *parts["OFFSET"]], query.params) or 0,
            _read_number(parts["LIMIT"], query.params),
        )

    def _split_final_return(self) -> tuple[int, Mapping[str, Tokens]]:
        """Where the RETURN stands, and the tokens behind it and behind each of its keywords."""
        outer = self._find_outer_words()
        words = [self._tokens[at].value.upper() for at in outer]
        if "RETURN" not in words or "UNION" in words:
            raise ValueError("not one RETURN at the end")
        last = len(words) - 1 - words[::-1].index("RETURN")
        starts = [outer[last], *(at for at in outer[last + 1 :] if self._begins_part(at))]
        parts: dict[str, Tokens] = dict.fromkeys(("ORDER", *_LIMITS), ())
        for start, stop in pairwise((*starts, len(self._tokens) - 1)):
            word = self._tokens[start].value.upper()
            parts[word] = self._tokens[start + (2 if word == "ORDER" else 1) : stop]
        return starts[0], parts

    def _find_outer_words(self) -> list[int]:
        """The places of words that stand in no bracket, and are neither property nor label."""
        found, depth = [], 0
        for at, token in enumerate(self._tokens):
            depth += _measure_bracket(token)
            if token.kind == "name" and not depth and not _is_part(self._tokens, at):
                found.append(at)
        return found

    def _begins_part(self, at: int) -> bool:
        """Whether a part of the RETURN begins here: `limit` may be the name of a column too."""
        token, following = self._tokens[at], self._tokens[at + 1]
        if token.is_word("ORDER"):
            return following.is_word("BY")
        return token.value.upper() in _LIMITS and following.kind in ("number", "parameter", "name")

    def _cut(self, tokens: Tokens) -> str:
        """The text of tokens that follow one another."""
        return self._text[tokens[0].at : self._ends[tokens[-1].at]].rstrip() if tokens else ""

    def _write_key(self, key: Tokens, returned: Tokens) -> str:
        """A sort key without its direction, the names that the RETURN gives written out."""
        if key[-1].value.upper() in _DIRECTIONS:
            key = key[:-1]
        expressions = dict(self._find_aliases(returned))
        return "".join(self._write_token(key, at, expressions) for at in range(len(key))).rstrip()

    def _write_token(self, key: Tokens, at: int, expressions: Mapping[str, str]) -> str:
        token, source = key[at], self._text[key[at].at : self._ends[key[at].at]]
        if token.kind not in ("name", "quoted") or _is_part(key, at):
            return source
        return f"({expressions[token.value]}\n)" if token.value in expressions else source

    def _find_aliases(self, returned: Tokens) -> Iterator[tuple[str, str]]:
        """The names that a RETURN gives (`AS name`), each with what it stands for."""
        if returned and returned[0].is_word("DISTINCT"):
            returned = returned[1:]
        for item in _split_at_commas(returned):
            if len(item) > 2 and item[-2].is_word("AS"):
                yield item[-1].value, self._cut(item[:-2])


def _is_mark(token: LexerToken, marks: str) -> bool:
    return token.kind == "mark" and token.value in marks


def _is_part(tokens: Tokens, at: int) -> bool:
    """Whether a word is a property or a label."""
    return at > 0 and _is_mark(tokens[at - 1], ".:")


def _measure_bracket(token: LexerToken) -> int:
    """1 for an opening bracket, -1 for a closing one."""
    if token.kind != "mark":
        return 0
    return (token.value in _OPENING) - (token.value in _CLOSING)


def _split_at_commas(tokens: Tokens) -> list[Tokens]:
    """What stands between the commas outside of brackets."""
    found: list[list[LexerToken]] = [[]]
    depth = 0
    for token in tokens:
        depth += _measure_bracket(token)
        if not depth and _is_mark(token, ","):
            found.append([])
        else:
            found[-1].append(token)
    return list(filter(None, found))


def _read_number(part: Tokens, params: Mapping[str, Any]) -> int | None:
    """The number behind SKIP or LIMIT; None where there is none."""
    if not part:
        return None
    if len(part) != 1 or part[0].kind not in ("number", "parameter"):
        raise ValueError("no plain number")
    token = part[0]
    return int(params.get(token.value, "") if token.kind == "parameter" else token.value)
