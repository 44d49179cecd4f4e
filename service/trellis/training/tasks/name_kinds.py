"""What questions made from a schema need to know of the graph's data.

What the names of its nodes are linked to (a river and a country may share one), and of which
relationships the direction says little.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence

from trellis.domain.errors import TrellisError
from trellis.domain.graphs.schema import Schema
from trellis.domain.identifiers import quote_name
from trellis.domain.structures.cypher import CypherQuery, QueryLimits
from trellis.questions.row import QuestionRow
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.link.values.value_mentions import (
    ValueKind,
    is_scattered,
    list_kinds,
    merge_mentions,
)
from trellis.steps.retrieve.queries.retrieve_queries import link_task_values
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.means import TrainingContext
from trellis.training.synthesis.name_mentions import NameKinds

_SAMPLE = 30  # values of a property
_CHECKED = 2_000  # relationships of a type
_MOST_PROPERTIES = 60
_AT_ONCE = 8


async def find_name_kinds(
    means: TrainingContext, schema: Schema, settings: CypherSettings
) -> NameKinds:
    """For values of a sample, by label and property: the kinds that answering links them to."""
    texts = [
        (kind.label, property_kind.name)
        for kind in schema.labels
        for property_kind in kind.properties
        if kind.label and property_kind.type == "STRING"
    ]
    turn = asyncio.Semaphore(_AT_ONCE)

    async def link(value: str) -> tuple[ValueKind, ...]:
        async with turn:
            mentions = merge_mentions(
                await link_task_values(value, means.graph, settings, means.embedder), schema
            )
        whole = (m for m in mentions if m.end - m.start == len(value) and not is_scattered(m))
        return next((list_kinds(mention) for mention in whole), ())

    kinds: dict[ValueKind, list[tuple[ValueKind, ...]]] = defaultdict(list)
    naming = {kind.label: kind.naming for kind in schema.labels}
    for label, name in texts[:_MOST_PROPERTIES]:
        for linked_kinds in await asyncio.gather(
            *map(link, await _read_values(means, label, name))
        ):
            for own in dict.fromkeys(((label, name), (label, naming[label] or ""))):
                if own in linked_kinds:
                    kinds[own].append(linked_kinds)
    return kinds


async def find_symmetric_types(means: TrainingContext, schema: Schema) -> frozenset[str]:
    """The relationship types of which each relationship has one that runs back."""
    types = dict.fromkeys(k.type for k in schema.relationships if k.start_label == k.end_label)
    checked = {name: await _is_symmetric(means, name) for name in types}
    return frozenset(name for name, is_both_ways in checked.items() if is_both_ways)


def find_undirected_types(questions: Sequence[QuestionRow], schema: Schema) -> frozenset[str]:
    """The relationship types between nodes of one label that given queries never direct."""
    alike = {kind.type for kind in schema.relationships if kind.start_label == kind.end_label}
    meanings = [read_meaning(CypherQuery(asked.cypher)) for asked in questions if asked.cypher]
    edges = [edge for each in meanings if each for edge in each.graph.edges if edge.type in alike]
    directed = {edge.type for edge in edges if edge.direction != "any"}
    return frozenset(edge.type for edge in edges) - directed


async def _is_symmetric(means: TrainingContext, name: str) -> bool:
    type_ = quote_name(name)
    text = (
        f"MATCH (a)-[:{type_}]->(b) WITH a, b LIMIT {_CHECKED} "
        f"WITH CASE WHEN EXISTS {{ (b)-[:{type_}]->(a) }} THEN 1 ELSE 0 END AS returns "
        "RETURN count(returns) AS counted, sum(returns) AS returning"
    )
    try:
        rows = await means.queries.run(CypherQuery(text), QueryLimits(rows=1))
    except TrellisError:
        return False
    [[counted, returning]] = rows.rows
    return bool(counted) and counted == returning


async def _read_values(means: TrainingContext, label: str, name: str) -> Sequence[str]:
    """Some values of a property, spread over all; none where they cannot be read."""
    value = f"n.{quote_name(name)}"
    text = (
        f"MATCH (n:{quote_name(label)}) WHERE {value} IS NOT NULL "
        f"WITH DISTINCT {value} AS value ORDER BY reverse(toString(value)) LIMIT {_SAMPLE} "
        "RETURN value"
    )
    try:
        rows = await means.queries.run(CypherQuery(text), QueryLimits(rows=_SAMPLE))
    except TrellisError:
        return ()
    return [row[0] for row in rows.rows if isinstance(row[0], str)]
