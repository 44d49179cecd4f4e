"""Finds the nodes of files in a database that holds them without the keys of a load.

`trellis index --remove` takes these keys off. A load would not find the nodes, and write them
again.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from trellis.domain.errors import InputError
from trellis.domain.identifiers import quote_name
from trellis.graph.connection import GraphConnection
from trellis.graph.loading.rows import GraphSource, NodeRow
from trellis.graph.names import LOADED, META

_PROBED = 10  # nodes of the files: each may cost a scan of the nodes of its labels
_WITHOUT_KEY = f"MATCH (n) WHERE NOT n:{LOADED} AND NOT n:{META} RETURN true LIMIT 1"


async def refuse_copies(connection: GraphConnection, source: GraphSource, path: Path) -> None:
    """Raise InputError if a node without a key looks like one of the first nodes of the files."""
    if not await connection.scan_rows(_WITHOUT_KEY):
        return
    rows = (row for row in source.read_nodes() if row.properties)
    for row in islice(rows, _PROBED):
        if await connection.scan_rows(_build_probe(row), properties=dict(row.properties)):
            raise InputError(
                f"nodes of {path} are in the database already, but not as nodes that were loaded "
                "(`trellis index --remove` forgets which were): this load would double them",
                "load with --replace, which deletes all that the database holds first",
            )


def _build_probe(row: NodeRow) -> str:
    """A query for a node without a key that has the row's labels and properties."""
    labels = "".join(f":{quote_name(label)}" for label in row.labels)
    names = [quote_name(name) for name in row.properties]
    equal = " AND ".join(f"n.{name} = $properties.{name}" for name in names)
    return f"MATCH (n{labels}) WHERE NOT n:{LOADED} AND {equal} RETURN true LIMIT 1"
