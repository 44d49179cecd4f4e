"""Processor seconds are counted for the step that spends them."""

from __future__ import annotations

import time

from bench.step_costs import StepCosts
from trellis.domain.replies.events import enter_step, follow_trail


def spend(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_each_step_is_charged_with_what_it_spends() -> None:
    costs = StepCosts(())
    costs.begin()
    with follow_trail(costs.enter):
        enter_step("link")
        spend(0.05)
        enter_step("decode")
        time.sleep(0.05)
    costs.enter("ask")
    assert costs.service["link"] > 0.04 > costs.service["decode"]
    enter_step("link")  # nobody follows it any more
    assert costs.step == "ask"
