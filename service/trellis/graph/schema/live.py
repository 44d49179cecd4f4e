"""The live schema, cheap on any size: counted where that is free or small, else sampled.

A few dozen queries at most in a graph of ordinary width, in about seven rounds; with 1,000
relationship types about a hundred, four at a time. No query looks at every node of a large label
or at every relationship of a large graph.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from trellis.domain.schema import LabelKind, PropertyKind, Schema
from trellis.graph.connection import GraphConnection
from trellis.graph.schema.pairs import read_pairs
from trellis.graph.schema.properties import node_properties, relationship_properties
from trellis.graph.schema.tokens import read_tokens
from trellis.graph.state import read_state


async def live_schema(connection: GraphConnection) -> Schema:
    """Labels, relationship types with their ends, properties; nothing of ours.

    The fingerprint covers names, types and pairs, not counts and values.
    """
    state, tokens = await asyncio.gather(read_state(connection), read_tokens(connection))
    properties, pairs = await asyncio.gather(
        node_properties(connection, tokens), read_pairs(connection, tokens)
    )
    labels = tuple(
        LabelKind(name, count, state.naming.get(name), properties.get(name, ()))
        for name, count in tokens.labels.items()
    )
    schema = Schema(
        labels,
        pairs.kinds,
        tokens.nodes,
        tokens.edges,
        "",
        await relationship_properties(connection, pairs.having, tokens),
        estimated=pairs.estimated,
    )
    return fingerprinted(schema)


def fingerprinted(schema: Schema) -> Schema:
    """The same with the fingerprint of what it names."""
    labels = [[kind.label, kind.naming, _typed(kind.properties)] for kind in schema.labels]
    ends = [[kind.type, kind.start_label, kind.end_label] for kind in schema.relationships]
    on_types = {kind: _typed(those) for kind, those in schema.relationship_properties.items()}
    text = json.dumps([labels, ends, on_types, _sorted(schema.synonyms)], sort_keys=True)
    return replace(schema, fingerprint=sha256(text.encode()).hexdigest()[:16])


def _typed(properties: tuple[PropertyKind, ...]) -> list[list[str]]:
    return [[kind.name, kind.type] for kind in properties]


def _sorted(synonyms: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {name: sorted(those) for name, those in synonyms.items()}
