"""A claim with many forms is read in a thread, so that nobody else's question waits for it."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass, field

from memory_app import MemoryGraph
from memory_grounding import GroundingQueries
from trellis.domain.graphs.graph import Step
from trellis.pipelines.claims import ClaimVerification
from trellis.steps.claims.step_companions import StepCompanions


@dataclass
class WatchedCompanions(StepCompanions):
    """Companions that note in which threads forms are listed."""

    threads: set[int] = field(default_factory=set)

    def may_have(self, own: Collection[Step], step: Step) -> bool:
        self.threads.add(threading.get_ident())
        return super().may_have(own, step)


async def test_forms_are_listed_beside_the_event_loop() -> None:
    graph = MemoryGraph()
    companions = WatchedCompanions(graph, GroundingQueries(graph))
    reply = await ClaimVerification(companions).verify("France borders Germany.")
    assert reply.verdict == "supported"
    assert companions.threads
    assert threading.get_ident() not in companions.threads


async def test_a_claim_stays_with_what_it_knows_when_the_schema_changes() -> None:
    graph = MemoryGraph()
    companions = StepCompanions(graph, GroundingQueries(graph))
    capital, borders = Step("HAS_CAPITAL"), Step("BORDERS")
    await companions.load({capital, Step("SPEAKS")})
    frozen = companions.freeze()
    graph.triples += ((1, "LIES_ON", 2),)
    await companions.load(set())
    assert companions.may_have({Step("SPEAKS")}, Step("LIES_ON"))  # nothing is known yet
    assert not frozen.may_have({Step("SPEAKS")}, Step("LIES_ON"))
    assert frozen.may_have({capital}, borders)
