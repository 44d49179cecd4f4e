"""What questions read of a schema is built once for each of several graphs."""

from __future__ import annotations

import pickle
from dataclasses import replace

from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.steps.claims.known_words import read_untaught_words
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary, read_schema_vocabulary
from trellis.steps.retrieve.queries.prepare_schema import prepare_schema
from unit.automata.cypher.shop import SHOP

ONE, OTHER = replace(SHOP), replace(SHOP, labels=SHOP.labels[:1])


def test_two_graphs_asked_in_turn_keep_what_was_built_for_each() -> None:
    before = [(read_schema_vocabulary(each), read_untaught_words(each)) for each in (ONE, OTHER)]
    again = [(read_schema_vocabulary(each), read_untaught_words(each)) for each in (ONE, OTHER)]
    for (words, known), (same_words, same_known) in zip(before, again, strict=True):
        assert words is same_words
        assert known is same_known


def test_a_prepared_schema_leaves_nothing_to_build_to_questions() -> None:
    schema = replace(SHOP)
    prepare_schema(schema)
    assert schema.uncounted.has_derived(SchemaVocabulary)
    assert schema.has_derived(IndexedSchema)


def test_what_was_built_neither_travels_with_a_schema_nor_tells_schemas_apart() -> None:
    schema = replace(SHOP)
    prepare_schema(schema)
    copied = pickle.loads(pickle.dumps(schema))
    assert copied == schema == SHOP
    assert not copied.uncounted.has_derived(SchemaVocabulary)
