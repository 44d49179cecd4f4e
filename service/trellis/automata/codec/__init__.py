"""Languages and neighbourhoods as bytes: what travels to a worker, and what lies in files.

    frame    magic (4, its last byte the version) | digest of what follows (16) | size of the body
             unpacked (8) | body, packed by zlib
    body     sections in a fixed order; all numbers little endian
    numbers  bytes each takes: 1, 2, 4 or 8 (1) | count (4) | the numbers, unsigned
    texts    what all begin with (numbers of 1 byte) | lengths without it, in characters (numbers)
             | the rest of all texts, one after the other, in UTF-8 (numbers of 1 byte)

Nothing is believed: sizes are checked against the bytes that are there and against `room` before
anything is made of them, indices against what they point into. The digest finds damage, not malice.
"""

from trellis.automata.codec.languages import decode_language, encode_language, language_hash

__all__ = ["decode_language", "encode_language", "language_hash"]
