"""The words for the names of a schema: plain, and never equal for two things at one place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import count, product

from trellis.automata.cypher.meaning.items import (
    RETURN_FORMS,
    WHETHER,
    WIDE_FORMS,
    ArithmeticOperator,
)
from trellis.automata.cypher.meaning.query import Direction, Operator, ScopeKind
from trellis.automata.paths.segments import measure_longest
from trellis.domain.graphs.schema import Schema
from trellis.domain.identifiers import quote_name, split_identifier

ANY = "any"
"""The word for a node whose label is left open."""

AND, ANOTHER = "and", "another"
"""The words before a branch: in a clause of its own, and in the clause before it."""

BESIDES, SAME = "besides", "same"
"""The words before a part that no relationship joins to the rest, and before an earlier node."""

SCOPE_WORDS: dict[ScopeKind, str] = {
    "some": "having",
    "none": "without",
    "optional": "maybe",
    "number": "many",
    "first": "among",
}
"""The words before a scope; behind `many` stands a comparison."""

TERM_WORDS: dict[ArithmeticOperator, str] = {"+": "plus", "-": "minus", "*": "times", "/": "per"}
"""The words that combine two properties."""

KEEP = "keep"
"""The word before an order of nodes of which only the first ones are kept."""

WHERE, OR, THAT_OF, IS_NOT = "where", "or", "that of", "is not"
"""The words before a filter of a relationship, before one more value, before the property that
another one is compared with, and before the node that another one must not be."""

FIND, EACH, ONLY, THEN, BY = "find", "each", "only", "then", "by"
"""The words before a pattern whose first node is no item, before the node of a group, before a
condition on groups, before one more order, and before an aggregate that is only ordered by."""

HIGHEST, LOWEST, LIMIT = "highest", "lowest", "limit"
"""The words for a number of rows: the largest ones, the smallest ones, or any."""

DESCENDING, ASCENDING = "descending", "ascending"

PLACES = {"second": 1, "third": 2}
"""The words before an order of one row, each with the number of rows that it leaves out."""

KEYWORDS = frozenset(
    {AND, ANOTHER, HIGHEST, LOWEST, LIMIT, DESCENDING, ASCENDING}
    | {BESIDES, SAME, WHERE, OR, THAT_OF, IS_NOT, FIND, EACH, ONLY, THEN, BY}
    | {f"{place} {order}" for place in PLACES for order in (HIGHEST, LOWEST)}
    | {f"{KEEP} {order}" for order in (HIGHEST, LOWEST)}
    | {f"{KEEP} {place} {order}" for place in PLACES for order in (HIGHEST, LOWEST)}
    | {form.word for form in (*RETURN_FORMS, *WIDE_FORMS, WHETHER)}
    | {*SCOPE_WORDS.values(), *TERM_WORDS.values()}
)
"""The words of the grammar itself, without names and numbers of rows."""

ARROWS: dict[Direction, str] = {"any": "", "out": " ->", "in": " <-"}

OPERATORS: tuple[Operator, ...] = ("=", "<>", "<", "<=", ">", ">=")
"""The comparisons with a value of the same type."""

OPERATOR_WORDS: dict[Operator, str] = {
    **{operator: operator for operator in OPERATORS},
    "=": "",
    "CONTAINS": "contains",
    "STARTS WITH": "starts with",
    "ENDS WITH": "ends with",
    "HAS": "has",
    "IS NULL": "is missing",
    "IS NOT NULL": "is known",
}
"""The words of each operator; equality has none."""

PART_WORDS = {
    "year": "year of",
    "month": "month of",
    "day": "day of",
    "size": "size of",
    "lower": "lower case of",
    "integer": "integer of",
    "decimal": "decimal of",
}
"""The words for parts of a value: of dates, of lists, of texts, of numbers stored as texts."""

_ROWS = re.compile(rf"({KEEP} )?({HIGHEST}|{LOWEST}|{LIMIT}) \d+")


def split_name(name: str) -> str:
    """`knows phone` for `KNOWS_PHONE`, `phone no` for `phoneNo`; empty for marks alone."""
    return " ".join(split_identifier(name))


def write_comparison(
    word: str,
    operator: Operator,
    part: str = "",
    is_negated: bool = False,
    is_reference: bool = False,
) -> str:
    """The words of a comparison: the part, the property and the operator, up to the value."""
    ending = _write_comparison_ending(operator, is_negated, is_reference)
    return write_property(word, part) + ending


def write_property(word: str, part: str = "") -> str:
    """The word of a property, behind the words for a part of its value."""
    return f"{PART_WORDS[part]} {word}" if part else word


@cache
def _write_comparison_ending(operator: Operator, is_negated: bool, is_reference: bool) -> str:
    """The words of a comparison behind the property."""
    operator_word = "=" if is_reference and operator == "=" else OPERATOR_WORDS[operator]
    words = ("not" if is_negated else "", operator_word, THAT_OF if is_reference else "")
    return "".join(f" {word}" for word in words if word)


def number_name(word: str, taken_names: Sequence[str]) -> str:
    """A name for one more node: its label's word, numbered where that is taken."""
    names = (word, *(f"{word} {number}" for number in range(2, 2 + len(taken_names) + 1)))
    return next(name for name in names if name not in taken_names)


_MOST_DIGITS = 101  # numbers of rows are spelt by the tokens of smaller ones


class Wording:
    """The words of each label, relationship type and property.

    A name is split into plain words. Where these are taken, by another name or by the grammar, the
    name stands as it is; where that is taken too, it is quoted.
    """

    def __init__(self, schema: Schema) -> None:
        said = _TakenWords(KEYWORDS, _list_endings())
        self.properties = _choose_words(_list_properties(schema), said)
        self.types = _choose_words(_list_types(schema), said)
        labels = _TakenWords({ANY, SAME, WHERE, OR, BY, ""}, ())
        self.labels = _choose_words(_list_labels(schema), labels) | {"": ANY}

    def iterate_comparison_texts(self) -> Iterator[str]:
        """The words of all comparisons of each property, and of each part of its values, up to the
        value that may follow."""
        endings = sorted(set(_list_comparison_endings()))
        for word in self.properties.values():
            for part in ("", *PART_WORDS):
                yield from (f"{write_property(word, part)}{ending}" for ending in endings)

    def list_words(self) -> tuple[str, ...]:
        """All words of sentences but the names of values: of the grammar, of comparisons and of
        the schema, and the numbers of rows."""
        endings = (text.strip() for text in (*ARROWS.values(), *_list_comparison_endings()))
        names = (word for words in self._all_words() for word in words.values())
        limits = map(str, range(1, _MOST_DIGITS))
        words = (*sorted(KEYWORDS), *endings, *PART_WORDS.values(), *names, *limits)
        return tuple(dict.fromkeys(filter(None, words)))

    @cached_property
    def longest_moves(self) -> tuple[int, int, int]:
        """The most bytes that a move takes which names a node, a relationship, a property."""
        marks = _LONGEST_MARK  # a space before it; a number, an arrow or a comparison behind it
        node, edge, of = (measure_longest(tuple(each.values())) for each in self._all_words())
        return marks + node, marks + edge, marks + of

    def _all_words(self) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        return self.labels, self.types, self.properties


class _TakenWords:
    """The words that are taken, and all texts that a word and an ending can make."""

    def __init__(self, words: Collection[str], endings: Collection[str]) -> None:
        self._endings = tuple(endings)
        self._words: set[str] = set()
        self._stems: set[str] = set()
        for word in words:
            self.take_word(word)

    def take_word(self, word: str) -> None:
        self._words.add(word)
        self._stems.update(self._iterate_stems(word))

    def is_free(self, word: str) -> bool:
        """Whether no text of a word, with an ending or without, is one of a word that is taken."""
        return (
            word not in self._words
            and not word.startswith(_PART_BEGINNINGS)
            and word not in self._stems
            and self._words.isdisjoint(self._iterate_stems(word))
        )

    def _iterate_stems(self, word: str) -> Iterator[str]:
        """The words that make a word with an ending."""
        return (word[: -len(end)] for end in self._endings if word.endswith(end))


def _choose_words(names: Sequence[str], taken_words: _TakenWords) -> dict[str, str]:
    """Choose free words for each name, and take them."""
    chosen: dict[str, str] = {}
    for name in names:
        free = (word for word in _iterate_wordings(name) if word and not _ROWS.fullmatch(word))
        chosen[name] = next(filter(taken_words.is_free, free))
        taken_words.take_word(chosen[name])
    return chosen


def _iterate_wordings(name: str) -> Iterator[str]:
    """The words that a name can have, best first, without end."""
    yield split_name(name)
    yield name
    yield quote_name(name)
    yield from (f"{quote_name(name)} {number}" for number in count(2))


def _list_endings() -> frozenset[str]:
    """What can stand between two words of which one, with its own ending, makes the other's text:
    endings, and beginnings of endings that end in another one."""
    endings = {*ARROWS.values(), *_list_comparison_endings()}
    return frozenset(
        longer[: len(longer) - len(shorter)]
        for longer in endings
        for shorter in endings
        if longer.endswith(shorter) and longer != shorter
    )


def _list_comparison_endings() -> Iterator[str]:
    for operator, is_negated, is_reference in product(OPERATOR_WORDS, (False, True), (False, True)):
        yield _write_comparison_ending(operator, is_negated, is_reference)


_PART_BEGINNINGS = tuple(f"{word} " for word in PART_WORDS.values())
_LONGEST_MARK = 2 + max(map(len, _list_comparison_endings())) + max(map(len, _PART_BEGINNINGS))


def _list_properties(schema: Schema) -> list[str]:
    of_nodes = (kind.name for label in schema.labels for kind in label.properties)
    of_edges = (kind.name for of in schema.relationship_properties.values() for kind in of)
    return _sort_names((*of_nodes, *of_edges))


def _list_types(schema: Schema) -> list[str]:
    return _sort_names(kind.type for kind in schema.relationships)


def _list_labels(schema: Schema) -> list[str]:
    ends = (end for kind in schema.relationships for end in (kind.start_label, kind.end_label))
    return _sort_names(filter(None, (*(kind.label for kind in schema.labels), *ends)))


def _sort_names(names: Iterable[str]) -> list[str]:
    return sorted(set(names))
