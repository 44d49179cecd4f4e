"""The language of patterns (`automata/patterns`) as sections: its numbers, and its words."""

from __future__ import annotations

from trellis.automata.codec.sections import (
    LARGEST,
    TEXT,
    SectionReader,
    check_bytes,
    write_numbers,
    write_texts,
)
from trellis.automata.patterns.language import MOST_TRIPLES, PatternLanguage
from trellis.automata.patterns.words import PatternWords
from trellis.domain.errors import CodecError, InputError

MOST_MENTIONS = 10_000
MOST_TOKENS = 10_000


def write_patterns(language: PatternLanguage) -> list[bytes]:
    """The sections of a language of patterns."""
    relations, kinds = language.relations, language.kinds
    return [
        write_numbers([len(language.mentions), language.most_triples]),
        write_numbers([relations.free_tokens, kinds.free_tokens]),
        *(
            write_texts(texts)
            for words in (relations, kinds)
            for texts in (words.names, words.spans)
        ),
    ]


def read_patterns(reader: SectionReader) -> PatternLanguage:
    """The language that the sections describe; CodecError where they are not sound."""
    mentions, most_triples = reader.read_indices(LARGEST, 2).tolist()
    check_bytes(mentions <= MOST_MENTIONS, f"more than {MOST_MENTIONS:,} mentions")
    check_bytes(1 <= most_triples <= MOST_TRIPLES, "no such patterns")
    reader.spend_room(mentions * TEXT)
    free_relations, free_kinds = reader.read_indices(MOST_TOKENS, 2).tolist()
    relations = read_words(reader, free_relations)
    kinds = read_words(reader, free_kinds)
    return PatternLanguage(mentions, relations, kinds, most_triples=most_triples)


def read_words(reader: SectionReader, free_tokens: int) -> PatternWords:
    """The words of two sections: names, and spans."""
    names, spans = reader.read_texts(), reader.read_texts()
    try:
        return PatternWords(names, spans, free_tokens)
    except InputError as error:
        raise CodecError(f"the bytes are unusable: {error.problem}") from error
