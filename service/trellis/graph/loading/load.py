"""One load from start to end: read all, then delete (if asked), nodes, relationships."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trellis.domain.errors import FileFormatError
from trellis.graph.connection import GraphConnection
from trellis.graph.loading.copies import refuse_copies
from trellis.graph.loading.folder import FolderSource
from trellis.graph.loading.rows import BadRows, GraphSource
from trellis.graph.loading.triples import TriplesSource
from trellis.graph.loading.writing import delete_all, write_nodes, write_relationships
from trellis.graph.migration import migrate_graph
from trellis.graph.names import LOADED, META
from trellis.graph.progress import Progress, ignore_progress
from trellis.graph.state import change_state, read_state

_HELD = f"""
RETURN EXISTS {{ MATCH (n) WHERE NOT n:{META} }} AS any, EXISTS {{ MATCH (n:{LOADED}) }} AS loaded
"""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What was in the files."""

    nodes: int
    relationships: int


def open_source(path: Path, types: Path | None = None) -> GraphSource:
    """A folder of CSV files, or a file of triples."""
    if not path.exists():
        raise FileFormatError(f"{path} is not there", "give a file of triples or a folder")
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
    source, bad = open_source(path, types), BadRows()
    survey = source.survey_rows(bad)
    bad.raise_if_any()
    if not replace:
        await refuse_copies(connection, source, path)
    await migrate_graph(connection)
    await change_state(connection, loading=path.name, indexed=False, values=None)
    if replace:
        await change_state(connection, naming={}, chosen={}, embedder="")
        await _report_batches("delete", delete_all(connection), None, progress)
    nodes = write_nodes(connection, source.read_nodes())
    await _report_batches("nodes", nodes, survey.nodes, progress)
    edges = write_relationships(connection, source.read_relationships())
    await _report_batches("relationships", edges, survey.relationships, progress)
    await change_state(connection, loading="")
    return LoadReport(survey.nodes, survey.relationships)


async def find_missing_work(
    connection: GraphConnection, path: Path
) -> Literal["load", "index", "nothing"]:
    """What a database lacks that is to hold a graph, whatever graph that is: the load of its files
    where it is empty or their load broke off, or the indexing that is behind each load."""
    state, held = await read_state(connection), (await connection.scan_rows(_HELD))[0]
    if not held["any"] or state.loading == path.name:
        return "load"
    return "index" if held["loaded"] and not (state.indexed or state.loading) else "nothing"


async def _report_batches(
    stage: str, batches: AsyncIterator[int], total: int | None, progress: Progress
) -> None:
    done = 0
    async for size in batches:
        done += size
        progress(stage, done, total)
    progress(stage, done, done)
