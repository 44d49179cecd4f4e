"""How many seconds of the database's time a caller may use for queries of its own."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from trellis.access.callers import Caller
from trellis.domain.errors import RateLimitError

_MINUTE = 60.0
_LEAST = 1.0  # seconds that must be left for a query to begin
_MOST_ACCOUNTS = 10_000  # after which those that are even again are forgotten


@dataclass(slots=True)
class _Account:
    """What a caller has spent by `at`, and of its queries that run: when each began, and for how
    long it may run."""

    spent: float
    at: float
    running: list[tuple[float, float]] = field(default_factory=list)


class SecondsBudget:
    """Seconds a minute for each caller; 0: as many as it likes. `clock`: monotonic seconds.

    What is spent is paid back second by second. Several queries of a caller share what is left, so
    that each may run for less.
    """

    def __init__(self, seconds: float = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._accounts: dict[str, _Account] = {}

    @contextmanager
    def spend(self, caller: Caller) -> Iterator[float | None]:
        """Count the seconds inside the block; gives how long it may take, None without a limit.

        Raises RateLimitError where nothing is left.
        """
        if not self._seconds:
            yield None
            return
        account, now = self._settle(caller.id or caller.address), self._clock()
        used = sum(max(_LEAST, now - begun) for begun, _ in account.running)
        left = self._seconds - account.spent - used
        if left < min(_LEAST, self._seconds):
            raise self._build_refusal(account)
        run = (now, max(_LEAST, left / (1 + len(account.running))))
        account.running.append(run)
        try:
            yield run[1]
        finally:
            account.running.remove(run)
            account.spent += self._clock() - now

    def _settle(self, who: str) -> _Account:
        """A caller's account, with what was paid back until now."""
        now = self._clock()
        if len(self._accounts) >= _MOST_ACCOUNTS:
            self._accounts = {
                name: it
                for name, it in self._accounts.items()
                if it.running or it.spent > (now - it.at) * self._seconds / _MINUTE
            }
        account = self._accounts.setdefault(who, _Account(0.0, now))
        account.spent = max(0.0, account.spent - (now - account.at) * self._seconds / _MINUTE)
        account.at = now
        return account

    def _build_refusal(self, account: _Account) -> RateLimitError:
        """The refusal, with when enough is paid back even if all that runs takes its whole time."""
        owed = account.spent + sum(limit for _, limit in account.running)
        over = owed - self._seconds + min(_LEAST, self._seconds)
        wait = max(1, math.ceil(over * _MINUTE / self._seconds))
        return RateLimitError(
            f"queries took more than {self._seconds:g} seconds of the database a minute",
            f"ask again in {wait} s, or for less",
            retry_seconds=wait,
        )
