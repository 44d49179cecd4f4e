"""Applies `migrations/graph/*.cypher` in order, each once; the database records which were."""

from __future__ import annotations

from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.indexes.index_building import wait_for_indexes
from trellis.migration_files import find_migrations

_APPLIED = "MATCH (m:_TrellisMeta {_trellis_id: 'state'}) RETURN m.migrations AS applied"
_RECORD = """
MERGE (m:_TrellisMeta {_trellis_id: 'state'})
SET m.migrations = CASE WHEN $name IN coalesce(m.migrations, []) THEN m.migrations
                        ELSE coalesce(m.migrations, []) + $name END
"""


async def migrate_graph(
    connection: GraphConnection, progress: Progress = ignore_progress
) -> list[str]:
    """Apply the migrations that are pending; returns the names of their files.

    Every statement is repeatable (`IF NOT EXISTS`), so that an interrupted migration runs again.
    """
    rows = await connection.read_rows(_APPLIED)
    applied = set(rows[0]["applied"] or ()) if rows else set()
    files = sorted(find_migrations("graph").glob("*.cypher"))
    pending = [file for file in files if file.stem not in applied]
    for file in pending:
        for statement in _split_statements(file.read_text(encoding="utf-8")):
            await connection.run_command(statement)
        await connection.run_write(_RECORD, name=file.stem)
    if pending:
        await wait_for_indexes(connection, progress)
    return [file.stem for file in pending]


def _split_statements(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
    parts = "\n".join([*lines, ""]).split(";\n")
    return [part.strip() for part in parts if part.strip()]
