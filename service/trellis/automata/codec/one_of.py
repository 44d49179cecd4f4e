"""One of a few texts (`automata/one_of.py`) as a section: the texts."""

from __future__ import annotations

from trellis.automata.codec.sections import Reader, check, texts
from trellis.automata.one_of import OneOf


def write(language: OneOf) -> list[bytes]:
    """The section of the texts."""
    return [texts(language.texts)]


def read(reader: Reader) -> OneOf:
    """The language of some texts; CodecError where one is empty, or there twice."""
    found = reader.texts()
    check(bool(found) and "" not in found, "a text to choose is missing")
    check(len(set(found)) == len(found), "a text to choose is there twice")
    return OneOf(found)
