"""Names of labels, relationship types and properties: quoted for Cypher, and split into words."""

from __future__ import annotations

import re

_BETWEEN_WORDS = re.compile(
    r"[\W_]+"  # place_of_birth, people/person
    r"|(?<=[^\W_A-Z])(?=[A-Z])"  # birthPlace
    r"|(?<=[A-Z])(?=[A-Z][a-z])"  # HTTPServer
)

_BETWEEN_NAMESPACES = re.compile(r"(#|/|__|:|\.)")


def split_identifier(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, the same for `PLACE_OF_BIRTH` and `placeOfBirth`.

    Empty for a name of punctuation alone.
    """
    return tuple(word.lower() for word in _BETWEEN_WORDS.split(name) if word)


def split_namespaces(name: str) -> tuple[str, ...]:
    """The parts of a name that are joined as namespaces: `people`, `person` and `gender` of
    `people.person.gender`, `__people__person__gender` and `/people/person/gender`.

    The whole name where it has none; never empty parts.
    """
    return tuple(filter(None, _BETWEEN_NAMESPACES.split(name)[::2])) or (name,)


def put_last_first(name: str) -> str:
    """A name with the parts of its namespaces in reverse, as its last part says most of it:
    `gender.person.people`. Different names stay different."""
    turned = _turn_name(name)
    return turned if _turn_name(turned) == name else name


def _turn_name(name: str) -> str:
    return "".join(reversed(_BETWEEN_NAMESPACES.split(name)))


def quote_name(name: str) -> str:
    """`name` as a Cypher identifier: in backticks, with backticks inside doubled.

    Cypher resolves unicode escapes before anything else, so a backslash with `u0060` behind it
    would end the identifier. Backslashes are therefore written as unicode escapes themselves.
    """
    return "`" + name.replace("\\", "\\u005c").replace("`", "``") + "`"
