"""The language of a few texts (`automata/one_of.py`) as one section: its texts."""

from __future__ import annotations

from trellis.automata.codec.sections import Reader, check, texts
from trellis.automata.one_of import OneOf


def write(language: OneOf) -> list[bytes]:
    """The section of the texts."""
    return [texts(language.texts)]


def read(reader: Reader) -> OneOf:
    """The language of the texts; CodecError where one is empty or repeated, or there is none."""
    choices = reader.texts()
    check(bool(choices) and "" not in choices, "a text to choose is missing")
    check(len(set(choices)) == len(choices), "a text to choose is there twice")
    return OneOf(choices)
