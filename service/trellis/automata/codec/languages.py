"""Languages as bytes: the name of a kind of language, and the sections that the kind writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.chains.language import ChainLanguage
from trellis.automata.codec import (
    assertions,
    chains,
    cypher,
    one_of,
    patterns,
    schema_graphs,
    walks,
)
from trellis.automata.codec.frame import ROOM, close_frame, open_frame
from trellis.automata.codec.sections import SectionReader, check_bytes, write_text
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.language import Language
from trellis.automata.one_of import OneOf
from trellis.automata.paths.walks import Walks
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.schema_graphs.language import SchemaGraphLanguage
from trellis.domain.errors import CodecError

_MAGIC = b"TRL\x07"


@dataclass(frozen=True, slots=True)
class LanguageCodec:
    """How one kind of language is written as sections and read from them.

    `language`: its class. `write` and `read` raise CodecError; `read` checks all that it uses.
    """

    language: type
    write: Callable[[Any], list[bytes]]
    read: Callable[[SectionReader], Any]


LANGUAGE_CODECS = {
    "walks": LanguageCodec(Walks, walks.write_walks, walks.read_walks),
    "cypher": LanguageCodec(CypherLanguage, cypher.write_cypher, cypher.read_cypher),
    "patterns": LanguageCodec(PatternLanguage, patterns.write_patterns, patterns.read_patterns),
    "chains": LanguageCodec(ChainLanguage, chains.write_chains, chains.read_chains),
    "assertions": LanguageCodec(
        AssertionLanguage, assertions.write_assertions, assertions.read_assertions
    ),
    "schema_graphs": LanguageCodec(
        SchemaGraphLanguage,
        schema_graphs.write_schema_graphs,
        schema_graphs.read_schema_graphs,
    ),
    "one_of": LanguageCodec(OneOf, one_of.write_one_of, one_of.read_one_of),
}
"""The codecs by the name that stands in the bytes."""


def encode_language(language: Language[Any, Any]) -> bytes:
    """The bytes that `decode_language` reads; languages built from equal parts give equal bytes.

    Raises CodecError for a kind of language without a codec, and for values that it cannot write.
    """
    for name, kind in LANGUAGE_CODECS.items():
        if isinstance(language, kind.language):
            return close_frame(_MAGIC, [write_text(name), *kind.write(language)])
    raise CodecError(f"a language of kind {type(language).__name__} does not travel")


def decode_language(data: bytes, room: int = ROOM) -> Language[Any, Any]:
    """A language with exactly the sentences of the encoded one.

    Its values hold indices in place of ids and values that no sentence contains; only the encoding
    side can resolve them. Raises CodecError for bytes that `encode_language` did not write, and
    for a language that would take more than about `room` bytes of memory.
    """
    reader = SectionReader(open_frame(_MAGIC, data, room), room)
    name = reader.read_text()
    check_bytes(name in LANGUAGE_CODECS, f"a language of an unknown kind, {name[:40]!r}")
    language: Language[Any, Any] = LANGUAGE_CODECS[name].read(reader)
    reader.check_end()
    return language


def language_hash(data: bytes) -> str:
    """The hash of an encoded language's bytes, which names it: 32 hexadecimal digits."""
    return blake2b(data, digest_size=16).hexdigest()
