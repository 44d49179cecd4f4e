"""One connection pool to Neo4j: managed reads and writes, timeouts, and errors of ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, LiteralString, Self, TypeVar

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncSession,
    Bookmarks,
    Query,
    ResultSummary,
    SummaryCounters,
    unit_of_work,
)
from neo4j.exceptions import DriverError, Neo4jError

from trellis import __version__
from trellis.graph.database.failures import translate_driver_errors
from trellis.graph.database.wide_records import read_records_patiently
from trellis.settings import Settings

Row = Mapping[str, Any]
T = TypeVar("T")

_RETRY_SECONDS = 5.0  # for a server that restarts or changes its leader
_GRACE_SECONDS = 5.0  # for a server that no longer keeps its own timeout
_IDLE_SECONDS = 15.0  # after which a pooled connection is tried before it is used
_SEARCH_SHARE = 0.8  # of a query's timeout, for work in it that ends by itself
_STREAM_ROWS = 2_000
_LIMITED_ROWS = 200  # that a server sends at once where reading may stop before the end

_DATABASE = "CALL db.info() YIELD id RETURN id"


@dataclass(frozen=True, slots=True)
class GraphVersion:
    """A database, and the last transaction that it had applied: what it held, in two words.

    Versions are equal if and only if nothing was committed between, schema and new labels
    included; what is rolled back changes none, nor does a restart. Three limits. While several
    writers commit at once, a change may be visible a moment before the version moves (Neo4j counts
    up to the last transaction without a gap before it). A follower in a cluster that lags says an
    older version, never a newer one than what it holds; older and newer are not told apart. And
    a store that is put back from a backup comes by old versions again.
    """

    database: str  # the store's id: a database that was deleted and made anew has another
    bookmarks: tuple[str, ...]


class GraphConnection:
    """A pool of connections to the database that the settings name.

    Reads are in READ mode, retried for a few seconds where the server went away, and ended by the
    server after `settings.query_timeout`. Use it as a context manager.
    """

    def __init__(self, settings: Settings) -> None:
        self.uri = settings.neo4j_uri
        self._timeout = settings.query_timeout
        self._database = settings.neo4j_database
        with translate_driver_errors(self.uri, self._timeout):
            self._driver = _create_driver(settings)

    @property
    def search_seconds(self) -> float:
        """How long a search in the server may take so that its results still come in time."""
        return _SEARCH_SHARE * self._timeout

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._driver.close()

    async def verify_connectivity(self) -> None:
        """Reach the server now; raises GraphUnavailableError where it is not there."""
        with translate_driver_errors(self.uri, self._timeout):
            await self._driver.verify_connectivity()

    async def read_rows(
        self, query: str, *, after: GraphVersion | None = None, **parameters: Any
    ) -> list[Row]:
        """The rows of one query in READ mode; `parameters` never become part of its text.

        Of a cluster, only a server that has come to `after` is asked.
        """
        with translate_driver_errors(self.uri, self._timeout):
            async with asyncio.timeout(self._timeout + _RETRY_SECONDS + _GRACE_SECONDS):
                async with self._open_session(READ_ACCESS, after) as session:
                    return await self._read_at_once_or_again(session, query, parameters)

    async def _read_at_once_or_again(
        self, session: AsyncSession, query: str, parameters: dict[str, Any]
    ) -> list[Row]:
        """The rows of a query that commits by itself, which saves two of four messages.

        Where the server went away it is read again in a managed transaction, which retries.
        """
        try:
            timed = Query(_as_literal(query), timeout=self._timeout)
            return [dict(record) async for record in await session.run(timed, parameters)]
        except (DriverError, Neo4jError) as error:
            if not error.is_retryable():
                raise
        work = unit_of_work(timeout=self._timeout)(_fetch_rows)
        return await session.execute_read(work, query, parameters)

    async def run_read_transaction(
        self, work: Callable[[AsyncManagedTransaction], Awaitable[T]], seconds: float | None = None
    ) -> T:
        """What `work` makes of one READ transaction, which the server ends after `seconds`.

        Where it is cancelled, so is what runs in the server.
        """
        timeout = min(seconds or self._timeout, self._timeout)
        with translate_driver_errors(self.uri, timeout):
            async with asyncio.timeout(timeout + _RETRY_SECONDS + _GRACE_SECONDS):
                async with self._open_session(READ_ACCESS, rows=_LIMITED_ROWS) as session:
                    return await session.execute_read(unit_of_work(timeout=timeout)(work))

    async def explain_query(
        self, query: str, parameters: Mapping[str, Any]
    ) -> tuple[ResultSummary, tuple[str, ...]]:
        """Plan and columns of one query, which is not run; raises Neo4j's errors, untranslated."""

        @unit_of_work(timeout=self._timeout)
        async def run_explain(
            transaction: AsyncManagedTransaction,
        ) -> tuple[ResultSummary, tuple[str, ...]]:
            result = await transaction.run(_as_literal(f"EXPLAIN {query}"), dict(parameters))
            return await result.consume(), tuple(result.keys())

        async with asyncio.timeout(self._timeout + _RETRY_SECONDS + _GRACE_SECONDS):
            async with self._open_session(READ_ACCESS) as session:
                return await session.execute_read(run_explain)

    async def read_version(self) -> GraphVersion | None:
        """What the database holds now, by the bookmark of a read that costs one round trip.

        Take it before what is to be remembered under it: a read's own bookmark is of its end, and
        may name a change that the read did not see. Not retried. None from a server without
        bookmarks.
        """
        return (await self.read_row_and_version(_DATABASE))[1]

    async def read_row_and_version(
        self, query: str, **parameters: Any
    ) -> tuple[Row, GraphVersion | None]:
        """The one row of a query, whose `id` is that of the database, and the graph's version."""
        with translate_driver_errors(self.uri, self._timeout):
            async with asyncio.timeout(self._timeout + _GRACE_SECONDS):
                async with self._open_session(READ_ACCESS) as session:
                    timed = Query(_as_literal(query), timeout=self._timeout)
                    row = dict(await (await session.run(timed, parameters)).single(strict=True))
                    bookmarks = tuple(sorted((await session.last_bookmarks()).raw_values))
                    return row, GraphVersion(row["id"], bookmarks) if bookmarks else None

    async def run_write(self, query: str, **parameters: Any) -> list[Row]:
        """Run one query in a write transaction of its own; retried, so it must be repeatable."""
        with translate_driver_errors(self.uri, self._timeout):
            async with self._open_session(WRITE_ACCESS) as session:
                return await session.execute_write(_fetch_rows, query, parameters)

    async def run_command(self, query: str, **parameters: Any) -> list[Row]:
        """Run what manages its own transactions: schema commands, `CALL … IN TRANSACTIONS`."""
        with translate_driver_errors(self.uri, self._timeout):
            async with self._open_session(WRITE_ACCESS) as session:
                result = await session.run(_as_literal(query), parameters)
                return [dict(record) async for record in result]

    @asynccontextmanager
    async def open_commands(self) -> AsyncIterator[Callable[[str], Awaitable[SummaryCounters]]]:
        """What runs commands as `run_command` does, each of which sees what those before it did,
        and gives what it has changed."""
        async with self._open_session(WRITE_ACCESS) as session:

            async def run_next(query: str) -> SummaryCounters:
                with translate_driver_errors(self.uri, self._timeout):
                    return (await (await session.run(_as_literal(query))).consume()).counters

            yield run_next

    async def scan_rows(self, query: str, **parameters: Any) -> list[Row]:
        """The rows of a read that may take as long as it needs: for work that was asked for."""
        return [row async for row in self.stream_rows(query, **parameters)]

    async def stream_rows(self, query: str, **parameters: Any) -> AsyncIterator[Row]:
        """The rows of a long read, as they come, without a timeout."""
        with translate_driver_errors(self.uri, self._timeout):
            async with self._open_session(READ_ACCESS) as session:
                result = await session.run(_as_literal(query), parameters)
                async for record in result:
                    yield dict(record)

    async def stream_batches(
        self, size: int, query: str, **parameters: Any
    ) -> AsyncIterator[list[Row]]:
        """The rows of a long read in lists of `size`, the last one shorter."""
        batch: list[Row] = []
        async for row in self.stream_rows(query, **parameters):
            batch.append(row)
            if len(batch) == size:
                yield batch
                batch = []
        if batch:
            yield batch

    def _open_session(
        self, access: str, after: GraphVersion | None = None, rows: int = _STREAM_ROWS
    ) -> AsyncSession:
        return self._driver.session(
            database=self._database,
            default_access_mode=access,
            fetch_size=rows,
            bookmarks=Bookmarks.from_raw_values(after.bookmarks) if after else None,
        )


def _create_driver(settings: Settings) -> AsyncDriver:
    read_records_patiently()
    password = settings.neo4j_password.get_secret_value()
    return AsyncGraphDatabase.driver(
        settings.neo4j_uri,
        auth=(settings.neo4j_user, password) if password else None,
        user_agent=f"trellis/{__version__}",
        notifications_min_severity="OFF",
        connection_timeout=_RETRY_SECONDS,
        connection_acquisition_timeout=settings.query_timeout + _RETRY_SECONDS,
        max_transaction_retry_time=_RETRY_SECONDS,
        liveness_check_timeout=_IDLE_SECONDS,
    )


async def _fetch_rows(
    transaction: AsyncManagedTransaction, query: str, parameters: dict[str, Any]
) -> list[Row]:
    result = await transaction.run(_as_literal(query), parameters)
    return [dict(record) async for record in result]


def _as_literal(query: str) -> LiteralString:
    """The driver's types want literals; ours are built from quoted names and parameters only."""
    return query  # type: ignore[return-value,unused-ignore]
