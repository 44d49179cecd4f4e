"""How a schema's names are said: in plain words, no two things at one place alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count

from trellis.automata.cypher.query import RETURN_FORMS, Direction, Operator
from trellis.automata.segments import measure_longest
from trellis.domain.identifiers import quote_name, split_identifier
from trellis.domain.schema import Schema

ANY = "any"
"""Said for a node whose label is left open."""

AND, ANOTHER = "and", "another"
"""A branch in a clause of its own; one whose relationships differ from those before it."""

HIGHEST, LOWEST, LIMIT = "highest", "lowest", "limit"
"""How many rows: of the largest ones, of the smallest ones, of any. A number may stand behind."""

DESCENDING, ASCENDING = "descending", "ascending"

KEYWORDS = frozenset(
    {AND, ANOTHER, HIGHEST, LOWEST, LIMIT, DESCENDING, ASCENDING}
    | {form.word for form in RETURN_FORMS}
)
"""What the grammar says itself, beside names and numbers of rows."""

ARROWS: dict[Direction, str] = {"any": "", "out": " ->", "in": " <-"}
OPERATORS: tuple[Operator, ...] = ("=", "<>", "<", "<=", ">", ">=")

_ROWS = re.compile(rf"({HIGHEST}|{LOWEST}|{LIMIT}) \d+")


def split_name(name: str) -> str:
    """`knows phone` for `KNOWS_PHONE`, `phone no` for `phoneNo`; empty for marks alone."""
    return " ".join(split_identifier(name))


def write_comparison(word: str, operator: Operator) -> str:
    """A property's word with how it is compared; equality is not said."""
    return word if operator == "=" else f"{word} {operator}"


class Wording:
    """The words of each label, relationship type and property.

    A name is said by its words; as it stands where these are something else's, or the grammar's
    own; escaped where that is so too.
    """

    def __init__(self, schema: Schema) -> None:
        said = set(KEYWORDS)
        self.properties = _choose_words(_list_properties(schema), said, _list_comparisons)
        self.types = _choose_words(_list_types(schema), said, _list_arrows)
        self.labels = _choose_words(_list_labels(schema), {ANY, ""}, lambda word: [word]) | {
            "": ANY
        }

    @cached_property
    def longest_moves(self) -> tuple[int, int, int]:
        """The most bytes that a move takes which names a node, a relationship, a property."""
        marks = 4  # a space before it; a number, an arrow or a comparison behind it
        node, edge, of = (measure_longest(tuple(each.values())) for each in self._all_words())
        return marks + node, marks + edge, marks + of

    def _all_words(self) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        return self.labels, self.types, self.properties


def _choose_words(
    names: Sequence[str], taken_words: set[str], forms: Callable[[str], list[str]]
) -> dict[str, str]:
    """Words for each name, none of whose `forms` is taken; what they take is taken then."""
    found: dict[str, str] = {}
    for name in names:
        free = (word for word in _iterate_wordings(name) if word and not _ROWS.fullmatch(word))
        found[name] = next(word for word in free if taken_words.isdisjoint(forms(word)))
        taken_words.update(forms(found[name]))
    return found


def _iterate_wordings(name: str) -> Iterator[str]:
    """How a name can be said, best first; without end."""
    yield split_name(name)
    yield name
    yield quote_name(name)
    yield from (f"{quote_name(name)} {number}" for number in count(2))


def _list_comparisons(word: str) -> list[str]:
    return [write_comparison(word, operator) for operator in OPERATORS]


def _list_arrows(word: str) -> list[str]:
    return [word + arrow for arrow in ARROWS.values()]


def _list_properties(schema: Schema) -> list[str]:
    return _sort_names(kind.name for label in schema.labels for kind in label.properties)


def _list_types(schema: Schema) -> list[str]:
    return _sort_names(kind.type for kind in schema.relationships)


def _list_labels(schema: Schema) -> list[str]:
    ends = (end for kind in schema.relationships for end in (kind.start_label, kind.end_label))
    return _sort_names(filter(None, (*(kind.label for kind in schema.labels), *ends)))


def _sort_names(names: Iterable[str]) -> list[str]:
    return sorted(set(names))
