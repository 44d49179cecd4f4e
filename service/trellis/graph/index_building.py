"""Waits until Neo4j has built its indexes, and tells how far it is."""

from __future__ import annotations

import asyncio

from trellis.domain.errors import GraphError
from trellis.graph.connection import GraphConnection
from trellis.graph.progress import Progress, ignore_progress

_LIST = """
SHOW INDEXES YIELD name, state, populationPercent WHERE name STARTS WITH '_trellis'
RETURN name, state, populationPercent AS percent
"""
_BETWEEN_LOOKS = 0.5, 5.0  # seconds, at first and at most


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
