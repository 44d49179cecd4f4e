"""Seconds of the database that a caller may use in a minute."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from set_clock import SetClock
from trellis.access.callers import Caller
from trellis.access.spending import SecondsBudget
from trellis.domain.errors import RateLimitError

ONE, TWO = (Caller(id, frozenset({"cypher"})) for id in ("one", "two"))


def use(budget: SecondsBudget, clock: SetClock[float], seconds: float) -> None:
    with budget.spend(ONE):
        clock.now += seconds


def test_who_used_its_seconds_waits_as_long_as_it_is_told_and_others_do_not() -> None:
    clock = SetClock(1_000.0)
    budget = SecondsBudget(30, clock)
    use(budget, clock, 70)
    with pytest.raises(RateLimitError) as refused, budget.spend(ONE):
        pass
    with budget.spend(TWO):
        pass
    clock.now += refused.value.retry_seconds - 2
    with pytest.raises(RateLimitError), budget.spend(ONE):
        pass
    clock.now += 2
    with budget.spend(ONE):
        pass


def test_one_query_after_the_other_is_never_refused_by_the_default() -> None:
    clock = SetClock(1_000.0)
    budget = SecondsBudget(60, clock)
    for _ in range(40):
        use(budget, clock, 20)


def test_queries_at_once_share_what_is_left_and_are_refused_in_the_end() -> None:
    clock = SetClock(1_000.0)
    budget = SecondsBudget(8, clock)
    with ExitStack() as running:
        limits = [running.enter_context(budget.spend(ONE)) or 0.0 for _ in range(7)]
        assert limits == sorted(limits, reverse=True)
        assert sum(limits) < 4 * 8
        clock.now += 2
        with pytest.raises(RateLimitError) as refused, budget.spend(ONE):
            pass
    clock.now += refused.value.retry_seconds
    with budget.spend(ONE):
        pass


def test_a_query_that_fails_is_counted_too() -> None:
    clock = SetClock(1_000.0)
    budget = SecondsBudget(10, clock)
    with pytest.raises(TimeoutError):
        fail_after(budget, clock, 30)
    with pytest.raises(RateLimitError), budget.spend(ONE):
        pass


def fail_after(budget: SecondsBudget, clock: SetClock[float], seconds: float) -> None:
    with budget.spend(ONE):
        clock.now += seconds
        raise TimeoutError


def test_without_a_budget_all_is_let_in() -> None:
    budget = SecondsBudget()
    for _ in range(3):
        with budget.spend(ONE) as seconds:
            assert seconds is None
