"""Whatever the language says, a real Neo4j plans: random sentences on several schemas."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bench.made.cypher_sentences import make_random_sentence, sample_values
from trellis.automata.cypher.grammar.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RENDERINGS
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.errors import TrellisError
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.reachable import ReachablePath, ReachablePaths
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.identifiers import quote_name
from trellis.domain.structures.cypher import CypherQuery
from trellis.graph.database.connection import GraphConnection
from trellis.graph.loading import load_graph
from trellis.graph.schema.live import read_live_schema
from trellis.settings import BUNDLED_GRAPH
from unit.automata.cypher.cinema import CINEMA
from unit.automata.cypher.cinema import VALUES as LINKED
from unit.automata.cypher.schemas import ODD
from unit.automata.cypher.shop import SHOP
from unit.automata.cypher.shop import VALUES as SHOP_VALUES

EACH = 60
"""So many sentences of each rendering are planned on each schema."""

MADE = {
    "STRING": "'a'",
    "INTEGER": "7",
    "FLOAT": "1.5",
    "BOOLEAN": "true",
    "DATE": "date('2020-02-29')",
    "LIST<STRING>": "['a']",
}


async def skeleton(connection: GraphConnection, schema: Schema) -> Schema:
    """A node of each label, a relationship of each kind; the schema as the database sees it."""
    for kind in schema.labels:
        made = ", ".join(f"{quote_name(p.name)}: {MADE[p.type]}" for p in kind.properties)
        await connection.run_write(f"CREATE (:{quote_name(kind.label)} {{{made}}})")
    for edge in schema.relationships:
        start, end = quote_name(edge.start_label), quote_name(edge.end_label)
        kinds = schema.relationship_properties.get(edge.type, ())
        made = ", ".join(f"{quote_name(p.name)}: {MADE[p.type]}" for p in kinds)
        await connection.run_write(
            f"MATCH (a:{start}) MATCH (b:{end}) WITH a, b LIMIT 1 "
            f"CREATE (a)-[:{quote_name(edge.type)} {{{made}}}]->(b)"
        )
    return await read_live_schema(connection)


def odd_schema() -> Schema:
    """Every odd name as a label, a type and a property."""
    names = [name for name in ODD if "\x00" not in name]
    types = list(MADE)
    labels = tuple(
        LabelKind(
            name,
            1,
            None,
            tuple(PropertyKind(p, types[(i + j) % 6]) for j, p in enumerate(names[i % 7 :: 7])),
        )
        for i, name in enumerate(names)
    )
    random = Random(5)
    kinds = {(kind, random.choice(names), random.choice(names)) for kind in names for _ in "ab"}
    edges = tuple(RelationshipKind(*kind, 1) for kind in sorted(kinds))
    return Schema(labels, edges, len(labels), len(edges), "odd")


async def refused(connection: GraphConnection, language: CypherLanguage) -> list[str]:
    """What the database will not plan of some random sentences, in both renderings.

    A sentence of the rendering `cypher` is planned as it stands too.
    """
    wrong = []
    for rendering in RENDERINGS:
        options = replace(language.options, rendering=rendering)
        known, values, groundings = language.known, language.linked_values, language.groundings
        spoken = CypherLanguage(known, values, options, groundings)
        for seed in range(EACH):
            _, state = make_random_sentence(spoken, Random(seed))
            queries = list(spoken.values(state))
            if rendering == "cypher":
                params = {value.name: value.stored.value for value in values}
                queries.append(CypherQuery(state.text.strip(), params))
            for query in queries:
                try:
                    await connection.read_rows(f"EXPLAIN {query.text}", **query.params)
                except TrellisError as error:
                    wrong.append(f"{state.text}: {query.text}: {error}")
    return wrong


async def all_planned(connection: GraphConnection, schema: Schema) -> None:
    values = number_values(await sample_values(connection, schema, Random(3)))
    assert values
    assert not await refused(connection, CypherLanguage(schema, values))


async def test_sentences_over_odd_names_plan(clean_graph: GraphConnection) -> None:
    schema = await skeleton(clean_graph, odd_schema())
    assert len(schema.labels) == len(odd_schema().labels)
    await all_planned(clean_graph, schema)


async def test_sentences_over_the_bundled_graph_plan_and_run(clean_graph: GraphConnection) -> None:
    await load_graph(clean_graph, BUNDLED_GRAPH)
    schema = await read_live_schema(clean_graph)
    await all_planned(clean_graph, schema)
    language = CypherLanguage(
        schema, number_values(await sample_values(clean_graph, schema, Random(4)))
    )
    for seed in range(30):
        _, state = make_random_sentence(language, Random(seed))
        if len(state.query.nodes) <= 3:
            (query,) = language.values(state)
            text = query.text if state.query.limit else f"{query.text}\nLIMIT 20"
            rows = await clean_graph.read_rows(text, **query.params)
            assert len(rows) <= 20


async def test_sentences_with_every_operator_plan(clean_graph: GraphConnection) -> None:
    schema = await skeleton(clean_graph, SHOP)
    assert schema.relationship_properties
    assert not await refused(clean_graph, CypherLanguage(schema, number_values(SHOP_VALUES)))


async def test_grounded_sentences_plan(clean_graph: GraphConnection) -> None:
    schema = await skeleton(clean_graph, CINEMA)
    paths = (
        ReachablePath((Step("ACTED_IN"),), ("Film",), 3, 2),
        ReachablePath((Step("KNOWS"),), ("Person",), 1, 1),
        ReachablePath((Step("KNOWS", True),), ("Person",), 1, 1),
        ReachablePath((Step("ACTED_IN"), Step("MADE_IN")), ("Country",), 3, 1),
    )
    values = number_values(LINKED[:1])
    grounding = [Grounding(0, ReachablePaths(paths), 2)]
    language = CypherLanguage(schema, values, groundings=grounding)
    assert not await refused(clean_graph, language)


async def test_values_of_every_type_are_compared(clean_graph: GraphConnection) -> None:
    """A date is found by the ISO text that it is linked by."""
    schema = await skeleton(clean_graph, CINEMA)
    values = number_values(await sample_values(clean_graph, schema, Random(1), 20))
    language = CypherLanguage(schema, values)
    for index, value in enumerate(values):
        stored = value.stored
        words = language.known.wording
        of = words.labels[stored.label], words.properties[stored.property]
        moves = [f" {word}" for word in ("list", *of, f"v{index}")]
        (query,) = language.values(follow_moves(language, moves))
        assert len(await clean_graph.read_rows(query.text, **query.params)) == 1
