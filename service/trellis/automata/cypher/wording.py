"""How a schema's names are said: in plain words, no two things at one place alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count

from trellis.automata.cypher.query import FORMS, Direction, Operator
from trellis.automata.segments import longest
from trellis.domain.identifiers import quoted, split_identifier
from trellis.domain.schema import Schema

ANY = "any"
"""Said for a node whose label is left open."""

AND, ANOTHER = "and", "another"
"""A branch in a clause of its own; one whose relationships differ from those before it."""

HIGHEST, LOWEST, LIMIT = "highest", "lowest", "limit"
"""How many rows: of the largest ones, of the smallest ones, of any. A number may stand behind."""

DESCENDING, ASCENDING = "descending", "ascending"

KEYWORDS = frozenset(
    {AND, ANOTHER, HIGHEST, LOWEST, LIMIT, DESCENDING, ASCENDING} | {form.word for form in FORMS}
)
"""What the grammar says itself, beside names and numbers of rows."""

ARROWS: dict[Direction, str] = {"any": "", "out": " ->", "in": " <-"}
OPERATORS: tuple[Operator, ...] = ("=", "<>", "<", "<=", ">", ">=")

_ROWS = re.compile(rf"({HIGHEST}|{LOWEST}|{LIMIT}) \d+")


def words(name: str) -> str:
    """`knows phone` for `KNOWS_PHONE`, `phone no` for `phoneNo`; empty for marks alone."""
    return " ".join(split_identifier(name))


def compared(word: str, operator: Operator) -> str:
    """A property's word with how it is compared; equality is not said."""
    return word if operator == "=" else f"{word} {operator}"


class Wording:
    """The words of each label, relationship type and property.

    A name is said by its words; as it stands where these are something else's, or the grammar's
    own; escaped where that is so too.
    """

    def __init__(self, schema: Schema) -> None:
        said = set(KEYWORDS)
        self.properties = _told_apart(_properties(schema), said, _comparisons)
        self.types = _told_apart(_types(schema), said, _arrows)
        self.labels = _told_apart(_labels(schema), {ANY, ""}, lambda word: [word]) | {"": ANY}

    @cached_property
    def longest(self) -> tuple[int, int, int]:
        """The most bytes that a move takes which names a node, a relationship, a property."""
        marks = 4  # a space before it; a number, an arrow or a comparison behind it
        node, edge, of = (longest(tuple(each.values())) for each in self._said())
        return marks + node, marks + edge, marks + of

    def _said(self) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        return self.labels, self.types, self.properties


def _told_apart(
    names: Sequence[str], taken: set[str], forms: Callable[[str], list[str]]
) -> dict[str, str]:
    """Words for each name, none of whose `forms` is taken; what they take is taken then."""
    found: dict[str, str] = {}
    for name in names:
        free = (word for word in _candidates(name) if word and not _ROWS.fullmatch(word))
        found[name] = next(word for word in free if taken.isdisjoint(forms(word)))
        taken.update(forms(found[name]))
    return found


def _candidates(name: str) -> Iterator[str]:
    """How a name can be said, best first; without end."""
    yield words(name)
    yield name
    yield quoted(name)
    yield from (f"{quoted(name)} {number}" for number in count(2))


def _comparisons(word: str) -> list[str]:
    return [compared(word, operator) for operator in OPERATORS]


def _arrows(word: str) -> list[str]:
    return [word + arrow for arrow in ARROWS.values()]


def _properties(schema: Schema) -> list[str]:
    return _sorted(kind.name for label in schema.labels for kind in label.properties)


def _types(schema: Schema) -> list[str]:
    return _sorted(kind.type for kind in schema.relationships)


def _labels(schema: Schema) -> list[str]:
    ends = (end for kind in schema.relationships for end in (kind.start_label, kind.end_label))
    return _sorted(filter(None, (*(kind.label for kind in schema.labels), *ends)))


def _sorted(names: Iterable[str]) -> list[str]:
    return sorted(set(names))
