"""Makes indexes, waits until Neo4j has built them, and tells how far it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from trellis.domain.errors import GraphError
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import NOWHERE
from trellis.graph.database.progress import Progress, ignore_progress

_LIST = """
SHOW INDEXES YIELD name, state, populationPercent WHERE name STARTS WITH '_trellis'
RETURN name, state, populationPercent AS percent
"""
_INDEXED = """
SHOW FULLTEXT INDEXES YIELD name, labelsOrTypes, properties WHERE name = $name
RETURN labelsOrTypes AS labels, properties
"""
_CREATE_TEXT_INDEX = """
CREATE FULLTEXT INDEX {name} IF NOT EXISTS FOR (n:{labels}) ON EACH [{properties}]
OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{analyzer}'}}}}
"""
_CREATE_VECTOR_INDEX = """
CREATE VECTOR INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n._trellis_vector)
OPTIONS {{indexConfig: {{`vector.dimensions`: $dimensions,
                        `vector.similarity_function`: 'cosine'}}}}
"""
_BETWEEN_LOOKS = 0.5, 5.0  # seconds, at first and at most


async def make_text_index(
    connection: GraphConnection, name: str, analyzer: str, kinds: Iterable[tuple[str, str]]
) -> None:
    """Make one full-text index over properties of labels (label, property), which all of the labels
    are searched by; anew where labels or properties changed, and none where there are none.

    Neo4j has one full-text index at most over the same labels and properties, whatever its name.
    A property that no node has keeps ours apart from those of the user.
    """
    pairs = list(kinds)
    labels = sorted({label for label, _ in pairs})
    names = sorted({NOWHERE, *(property_ for _, property_ in pairs)})
    rows = await connection.run_command(_INDEXED, name=name)
    if [(sorted(row["labels"]), sorted(row["properties"])) for row in rows] == [(labels, names)]:
        return
    await connection.run_command(f"DROP INDEX {name} IF EXISTS")
    if pairs:
        query = _CREATE_TEXT_INDEX.format(
            name=name,
            analyzer=analyzer,
            labels="|".join(map(quote_name, labels)),
            properties=", ".join(f"n.{quote_name(each)}" for each in names),
        )
        await connection.run_command(query)


async def make_vector_index(
    connection: GraphConnection, name: str, label: str, dimensions: int
) -> None:
    """Make the index over the vectors that nodes of a label of ours have, unless it is there."""
    query = _CREATE_VECTOR_INDEX.format(name=name, label=label)
    await connection.run_command(query, dimensions=dimensions)


async def wait_for_indexes(
    connection: GraphConnection, progress: Progress = ignore_progress
) -> None:
    """Wait for all indexes of ours, as long as it takes; Neo4j goes on with them after a restart.

    Raises GraphError for one that cannot be built.
    """
    pause, most = _BETWEEN_LOOKS
    while True:
        rows = await connection.run_command(_LIST)
        if failed := [row["name"] for row in rows if row["state"] == "FAILED"]:
            raise GraphError(
                f"Neo4j could not build the index {failed[0]}",
                "its log says why; `trellis index --remove` and `trellis index` build it anew",
            )
        building = [row["percent"] for row in rows if row["state"] != "ONLINE"]
        if not building:
            return
        done = 100 * (len(rows) - len(building)) + sum(building)
        progress("text indexes", int(done / len(rows)), 100)
        await asyncio.sleep(pause)
        pause = min(most, 2 * pause)
