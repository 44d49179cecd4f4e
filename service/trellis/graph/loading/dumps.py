"""A new database made of a dump of Neo4j's (`neo4j-admin database dump`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from trellis.domain.errors import FileFormatError
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.loading.new_database import ToolError, make_database, run_admin_tool

_SUFFIX = ".dump"
_OTHER_VERSION = re.compile(r"newer version|support|unknown (store|format)", re.IGNORECASE)


def is_dump(path: Path) -> bool:
    """Whether a file is a dump, by its name."""
    return path.suffix.lower() == _SUFFIX


def restore_dump(
    path: Path,
    data: Path,
    admin: Sequence[str],
    *,
    database: str = "neo4j",
    progress: Progress = ignore_progress,
) -> None:
    """Make the database of the folder `data` from a dump, in the store format of this Neo4j.

    `admin`: the command line of `neo4j-admin`. Raises FileFormatError where the dump is damaged, or
    of a Neo4j that this one cannot read, and InputError if the folder has a database.
    """
    try:
        with make_database(data) as home, path.open("rb") as dump:
            restoring = ("database", "load", database, "--from-stdin")
            run_admin_tool(admin, home, restoring, progress, "restore", dump)
            # A dump of an older Neo4j is brought up to date, one that cannot be opened is refused.
            run_admin_tool(admin, home, ("database", "migrate", database), progress, "migrate")
    except ToolError as error:
        reason = str(error).removesuffix(": reading from stdin")
        is_of_other_version = _OTHER_VERSION.search(reason)
        raise FileFormatError(
            f"{path} cannot be restored: {reason}",
            _REMEDY_VERSION if is_of_other_version else _REMEDY_DAMAGED,
        ) from error
    except OSError as error:
        raise FileFormatError(
            f"{path} cannot be read ({error.strerror or error})", "check the path"
        ) from error


_REMEDY_DAMAGED = "dump the database again with `neo4j-admin database dump`; nothing was kept"
_REMEDY_VERSION = (
    "this Neo4j is 5.26 Community: export the graph from the other one as CSV files or a Cypher "
    "script, or set TRELLIS_NEO4J_URI to it; nothing was kept"
)
