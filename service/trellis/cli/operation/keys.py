"""`trellis keys`: creates, lists and revokes the keys of those who may ask, and shows the audit."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeVar

import typer
from rich.markup import escape
from rich.table import Table

from trellis.access.callers import SCOPES
from trellis.access.keys import KeyRing, describe_state
from trellis.cli.opening import open_database
from trellis.cli.terminal import Terminal, echo, echo_json
from trellis.store.audit import AuditTable
from trellis.store.database import Database
from trellis.store.keys import KeyTable
from trellis.store.tables import AuditRow, KeyRow

T = TypeVar("T")

_DEFAULT_SCOPES = ["ask", "retrieve", "feedback"]
_AUDIT_COLUMNS = (
    *("at", "caller", "graph", "verb", "path", "query_hash", "query", "rows"),
    *("outcome", "seconds"),
)

keys = typer.Typer(no_args_is_help=True, help="Keys of those who may ask, and the audit.")


@keys.command()
def create(
    name: Annotated[str, typer.Argument(help="Who or what the key is for.")],
    scope: Annotated[
        list[str] | None,
        typer.Option(help=f"What it may do: {', '.join(SCOPES)}. Unset: ask, retrieve, feedback."),
    ] = None,
    graph: Annotated[
        list[str] | None, typer.Option(help="A graph that it may ask. Unset: all.")
    ] = None,
    days: Annotated[
        float | None, typer.Option(min=0, help="Days until it expires. Unset: never.")
    ] = None,
    rate: Annotated[
        str, typer.Option(help="How often it may ask, as `60/minute`. Unset: as others may.")
    ] = "",
) -> None:
    """Create a key and print it, once: what is kept of it cannot be turned back."""
    expires_at = None if days is None else datetime.now(UTC) + timedelta(days=days)
    scopes = scope or _DEFAULT_SCOPES
    token = _run(lambda ring: ring.create_key(name, scopes, graph or (), expires_at, rate))
    echo(str(token))
    echo("Keep it now: it is not shown again.", err=True)


@keys.command("list")
def list_keys(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List all keys, revoked and expired ones too."""
    rows = _run(lambda ring: ring.list_keys())
    if as_json:
        for row in rows:
            echo_json(json.dumps(_describe_key(row)))
        return
    columns = ("id", "name", "state", "scopes", "graphs", "rate_limit", "expires_at", "used_at")
    _print_table(columns, [_describe_key(row) for row in rows])


@keys.command()
def revoke(id: Annotated[str, typer.Argument(help="The key's id, as listed.")]) -> None:
    """Make a key useless from its next request on."""
    row = _run(lambda ring: ring.revoke_key(id))
    echo(f"revoked {row.id} ({row.name})")


@keys.command()
def audit(
    key: Annotated[str | None, typer.Option(help="Of this key alone.")] = None,
    graph: Annotated[str | None, typer.Option(help="Of this graph alone.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Rows, at most.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Show the requests of keys, latest first: graph, route, what was asked as a hash, outcome."""
    rows = _run_with_database(lambda base: AuditTable(base).list_rows(limit, key, graph))
    described = [_describe_audit_row(row) for row in rows]
    if as_json:
        for one in described:
            echo_json(json.dumps(one, ensure_ascii=False))
        return
    _print_table(("at", "caller", "graph", "verb", "path", "rows", "outcome", "seconds"), described)


def _run(work: Callable[[KeyRing], Awaitable[T]]) -> T:
    return _run_with_database(lambda base: work(KeyRing(KeyTable(base))))


def _run_with_database(work: Callable[[Database], Awaitable[T]]) -> T:
    """What the work gives, on the migrated store."""

    async def run_work() -> T:
        async with open_database() as database:
            return await work(database)

    return asyncio.run(run_work())


def _describe_key(row: KeyRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "state": describe_state(row, datetime.now(UTC)),
        "scopes": row.scopes,
        "graphs": row.graphs,
        "rate_limit": row.rate_limit,
        **{name: _show_time(getattr(row, name)) for name in ("created_at", "expires_at")},
        **{name: _show_time(getattr(row, name)) for name in ("revoked_at", "used_at")},
    }


def _describe_audit_row(row: AuditRow) -> dict[str, Any]:
    shown = {name: getattr(row, name) for name in _AUDIT_COLUMNS}
    return {**shown, "at": _show_time(row.at), "seconds": round(row.seconds, 3)}


def _show_time(time: datetime | None) -> str | None:
    """A time in UTC, to the second."""
    if time is None:
        return None
    known = time.replace(tzinfo=UTC) if time.tzinfo is None else time
    return known.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _print_table(columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(escape(_show_cell(row[column])) for column in columns))
    Terminal(highlight=False).print(table)


def _show_cell(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return "" if value is None else str(value)
