"""Languages as bytes, by kind: a name in front of the sections that the kind writes and reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from trellis.automata.codec import cypher, one_of, walks
from trellis.automata.codec.frame import ROOM, closed, opened
from trellis.automata.codec.sections import Reader, check, text
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.language import Language
from trellis.automata.one_of import OneOf
from trellis.automata.walks import Walks
from trellis.domain.errors import CodecError

_MAGIC = b"TRL\x02"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of language: the class it is, and its sections, written and read.

    `write` and `read` raise CodecError; `read` believes nothing.
    """

    language: type
    write: Callable[[Any], list[bytes]]
    read: Callable[[Reader], Any]


KINDS = {
    "walks": Kind(Walks, walks.write, walks.read),
    "cypher": Kind(CypherLanguage, cypher.write, cypher.read),
    "one_of": Kind(OneOf, one_of.write, one_of.read),
}
"""By the name that travels."""


def encode_language(language: Language[Any, Any]) -> bytes:
    """The bytes that `decode_language` reads; equal ones for languages that are made alike.

    Raises CodecError for a kind that does not travel, and for what cannot be written.
    """
    for name, kind in KINDS.items():
        if isinstance(language, kind.language):
            return closed(_MAGIC, [text(name), *kind.write(language)])
    raise CodecError(f"a language of kind {type(language).__name__} does not travel")


def decode_language(data: bytes, room: int = ROOM) -> Language[Any, Any]:
    """A language that says exactly what the encoded one says.

    Its values name by index what the sentences do not say: they are for whoever encoded it. Raises
    CodecError for whatever `encode_language` did not write, and for what takes more than about
    `room` bytes of memory.
    """
    reader = Reader(opened(_MAGIC, data, room), room)
    name = reader.text()
    check(name in KINDS, f"a language of an unknown kind, {name[:40]!r}")
    found: Language[Any, Any] = KINDS[name].read(reader)
    reader.end()
    return found


def language_hash(data: bytes) -> str:
    """What an encoded language is called: the hash of its bytes, 32 hexadecimal digits."""
    return blake2b(data, digest_size=16).hexdigest()
