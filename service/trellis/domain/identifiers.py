"""Names of labels, relationship types and properties: quoted for Cypher, and split into words."""

from __future__ import annotations

import re

_BETWEEN_WORDS = re.compile(
    r"[\W_]+"  # place_of_birth, people/person
    r"|(?<=[^\W_A-Z])(?=[A-Z])"  # birthPlace
    r"|(?<=[A-Z])(?=[A-Z][a-z])"  # HTTPServer
)

_SEPARATORS = ("#", "/", "__", ":", ".")
"""What stands between the namespaces of a name; the first that occurs does."""


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
    return tuple(filter(None, _cut_name(name)[1])) or (name,)


def put_last_first(name: str) -> str:
    """A name with the parts of its namespaces in reverse, as its last part says most of it:
    `gender.person.people`. Different names stay different."""
    turned = _turn_name(name)
    return turned if _turn_name(turned) == name else name


def _turn_name(name: str) -> str:
    separator, parts = _cut_name(name)
    return separator.join(reversed(parts))


def _cut_name(name: str) -> tuple[str, list[str]]:
    """The separator of a name's namespaces, and the parts between."""
    separator = next((each for each in _SEPARATORS if each in name), "")
    return separator, name.split(separator) if separator else [name]


def quote_name(name: str) -> str:
    """`name` as a Cypher identifier: in backticks, with backticks inside doubled.

    Cypher resolves unicode escapes before anything else, so a backslash with `u0060` behind it
    would end the identifier. Backslashes are therefore written as unicode escapes themselves.
    """
    return "`" + name.replace("\\", "\\u005c").replace("`", "``") + "`"
