"""Builds what questions read of a schema, which takes a tenth of a second of processor or more.

Whoever reads a schema for a running service has this done in a thread, so that no question builds
it on the event loop.
"""

from __future__ import annotations

from trellis.automata.cypher.words.indexed_schema import index_schema
from trellis.domain.graphs.schema import Schema
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary


def prepare_schema(schema: Schema) -> None:
    """Have the label words and the index of a schema built, unless they are kept already."""
    read_schema_vocabulary(schema)
    index_schema(schema)
