"""Reads the live schema of a graph of any size: small graphs whole, larger ones by samples.

It takes about ten queries, and one more for every twenty labels and types, at most four at a time.
A graph of up to 100,000 nodes and 200,000 relationships is read whole. Of a larger one, a query
reads at most 30,000 nodes or relationships, or 500 of a rare kind.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from trellis.domain.graphs.graph_config import GraphConfig
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.state import read_state
from trellis.graph.schema.pairs import read_pairs
from trellis.graph.schema.properties import read_property_kinds
from trellis.graph.schema.sampling import EXTENTS, Entity, Extent, draw_sample
from trellis.graph.schema.tokens import read_schema_tokens


async def read_live_schema(
    connection: GraphConnection,
    config: GraphConfig | None = None,
    extents: Mapping[Entity, Extent] = EXTENTS,
) -> Schema:
    """Labels, relationship types with their ends, and properties, without reserved or hidden ones.

    The fingerprint covers names, types and pairs, not counts and values.
    """
    state, tokens = await asyncio.gather(read_state(connection), read_schema_tokens(connection))
    nodes, edges = await asyncio.gather(
        draw_sample(connection, "NODE", tokens.nodes, extents["NODE"]),
        draw_sample(connection, "RELATIONSHIP", tokens.edges, extents["RELATIONSHIP"]),
    )
    properties, on_types, (pairs, estimated) = await asyncio.gather(
        read_property_kinds(connection, nodes, tokens.labels, tokens),
        read_property_kinds(connection, edges, tokens.types, tokens),
        read_pairs(connection, edges, tokens),
    )
    labels = tuple(
        LabelKind(name, count, state.naming.get(name), properties.get(name, ()))
        for name, count in tokens.labels.items()
    )
    schema = Schema(
        labels,
        pairs,
        tokens.nodes,
        tokens.edges,
        "",
        on_types,
        estimated=estimated,
    )
    return add_fingerprint((config or GraphConfig()).apply_to_schema(schema))


def add_fingerprint(schema: Schema) -> Schema:
    """The schema with the fingerprint of its names, types and pairs."""
    labels = [[kind.label, kind.naming, _list_types(kind.properties)] for kind in schema.labels]
    ends = [[kind.type, kind.start_label, kind.end_label] for kind in schema.relationships]
    on_types = {kind: _list_types(known) for kind, known in schema.relationship_properties.items()}
    text = json.dumps([labels, ends, on_types, _sort_synonyms(schema.synonyms)], sort_keys=True)
    return replace(schema, fingerprint=sha256(text.encode()).hexdigest()[:16])


def _list_types(properties: tuple[PropertyKind, ...]) -> list[list[str]]:
    return [[kind.name, kind.type] for kind in properties]


def _sort_synonyms(synonyms: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {name: sorted(texts) for name, texts in synonyms.items()}
