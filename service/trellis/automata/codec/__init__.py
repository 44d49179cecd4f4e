"""Languages and neighbourhoods as bytes: what travels to a worker, and what lies in files.

    frame            the outermost layer: what the bytes are, and whether they are whole
    sections         numbers and texts within the frame
    starts           where walks and chains may start
    languages        any language, by its kind
    walks            the KG-Trie
    cypher           the language of Cypher
    patterns         the language of patterns
    chains           chains of triples, and what they grow by
    assertions       the language of assertions
    schema_graphs    the language of schema graphs
    one_of           one of a few texts
    neighbourhoods   neighbourhoods, for files

Nothing is believed: sizes are checked against the bytes that are there and against `room` before
anything is made of them, and indices against what they point into. The digest finds damage, not
malice. Used by the engines, the worker and the files of neighbourhoods; others need `languages`
alone, by the three functions below.
"""

from trellis.automata.codec.languages import decode_language, encode_language, language_hash

__all__ = ["decode_language", "encode_language", "language_hash"]
