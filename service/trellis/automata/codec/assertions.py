"""The language of assertions (`automata/assertions`) as sections: its numbers, and its words."""

from __future__ import annotations

from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.codec.patterns import MOST_MENTIONS, MOST_TOKENS, read_words
from trellis.automata.codec.sections import (
    LARGEST,
    SectionReader,
    check_bytes,
    write_numbers,
    write_texts,
)
from trellis.domain.structures.decompositions import MOST_ASSERTIONS


def write_assertions(language: AssertionLanguage) -> list[bytes]:
    """The sections of a language of assertions."""
    words = language.words
    return [
        write_numbers([language.mentions, language.most_assertions]),
        write_numbers([words.free_tokens]),
        write_texts(words.names),
        write_texts(words.spans),
    ]


def read_assertions(reader: SectionReader) -> AssertionLanguage:
    """The language that the sections describe; CodecError where they are not sound."""
    mentions, most = reader.read_indices(LARGEST, 2).tolist()
    check_bytes(mentions <= MOST_MENTIONS, f"more than {MOST_MENTIONS:,} mentions")
    check_bytes(1 <= most <= MOST_ASSERTIONS, "no such assertions")
    [free] = reader.read_indices(MOST_TOKENS, 1).tolist()
    return AssertionLanguage(mentions, read_words(reader, free), most_assertions=most)
