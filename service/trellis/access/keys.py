"""Creates, lists, revokes and checks keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from trellis.access.callers import SCOPES, Caller
from trellis.access.rates import read_rate_limit
from trellis.access.tokens import KeyToken
from trellis.domain.errors import KeyRefusedError, KeySettingsError, NotKeptError
from trellis.store.keys import KeyTable
from trellis.store.tables import KeyRow

_USE_INTERVAL = timedelta(minutes=1)
_NEW_KEY = "ask whoever runs the service for a new one (`trellis keys create`)"
_NO_SECRET = "0" * 64  # what no secret hashes to, compared where there is no such key


class KeyRing:
    """The keys of a store. `clock` gives the time, with its zone."""

    def __init__(
        self, table: KeyTable, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._table, self._clock = table, clock

    async def create_key(
        self,
        name: str,
        scopes: Sequence[str],
        graphs: Sequence[str] = (),
        expires_at: datetime | None = None,
        rate_limit: str = "",
    ) -> KeyToken:
        """A new key, whose secret is known to nobody else from now on."""
        _check_settings(name, scopes, graphs)
        read_rate_limit(rate_limit)
        token = KeyToken.create()
        row = KeyRow(
            id=token.id,
            name=name,
            secret_hash=token.secret_hash,
            scopes=list(dict.fromkeys(scopes)),
            graphs=list(dict.fromkeys(graphs)),
            rate_limit=rate_limit,
            created_at=self._clock(),
            expires_at=expires_at,
        )
        await self._table.save_key(row)
        return token

    async def list_keys(self) -> Sequence[KeyRow]:
        """All keys, oldest first."""
        return await self._table.list_keys()

    async def list_valid_keys(self) -> Sequence[KeyRow]:
        """The keys that are neither revoked nor expired."""
        now = self._clock()
        return [row for row in await self.list_keys() if describe_state(row, now) == "valid"]

    async def revoke_key(self, id: str) -> KeyRow:
        """Make a key useless from its next request on; NotKeptError where there is none."""
        row = await self._table.revoke_key(id)
        if row is None:
            raise NotKeptError(f"there is no key {id!r}", "see `trellis keys list`")
        return row

    async def check_token(self, token: KeyToken, address: str) -> Caller:
        """Who holds the key; KeyRefusedError where it is unknown, wrong, revoked or expired."""
        row = await self._table.find_key(token.id)
        if not token.has_hash(row.secret_hash if row else _NO_SECRET) or row is None:
            raise KeyRefusedError("the key is not known here", _NEW_KEY)
        if row.revoked_at is not None:
            raise KeyRefusedError(f"the key {row.id} was revoked", _NEW_KEY)
        now = self._clock()
        if row.expires_at is not None and _with_zone(row.expires_at) <= now:
            day = _with_zone(row.expires_at).isoformat(timespec="minutes")
            raise KeyRefusedError(f"the key {row.id} expired at {day}", _NEW_KEY)
        if row.used_at is None or now - _with_zone(row.used_at) >= _USE_INTERVAL:
            self._table.start_noting_use(row.id, now)
        scopes, graphs = frozenset(row.scopes), frozenset(row.graphs)
        return Caller(row.id, scopes, graphs, address, row.rate_limit)


def describe_state(row: KeyRow, now: datetime) -> str:
    """`revoked`, `expired` or `valid`."""
    if row.revoked_at is not None:
        return "revoked"
    return "expired" if row.expires_at and _with_zone(row.expires_at) <= now else "valid"


def _check_settings(name: str, scopes: Sequence[str], graphs: Sequence[str]) -> None:
    if not name.strip() or len(name) > 200 or not name.isprintable():
        raise KeySettingsError(
            "a key's name has 1 to 200 printable characters", "say who or what it is for"
        )
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        problem = f"no such scope: {', '.join(unknown)}" if unknown else "a key needs a scope"
        raise KeySettingsError(problem, f"there are {', '.join(SCOPES)}")
    if not all(graph.strip() and graph.isprintable() for graph in graphs):
        raise KeySettingsError("a graph's name is empty or unprintable", "name graphs as they are")


def _with_zone(time: datetime) -> datetime:
    """The time with its zone, which SQLite does not keep."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)
