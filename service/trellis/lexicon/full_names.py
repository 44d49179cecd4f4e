"""Full names: which properties of a label hold its nodes' first names and surnames."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.graphs.schema import LabelKind, PropertyKind
from trellis.lexicon.names import read_name

_FIRST_NAMES = ("first name", "firstname", "given name", "given names", "forename")
_SURNAMES = ("surname", "last name", "lastname", "family name")


@dataclass(frozen=True, slots=True)
class FullName:
    """The properties of a label that hold its nodes' first names and surnames."""

    first: str
    surname: str


def find_full_name(kind: LabelKind) -> FullName | None:
    """The two properties of a label; None where it has no such two. Beside a surname, `name` is a
    first name, unless its values are several words."""
    said = {read_name(each.name).text: each for each in kind.properties}
    surname = next((said[word] for word in _SURNAMES if word in said), None)
    first = next((said[word] for word in _FIRST_NAMES if word in said), None)
    if first is None and "name" in said and _is_one_word(said["name"]):
        first = said["name"]
    return FullName(first.name, surname.name) if first and surname else None


def _is_one_word(kind: PropertyKind) -> bool:
    shown = [value for value in (*kind.values, *kind.examples) if isinstance(value, str)]
    return sum(" " in value for value in shown) * 2 <= len(shown)
