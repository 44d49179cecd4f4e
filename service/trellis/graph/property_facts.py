"""Checks that properties of nodes have the values that facts state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trellis.domain.graphs.facts import PropertyFact
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import is_reserved
from trellis.graph.gate.cells import convert_property

_VALUES = """
UNWIND range(0, size($facts) - 1) AS number
OPTIONAL MATCH (n) WHERE elementId(n) = $facts[number].node
RETURN number, n[$facts[number].key] AS value ORDER BY number
"""


async def check_property_facts(
    connection: GraphConnection, facts: Sequence[PropertyFact]
) -> list[bool]:
    """For each fact whether the node's property has its value now."""
    asked = [{"node": fact.node.id, "key": fact.key} for fact in facts]
    rows = await connection.read_rows(_VALUES, facts=asked) if asked else []
    return [
        not is_reserved(fact.key) and _states(fact, convert_property(row["value"]))
        for fact, row in zip(facts, rows, strict=True)
    ]


def _states(fact: PropertyFact, value: Any) -> bool:
    """Whether a value is what the fact says; of a passage, whether it stands there."""
    if isinstance(value, str) and isinstance(fact.value, str) and fact.length is not None:
        return fact.length == len(value) and value.startswith(fact.value, fact.start)
    return PropertyFact.of(fact.node, fact.key, value) == fact
