"""How often a caller may ask: counted in memory, or in a Redis that several services share."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from limits import RateLimitItem, parse_many
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from limits.errors import ConfigurationError, StorageError

from trellis.access.callers import Caller
from trellis.domain.errors import KeySettingsError, RateLimitError, ServiceError

log = logging.getLogger(__name__)

_REDIS_SECONDS = 1.0  # that a Redis may take, to connect and to answer
_RETRY_SECONDS = 10.0  # after which a Redis that failed is asked again


@dataclass(frozen=True, slots=True)
class RateState:
    """How much a caller has left of one limit: `remaining` requests, and the seconds until more."""

    limit: RateLimitItem
    remaining: int
    reset_seconds: int


class RateLimiter:
    """Counts requests. Where the shared storage fails, it counts in memory until that is back.

    `default`: for callers without limits of their own; empty: none. `clock`: monotonic seconds.
    """

    def __init__(
        self, default: str, url: str | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._default = default
        self._own = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._redis = _open_redis(url) if url else None
        self._shared = SlidingWindowCounterRateLimiter(self._redis) if self._redis else None
        self._clock = clock
        self._asked_again_at = -math.inf
        self._is_shared_away = False
        read_rate_limit(default)

    async def close(self) -> None:
        """Close the connections to the Redis."""
        if self._redis:
            bridge: Any = self._redis.bridge  # the base class does not declare its connection
            await bridge.get_connection().aclose()

    async def count_request(self, caller: Caller) -> Sequence[RateState]:
        """Count a request; gives what is left of each limit. RateLimitError where none is."""
        limits = read_rate_limit(caller.rate_limit or self._default)
        if not limits:
            return ()
        who = caller.id or caller.address
        states: list[RateState] = []
        for limit in limits:
            is_within, state = await self._count(limit, who)
            states.append(state)
            if not is_within:
                raise RateLimitError(
                    f"more than {limit} were asked for",
                    f"ask again in {state.reset_seconds} s",
                    states,
                )
        return states

    async def _count(self, limit: RateLimitItem, who: str) -> tuple[bool, RateState]:
        """Whether a request is within the limit, and what is left of that."""
        if self._shared and self._clock() >= self._asked_again_at:
            try:
                counted = await _hit(self._shared, limit, who)
            except StorageError as error:
                self._leave_shared(error)
            else:
                self._return_to_shared()
                return counted
        return await _hit(self._own, limit, who)

    def _leave_shared(self, error: StorageError) -> None:
        self._asked_again_at = self._clock() + _RETRY_SECONDS
        if not self._is_shared_away:
            self._is_shared_away = True
            log.warning(
                "the rate limits' Redis is away; each service counts for itself until it is back"
                " (%s)",
                error.storage_error,
            )

    def _return_to_shared(self) -> None:
        if self._is_shared_away:
            self._is_shared_away = False
            log.warning("the rate limits' Redis is back; services count together again")


def read_rate_limit(text: str) -> Sequence[RateLimitItem]:
    """The limits that a text names, such as `60/minute;1000/day`; empty: none."""
    if not text:
        return ()
    try:
        return parse_many(text)
    except ValueError as error:
        raise KeySettingsError(
            f"{text!r} is no rate limit", "write it as `60/minute` or `60/minute;1000/day`"
        ) from error


async def _hit(
    limiter: SlidingWindowCounterRateLimiter, limit: RateLimitItem, who: str
) -> tuple[bool, RateState]:
    is_within = await limiter.hit(limit, who)
    reset_at, remaining = await limiter.get_window_stats(limit, who)
    seconds = max(1, math.ceil(reset_at - time.time()))
    return is_within, RateState(limit, remaining if is_within else 0, seconds)


def _open_redis(url: str) -> RedisStorage:
    try:
        return RedisStorage(
            url,
            wrap_exceptions=True,
            implementation="redispy",
            socket_timeout=_REDIS_SECONDS,
            socket_connect_timeout=_REDIS_SECONDS,
        )
    except (ConfigurationError, ValueError) as error:
        raise ServiceError(
            "TRELLIS_RATE_LIMIT_URL cannot be used: it is no Redis address, or the package `redis`"
            " is not installed",
            "write it as `redis://host:6379`, and `pip install 'trellis[redis]'`",
        ) from error
