"""The language of a few texts (`automata/one_of.py`) as one section: its texts."""

from __future__ import annotations

from trellis.automata.codec.sections import SectionReader, check_bytes, write_texts
from trellis.automata.one_of import OneOf


def write_one_of(language: OneOf) -> list[bytes]:
    """The section of the texts."""
    return [write_texts(language.texts)]


def read_one_of(reader: SectionReader) -> OneOf:
    """The language of the texts; CodecError where one is empty or repeated, or there is none."""
    choices = reader.read_texts()
    check_bytes(bool(choices) and "" not in choices, "a text to choose is missing")
    check_bytes(len(set(choices)) == len(choices), "a text to choose is there twice")
    return OneOf(choices)
