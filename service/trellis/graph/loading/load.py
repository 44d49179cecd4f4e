"""One load from start to end: read all, then delete (if asked), nodes, relationships."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import islice
from pathlib import Path
from typing import Literal

from trellis.domain.errors import FileFormatError, InputError
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.migration import migrate_graph
from trellis.graph.database.names import LOADED, META
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.database.state import change_state, read_state
from trellis.graph.loading.dumps import is_dump
from trellis.graph.loading.folder import FolderSource
from trellis.graph.loading.rows import BadRows, GraphSource, LoadReport, NodeRow
from trellis.graph.loading.script import count_statements, is_script, run_script
from trellis.graph.loading.triples import TriplesSource
from trellis.graph.loading.writing import delete_all, write_nodes, write_relationships

_HELD = f"""
RETURN EXISTS {{ MATCH (n) WHERE NOT n:{META} }} AS any, EXISTS {{ MATCH (m:{META}) }} AS begun
"""
_PROBED = 10  # nodes of the files: each may cost a scan of the nodes of its labels
_WITHOUT_KEY = f"MATCH (n) WHERE NOT n:{LOADED} AND NOT n:{META} RETURN true LIMIT 1"


def check_graph_path(path: Path, *, is_new_database: bool = False) -> None:
    """Raise FileFormatError where nothing is there, or InputError where what is there cannot be
    loaded so: into a database that a server has open, or into a new one (`is_new_database`)."""
    if not path.exists():
        raise FileFormatError(
            f"{path} is not there",
            "give a file of triples, a Cypher script, a dump, or a folder of CSV files",
        )
    if is_dump(path) and not is_new_database:
        raise InputError(
            f"{path} is a dump, of which a new database is made",
            "name its folder with --data DIR, then start it with `trellis neo4j --data DIR`",
        )
    if is_script(path) and is_new_database:
        raise InputError(
            f"{path} is a Cypher script, which a running server carries out",
            "start one with `trellis neo4j --data DIR`, and load without --data",
        )


def open_source(path: Path, types: Path | None = None) -> GraphSource:
    """A folder of CSV files, or a file of triples."""
    if path.is_dir():
        return FolderSource(path)
    return TriplesSource(path, types)


async def load_graph(
    connection: GraphConnection,
    path: Path,
    *,
    types: Path | None = None,
    replace: bool = False,
    progress: Progress = ignore_progress,
) -> LoadReport:
    """Load graph files. Before anything is written, BadRowsError is raised if a row is bad, and
    InputError if nodes of the files are there without the keys by which a load finds them.

    With `replace` all that the database held is deleted first. Indexing is separate.
    """
    check_graph_path(path)
    if is_script(path):
        return await _load_script(connection, path, replace, progress)
    source, bad = open_source(path, types), BadRows()
    survey = source.survey_rows(bad)
    bad.raise_if_any()
    if not replace:
        await _refuse_copies(connection, source, path)
    await _begin_load(connection, path, replace, progress)
    nodes = write_nodes(connection, source.read_nodes())
    await _report_batches("nodes", nodes, survey.nodes, progress)
    edges = write_relationships(connection, source.read_relationships())
    await _report_batches("relationships", edges, survey.relationships, progress)
    await change_state(connection, loading="")
    return survey


async def _load_script(
    connection: GraphConnection, path: Path, replace: bool, progress: Progress
) -> LoadReport:
    total = count_statements(path)
    await _begin_load(connection, path, replace, progress)
    report = await run_script(connection, path, total, progress)
    await change_state(connection, loading="")
    return report


async def _begin_load(
    connection: GraphConnection, path: Path, replace: bool, progress: Progress
) -> None:
    await migrate_graph(connection)
    await change_state(connection, loading=path.name, indexed=False, values=None)
    if replace:
        await change_state(connection, naming={}, chosen={}, embedder="")
        await _report_batches("delete", delete_all(connection), None, progress)


async def find_missing_work(
    connection: GraphConnection, path: Path
) -> Literal["load", "index", "nothing"]:
    """What a database lacks that is to hold a graph, whatever graph that is: the load of its files
    where it is empty or their load broke off, or the indexing that comes after a load.

    A script that broke off is not run again, which might create nodes twice.
    """
    state, held = await read_state(connection), (await connection.scan_rows(_HELD))[0]
    if not held["any"] or (state.loading == path.name and not is_script(path)):
        return "load"
    return "index" if held["begun"] and not (state.indexed or state.loading) else "nothing"


async def _report_batches(
    stage: str, batches: AsyncIterator[int], total: int | None, progress: Progress
) -> None:
    done = 0
    async for size in batches:
        done += size
        progress(stage, done, total)
    progress(stage, done, done)


async def _refuse_copies(connection: GraphConnection, source: GraphSource, path: Path) -> None:
    """Raise InputError if a node without a key looks like one of the first nodes of the files.

    `trellis index --remove` takes these keys off. A load would not find the nodes, and write them
    again.
    """
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
