"""The phrasebook of a live schema, built once for all schemas that differ in counts alone."""

from __future__ import annotations

from trellis.domain.graphs.schema import Schema
from trellis.lexicon.phrasebook import Phrasebook


def read_phrasebook(schema: Schema) -> Phrasebook:
    """The general lexicon for a schema; the first time takes a tenth of a second, so a service asks
    for it in a thread."""
    return schema.uncounted.derive(_build_phrasebook)


def _build_phrasebook(schema: Schema) -> Phrasebook:
    return Phrasebook.of_schema(schema)
