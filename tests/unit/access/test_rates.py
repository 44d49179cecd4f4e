"""Rate limits, in memory and in a real Redis that goes away and comes back."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from real_postgres import find_free_port
from set_clock import SetClock
from trellis.access.callers import Caller
from trellis.access.rates import RateLimiter, RateState, read_rate_limit
from trellis.domain.errors import KeySettingsError, RateLimitError, ServiceError

ASKS = frozenset({"ask"})


def caller(id: str = "", address: str = "10.0.0.1", rate_limit: str = "") -> Caller:
    return Caller(id, ASKS, address=address, rate_limit=rate_limit)


async def test_a_caller_that_asks_too_often_waits_and_others_do_not() -> None:
    limiter = RateLimiter("3/hour")
    left = [(await limiter.count_request(caller("one")))[0].remaining for _ in range(3)]
    assert left == [2, 1, 0]
    with pytest.raises(RateLimitError, match="3 per 1 hour") as refused:
        await limiter.count_request(caller("one"))
    [state] = refused.value.rates
    assert isinstance(state, RateState)
    assert state.remaining == 0
    assert 1 <= state.reset_seconds <= 3_600
    assert (await limiter.count_request(caller("two")))[0].remaining == 2


async def test_a_caller_without_a_key_is_known_by_its_address() -> None:
    limiter = RateLimiter("1/hour")
    await limiter.count_request(caller(address="10.0.0.1"))
    await limiter.count_request(caller(address="10.0.0.2"))
    with pytest.raises(RateLimitError):
        await limiter.count_request(caller(address="10.0.0.1"))


async def test_a_key_may_have_limits_of_its_own_and_several() -> None:
    limiter = RateLimiter("1/hour")
    own = caller("one", rate_limit="2/minute;3/day")
    states = await limiter.count_request(own)
    assert [(str(it.limit), it.remaining) for it in states] == [
        ("2 per 1 minute", 1),
        ("3 per 1 day", 2),
    ]
    assert await RateLimiter("").count_request(caller("one")) == ()


@pytest.mark.parametrize("text", ["often", "0x/minute", "5", "5/fortnight", "\0"])
def test_what_is_no_limit_is_told(text: str) -> None:
    with pytest.raises(KeySettingsError, match="60/minute"):
        read_rate_limit(text)
    with pytest.raises(KeySettingsError):
        RateLimiter(text)


def test_an_address_that_is_no_redis_is_told() -> None:
    with pytest.raises(ServiceError, match="TRELLIS_RATE_LIMIT_URL"):
        RateLimiter("1/hour", "nonsense://x")


@contextmanager
def running_redis(folder: Path, port: int) -> Iterator[None]:
    """A real Redis on a port, which is up inside the block."""
    program = shutil.which("redis-server")
    assert program
    command = (program, "--port", str(port), "--save", "", "--appendonly", "no", "--dir", folder)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        for line in process.stdout:
            if "Ready to accept connections" in line:
                break
        yield
    finally:
        process.terminate()
        process.communicate()


async def test_a_redis_that_is_away_is_told_once_and_limits_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pytest.importorskip("redis")
    clock = SetClock(1_000.0)
    limiter = RateLimiter("3/hour", f"redis://127.0.0.1:{find_free_port()}", clock)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            await limiter.count_request(caller("one"))
            clock.now += 60
        with pytest.raises(RateLimitError):
            await limiter.count_request(caller("one"))
    assert [record.message for record in caplog.records if "Redis is away" in record.message]
    assert len(caplog.records) == 1
    await limiter.close()


@pytest.mark.slow
async def test_services_count_together_in_a_redis_that_may_go_and_come(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("redis")
    if not shutil.which("redis-server"):
        pytest.skip("there is no redis-server")
    clock, port = SetClock(1_000.0), find_free_port()
    url = f"redis://127.0.0.1:{port}"
    one, two = (RateLimiter("4/hour", url, clock) for _ in range(2))
    with caplog.at_level(logging.WARNING):
        with running_redis(tmp_path, port):
            left = [(await it.count_request(caller("k")))[0].remaining for it in (one, two, one)]
            assert left == [3, 2, 1]
        assert (await one.count_request(caller("k")))[0].remaining == 3  # counts for itself
        assert (await two.count_request(caller("k")))[0].remaining == 3
        assert (await two.count_request(caller("k")))[0].remaining == 2
        with running_redis(tmp_path, port):
            assert (await one.count_request(caller("k")))[0].remaining == 2  # not asked yet
            clock.now += 60
            assert (await one.count_request(caller("k")))[0].remaining == 3  # it kept nothing
            assert (await two.count_request(caller("k")))[0].remaining == 2
            await one.close()
            await two.close()
    said = [record.message for record in caplog.records]
    assert [("away" in it, "back;" in it) for it in said] == [
        *((True, False), (True, False)),
        *((False, True), (False, True)),
    ]
