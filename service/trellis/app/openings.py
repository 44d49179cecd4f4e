"""Questions to begin with: those of the graph's file, and one for each kind of relationship.

The latter are made of relationships that the live graph has, so each has an answer in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.graphs.graph import Node, Step
from trellis.domain.graphs.schema import RelationshipKind, Schema
from trellis.domain.identifiers import quote_name
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import CypherQuery, QueryLimits
from trellis.graph.configuration import read_graph_config
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plain_questions import write_plain_question
from trellis.lexicon.schema_phrasebook import read_phrasebook
from trellis.wire.openings import KindExampleBody, OpeningsBody

_MOST_KINDS, _MOST_STARTERS = 60, 8
_AT_ONCE = 4  # queries for examples that run side by side
_TOPICS, _SECONDS = 25, 2.0  # limits of one query
_NAME_LENGTHS = range(3, 61)

_HEADS = "MATCH (head{head})-[:{type}]->({tail}) RETURN head LIMIT {limit}"


async def list_openings(trellis_app: TrellisApp) -> OpeningsBody:
    """Questions to begin with, and an example for each of the most frequent kinds of
    relationship."""
    schema = await trellis_app.graph.schema()
    book = await asyncio.to_thread(read_phrasebook, schema)
    kinds = sorted(schema.relationships, key=lambda kind: -kind.count)[:_MOST_KINDS]
    turns = asyncio.Semaphore(_AT_ONCE)

    async def make_example(kind: RelationshipKind) -> KindExampleBody | None:
        async with turns:
            topic = await _find_topic(trellis_app.queries, kind)
        return _build_example(book, kind, topic) if topic else None

    examples = [it for it in await asyncio.gather(*map(make_example, kinds)) if it]
    own = [it.question for it in read_graph_config(trellis_app.settings.graph_config).examples]
    return OpeningsBody(starters=_choose_starters(own, examples, book, schema), kinds=examples)


async def _find_topic(queries: Queries, kind: RelationshipKind) -> Node | None:
    """Of the first nodes with such a relationship the one with the shortest name; None where none
    has a name that a question can hold, or where the search fails."""
    query = _HEADS.format(
        head=_write_label(kind.start_label),
        type=quote_name(kind.type),
        tail=_write_label(kind.end_label),
        limit=_TOPICS,
    )
    try:
        rows = await queries.run(CypherQuery(query), QueryLimits(_TOPICS, _SECONDS))
    except (QueryError, RefusedQueryError, GraphTimeoutError):
        return None
    nodes = [cell for row in rows.rows for cell in row if isinstance(cell, Node)]
    sayable = [node for node in nodes if _is_sayable(node)]
    return min(sayable, key=lambda node: (len(node.name), node.name), default=None)


def _write_label(label: str) -> str:
    return f":{quote_name(label)}" if label else ""


def _is_sayable(node: Node) -> bool:
    """Whether a node has a name that a question can hold."""
    return node.has_name and node.name.isprintable() and len(node.name) in _NAME_LENGTHS


def _build_example(book: Phrasebook, kind: RelationshipKind, topic: Node) -> KindExampleBody:
    step = Step(kind.type)
    return KindExampleBody(
        type=kind.type,
        start_label=kind.start_label,
        end_label=kind.end_label,
        question=write_plain_question(book, step, topic.name, kind.end_label or None),
    )


def _choose_starters(
    own: Sequence[str], examples: Sequence[KindExampleBody], book: Phrasebook, schema: Schema
) -> list[str]:
    """The questions of the graph's file; else examples of different kinds of topics and answers,
    well worded ones first."""
    if own:
        return [*own[:_MOST_STARTERS]]
    counts = {label.label: label.count for label in schema.labels}
    ranked = sorted(
        examples,
        key=lambda it: (not book.knows_step(Step(it.type)), -counts.get(it.end_label, 0)),
    )
    chosen: dict[str, KindExampleBody] = {}
    for example in ranked:
        chosen.setdefault(example.end_label, example)
    return [it.question for it in list(chosen.values())[:_MOST_STARTERS]]
