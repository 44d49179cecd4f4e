"""A new database made of graph files by Neo4j's own bulk importer, while no server runs on it.

Nodes get the names that `trellis index` would write afterwards. Indexing reads every node and mends
what differs, so a guess that is wrong costs time alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from trellis.domain.errors import GraphError
from trellis.graph.database.names import ALIASES, ALSO, KEY, NAME, NAMED
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.indexes.indexing import NAMED_BY, build_name_properties
from trellis.graph.indexes.naming import Naming, guess_naming
from trellis.graph.loading.import_tables import ImportTables
from trellis.graph.loading.import_values import format_import_value
from trellis.graph.loading.load import open_source
from trellis.graph.loading.new_database import (
    ToolError,
    make_database,
    refuse_database,
    run_admin_tool,
)
from trellis.graph.loading.rows import BadRows, GraphSource, LoadReport, NodeRow

_OPTIONS = (
    "--array-delimiter=U+001F",
    "--bad-tolerance=0",
    "--id-type=string",
    "--high-parallel-io=on",
)
_PROPERTIES = {"name": NAME, "key": KEY, "also": ALSO, "aliases": ALIASES}


def import_graph(
    path: Path,
    data: Path,
    admin: Sequence[str],
    *,
    types: Path | None = None,
    database: str = "neo4j",
    progress: Progress = ignore_progress,
) -> LoadReport:
    """Make the database of the folder `data` from graph files, as `load_graph` would fill it.

    `admin`: the command line of `neo4j-admin`. Raises BadRowsError if a row is bad,
    InputError if the folder has a database, GraphError if the importer fails.
    """
    refuse_database(data)
    source, bad = open_source(path, types), BadRows()
    survey = source.survey_rows(bad)
    bad.raise_if_any()
    with make_database(data) as home:
        tables = _write_tables(source, survey, home / "tables", progress)
        _run_importer(admin, home, tables, database, progress)
    return survey


def _write_tables(
    source: GraphSource, survey: LoadReport, folder: Path, progress: Progress
) -> ImportTables:
    folder.mkdir(parents=True)
    with ImportTables(folder) as tables:
        tables.write_state({"named_by": NAMED_BY})
        named = _name_rows(source.read_nodes(), _guess_names(source.read_nodes()))
        nodes = tables.write_nodes(named)
        _report_counts("nodes", nodes, survey.nodes, progress)
        relationships = tables.write_relationships(source.read_relationships())
        _report_counts("relationships", relationships, survey.relationships, progress)
    return tables


def _report_counts(stage: str, counts: Iterable[int], total: int, progress: Progress) -> None:
    done = 0
    for count in counts:
        progress(stage, done := done + count, total)
    if done < total:
        progress(stage, total, total)


def _run_importer(
    admin: Sequence[str], home: Path, tables: ImportTables, database: str, progress: Progress
) -> None:
    """Run `neo4j-admin database import full`; its options stand in a file, as they may be many."""
    arguments = home / "arguments"
    options = [database, *_OPTIONS, f"--report-file={home / 'import.report'}", *_list_files(tables)]
    arguments.write_text("\n".join(f'"{option}"' for option in options), encoding="utf-8")
    try:
        run_admin_tool(
            admin, home, ("database", "import", "full", f"@{arguments}"), progress, "import"
        )
    except ToolError as error:
        raise GraphError(
            f"Neo4j's importer failed: {error}",
            "see that memory and disk suffice, and load again; nothing was kept",
        ) from error


def _list_files(tables: ImportTables) -> Iterator[str]:
    yield from (f"--nodes={table.header},{table.body}" for table in tables.nodes)
    yield from (f"--relationships={table.header},{table.body}" for table in tables.relationships)
    if any(table.has_line_breaks() for table in (*tables.nodes, *tables.relationships)):
        yield "--multiline-fields=true"


def _guess_names(nodes: Iterable[NodeRow]) -> Naming:
    """How these nodes will be named, by their own labels and properties."""
    return Naming(guess_naming((row.labels, row.properties) for row in nodes))


def _name_rows(nodes: Iterable[NodeRow], naming: Naming) -> Iterator[NodeRow]:
    """The nodes, with the label and the properties of those that have a name."""
    for row in nodes:
        values = [_format_text(row.properties.get(name)) for name in naming.properties]
        name = naming.find_name(row.labels, values)
        others = [row.properties.get(alias) for alias in naming.alias_properties]
        named = build_name_properties(name, naming.find_aliases(row.labels, others))
        if not named["also"]:  # no name, or one of punctuation alone: tables hold no empty array
            yield row
            continue
        present = {_PROPERTIES[part]: value for part, value in named.items() if value}
        yield NodeRow(row.key, (*row.labels, NAMED), {**row.properties, **present})


def _format_text(value: Any) -> str | None:
    """As `toStringOrNull` does, some numbers aside."""
    return None if value is None or isinstance(value, list) else format_import_value(value)
