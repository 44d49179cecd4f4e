"""A new database made of graph files by Neo4j's own bulk importer, while no server runs on it.

The store is built in a folder of its own and moved to its place in one step, so that an import
that broke off leaves no database. The next one begins anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from trellis.domain.errors import GraphError, InputError
from trellis.graph.indexing import NAMED_BY
from trellis.graph.loading.import_names import guess_names, name_rows
from trellis.graph.loading.import_tables import ImportTables
from trellis.graph.loading.load import LoadReport, open_source
from trellis.graph.loading.rows import BadRows, GraphSource, Survey
from trellis.graph.progress import Progress, ignore_progress

_OPTIONS = (
    "--array-delimiter=U+001F",
    "--bad-tolerance=0",
    "--id-type=string",
    "--high-parallel-io=on",
)
_STAGE = re.compile(r"\(\d/\d\) ([A-Z][a-z ]+[a-z])")  # as in `(1/4) Node import 2026-…`
_PERCENT = re.compile(r"(\d+)% ")
_LAST_LINES = 60
_HOME_PREFIX = "importing-"


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
    if (data / "data").exists():
        raise InputError(
            f"there is a database in {data} already",
            "name another folder, or start it with `trellis neo4j` and load without --data",
        )
    source, bad = open_source(path, types), BadRows()
    survey = source.survey_rows(bad)
    bad.raise_if_any()
    with _make_home(data) as home:
        tables = _write_tables(source, survey, home / "tables", progress)
        _run_importer(admin, home, tables, database, progress)
        (home / "data").rename(data / "data")
    return LoadReport(survey.nodes, survey.relationships)


@contextmanager
def _make_home(data: Path) -> Iterator[Path]:
    """A folder for the importer on the same disk, removed at the end; those of imports that were
    killed are removed first."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        for left in data.glob(f"{_HOME_PREFIX}*"):
            shutil.rmtree(left, ignore_errors=True)
        home = Path(mkdtemp(prefix=_HOME_PREFIX, dir=data)).absolute()
    except OSError as error:
        raise InputError(
            f"cannot write to {data} ({error.strerror or error})", "name another folder"
        ) from error
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _write_tables(
    source: GraphSource, survey: Survey, folder: Path, progress: Progress
) -> ImportTables:
    folder.mkdir(parents=True)
    with ImportTables(folder) as tables:
        tables.write_state({"named_by": NAMED_BY})
        named = name_rows(source.read_nodes(), guess_names(source.read_nodes()))
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
    (home / "conf").mkdir()
    arguments = home / "arguments"
    options = [database, *_OPTIONS, f"--report-file={home / 'import.report'}", *_list_files(tables)]
    arguments.write_text("\n".join(f'"{option}"' for option in options), encoding="utf-8")
    process = subprocess.Popen(
        [*admin, "database", "import", "full", f"@{arguments}"],
        env={**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert process.stdout is not None
    try:
        said = _report_stages(process.stdout, progress)
    except BaseException:
        process.kill()
        raise
    finally:
        process.wait()
        process.stdout.close()
    if process.returncode:
        raise GraphError(
            f"Neo4j's importer failed: {_find_reason(said)}",
            "see that memory and disk suffice, and load again; nothing was kept",
        )


def _list_files(tables: ImportTables) -> Iterator[str]:
    yield from (f"--nodes={table.header},{table.body}" for table in tables.nodes)
    yield from (f"--relationships={table.header},{table.body}" for table in tables.relationships)
    if any(table.has_line_breaks() for table in (*tables.nodes, *tables.relationships)):
        yield "--multiline-fields=true"


def _report_stages(lines: Iterable[str], progress: Progress) -> list[str]:
    """Tell the percent of each of the importer's stages; returns what it said last."""
    stage, said = "import", deque[str](maxlen=_LAST_LINES)
    for line in lines:
        if named := _STAGE.match(line):
            stage = named[1].lower()
        elif percent := _PERCENT.search(line):
            progress(stage, int(percent[1]), 100)
        elif line.strip():
            said.append(line.strip())
    return list(said)


def _find_reason(said: Sequence[str]) -> str:
    """The importer's own reason: its last line that is not of a stack trace."""
    told = [line for line in said if not line.startswith("at ")]
    return told[-1] if told else "it said nothing"
