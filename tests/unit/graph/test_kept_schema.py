"""A graph keeps the vocabulary of its schema for as long as its names, types and values stay."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace

from trellis.domain.graphs.schema import LabelKind, Schema
from trellis.graph.database.connection import GraphVersion
from trellis.graph.kept import KeptSchema
from trellis.models.reader.moves import SchemaMoves
from trellis.steps.align.general_words import read_general_words
from trellis.steps.claims.known_words import read_untaught_words
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary, read_schema_vocabulary
from trellis.steps.retrieve.queries.prepare_schema import prepare_schema
from unit.automata.cypher.shop import SHOP


class GrowingGraph:
    """A graph whose schema is read anew after each commit, two seconds later."""

    def __init__(
        self, schema: Schema = SHOP, prepare: Callable[[Schema], object] = prepare_schema
    ) -> None:
        self.schema, self.commits = schema, 0
        self.kept = KeptSchema(self._version, self._read, prepare, lambda: 2.0 * self.commits)

    def add_nodes(self) -> None:
        """A commit that adds a node of each label, and a relationship of each kind."""
        old = self.schema
        labels = tuple(replace(kind, count=kind.count + 1) for kind in old.labels)
        kinds = tuple(replace(kind, count=kind.count + 1) for kind in old.relationships)
        self.change(replace(old, labels=labels, relationships=kinds, nodes=old.nodes + 9))

    def change(self, schema: Schema) -> None:
        self.schema = schema
        self.commits += 1

    async def _version(self) -> GraphVersion:
        return GraphVersion("store", (f"bookmark {self.commits}",))

    async def _read(self) -> Schema:
        return replace(self.schema)


async def list_vocabulary(graph: GrowingGraph) -> list[object]:
    """All that questions and claims read of the schema's names."""
    schema = await graph.kept.get()
    words = read_schema_vocabulary(schema), read_general_words(schema), read_untaught_words(schema)
    return [*words, schema.uncounted.derive(SchemaMoves)]


def are_same(some: list[object], others: list[object]) -> bool:
    return all(one is other for one, other in zip(some, others, strict=True))


async def test_a_graph_to_which_nodes_are_added_keeps_its_vocabulary() -> None:
    graph = GrowingGraph()
    before = await list_vocabulary(graph)
    graph.add_nodes()
    assert (await graph.kept.get()).labels[0].count == SHOP.labels[0].count + 1
    assert are_same(await list_vocabulary(graph), before)


async def test_two_growing_graphs_in_turn_build_their_vocabulary_once() -> None:
    shop = GrowingGraph()
    part = GrowingGraph(replace(SHOP, labels=SHOP.labels[:1]))
    before = [await list_vocabulary(each) for each in (shop, part)]
    for _ in range(3):
        for graph, words in zip((shop, part), before, strict=True):
            graph.add_nodes()
            assert are_same(await list_vocabulary(graph), words)
    assert not are_same(before[0], before[1])


async def test_a_new_label_is_in_the_vocabulary_at_once() -> None:
    graph = GrowingGraph()
    assert not read_schema_vocabulary(await graph.kept.get()).find_labels("zebras")
    graph.change(replace(SHOP, labels=(*SHOP.labels, LabelKind("Zebra", 3, "name"))))
    assert read_schema_vocabulary(await graph.kept.get()).find_labels("zebras") == {"Zebra"}


async def test_a_new_value_is_read_anew() -> None:
    """Values say what a phrase may mean: what is `idle` may have that status."""
    label = SHOP.labels[0]
    kinds = (replace(label.properties[0], values=("idle",)), *label.properties[1:])
    graph = GrowingGraph()
    before = read_schema_vocabulary(await graph.kept.get())
    graph.change(replace(SHOP, labels=(replace(label, properties=kinds), *SHOP.labels[1:])))
    assert read_schema_vocabulary(await graph.kept.get()) is not before


async def test_first_questions_at_once_build_it_once_and_off_the_event_loop() -> None:
    prepared: list[Schema] = []
    threads: set[int] = set()

    def prepare(schema: Schema) -> None:
        prepared.append(schema)
        threads.add(threading.get_ident())
        prepare_schema(schema)

    graph = GrowingGraph(prepare=prepare)
    given = await asyncio.gather(*(graph.kept.get() for _ in range(8)))
    assert prepared == given[:1]
    assert threading.get_ident() not in threads
    assert given[0].uncounted.has_derived(SchemaVocabulary)


def test_nobody_waits_for_what_is_built_of_another_graph_or_by_another_function() -> None:
    one, other = replace(SHOP), replace(SHOP)
    has_begun, may_end = threading.Event(), threading.Event()

    def build_slowly(schema: Schema) -> str:
        has_begun.set()
        return schema.fingerprint if may_end.wait(20) else "nothing else was built meanwhile"

    results: list[str] = []
    slow = threading.Thread(target=lambda: results.append(one.derive(build_slowly)))
    slow.start()
    has_begun.wait()
    read_schema_vocabulary(other)
    read_schema_vocabulary(one)
    may_end.set()
    slow.join()
    assert results == [SHOP.fingerprint]
