"""Names of labels, relationship types and properties: quoted for Cypher, and split into words."""

from __future__ import annotations

import re

_BETWEEN_WORDS = re.compile(
    r"[\W_]+"  # place_of_birth, people/person
    r"|(?<=[^\W_A-Z])(?=[A-Z])"  # birthPlace
    r"|(?<=[A-Z])(?=[A-Z][a-z])"  # HTTPServer
)


def split_identifier(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, the same for `PLACE_OF_BIRTH` and `placeOfBirth`.

    Empty for a name of punctuation alone.
    """
    return tuple(word.lower() for word in _BETWEEN_WORDS.split(name) if word)


def quote_name(name: str) -> str:
    """`name` as a Cypher identifier: in backticks, with backticks inside doubled.

    Cypher resolves unicode escapes before anything else, so a backslash with `u0060` behind it
    would end the identifier. Backslashes are therefore written as unicode escapes themselves.
    """
    return "`" + name.replace("\\", "\\u005c").replace("`", "``") + "`"
