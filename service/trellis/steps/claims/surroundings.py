"""Surroundings: which steps lead on from what a claim mentions, and what lies behind them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Graph
from trellis.domain.replies.claims import ClaimMention
from trellis.steps.claims.fact_table import PROPERTY, FactKey, list_told_properties
from trellis.steps.claims.step_companions import StepCompanions

_EDGES, _PATHS = 5_000, 1_000  # budgets of looking around one mention


@dataclass(frozen=True, slots=True)
class ClaimPlace:
    """What is around one or several nodes.

    `labels`: theirs. `steps`: those that lead on, with what lies behind each; of nodes two steps
    away only the names of the steps are known. `share`: the largest share that these nodes have of
    the relationships of one type.
    """

    labels: frozenset[str]
    steps: Mapping[Step, ClaimPlace]
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class ClaimSurroundings:
    """What is around each mention of a claim; `all_steps`: those of the whole graph."""

    schema: Schema
    places: tuple[ClaimPlace, ...]
    all_steps: tuple[Step, ...]
    companions: StepCompanions

    @property
    def is_labelled(self) -> bool:
        """Whether labels tell of what kind a node is."""
        return len(self.schema.labels) > 1

    def list_existing(self, mentions: Sequence[ClaimMention]) -> frozenset[FactKey]:
        """The steps that lead on from what is mentioned; of names of one node only."""
        return frozenset(
            (mention.nodes[0].id, step)
            for mention, place in zip(mentions, self.places, strict=True)
            if len(mention.nodes) == 1
            for step in place.steps
        )

    def list_properties(self, labels: Collection[str]) -> list[Step]:
        """The properties of nodes with some labels, as steps, but those that name them."""
        return [
            Step(f"{PROPERTY}{name}")
            for kind in self.schema.labels
            if kind.label in labels
            for name in list_told_properties(kind)
        ]

    def may_have(self, place: ClaimPlace, step: Step) -> bool:
        """Whether nodes of the kind of some may have a step; told by labels, or by their steps."""
        if not self.is_labelled:
            return step in place.steps or self.companions.may_have(place.steps, step)
        starts = self.schema.uncounted.derive(_list_start_labels)
        return not place.labels.isdisjoint(starts.get(step, ()))


def _list_start_labels(schema: Schema) -> Mapping[Step, frozenset[str]]:
    """The labels of the nodes that may have each step."""
    labels = defaultdict[Step, set[str]](set)
    for kind in schema.relationships:
        labels[Step(kind.type)].add(kind.start_label)
        labels[Step(kind.type, True)].add(kind.end_label)
    return {step: frozenset(its) for step, its in labels.items()}


async def find_surroundings(
    graph: Graph, mentions: Sequence[ClaimMention], companions: StepCompanions
) -> ClaimSurroundings:
    """What is around each mention of a claim: two steps far around what it is about."""
    schema = await graph.schema()
    types = sorted({kind.type for kind in schema.relationships})
    steps = tuple(Step(name, back) for name in types for back in (False, True))
    topic = next((mention for mention in mentions if mention.nodes), None)
    counts = Counter[str]()
    for kind in schema.relationships:
        counts[kind.type] += kind.count
    places = [await _find_place(graph, it, 2 if it is topic else 1, counts) for it in mentions]
    around = ClaimSurroundings(schema, tuple(places), steps, companions)
    if not around.is_labelled:
        await companions.load({step for place in places for step in _list_steps(place)})
    return replace(around, companions=companions.freeze())


def _list_steps(place: ClaimPlace) -> Iterator[Step]:
    for step, behind in place.steps.items():
        yield step
        yield from behind.steps


async def _find_place(
    graph: Graph, mention: ClaimMention, hops: int, counts: Mapping[str, int]
) -> ClaimPlace:
    labels = frozenset(label for node in mention.nodes for label in node.labels)
    if not mention.nodes:
        return ClaimPlace(labels, {})
    ids = [node.id for node in mention.nodes]
    found = await graph.reachable(ids, hops, edge_budget=_EDGES, path_budget=_PATHS)
    behind: dict[Step, dict[Step, ClaimPlace]] = {}
    kinds: dict[Step, frozenset[str]] = {}
    for path in found.paths:
        if len(path.steps) == 1:
            behind.setdefault(path.steps[0], {})
            kinds[path.steps[0]] = frozenset(path.labels)
    for path in found.paths:
        if len(path.steps) == 2:
            first, second = path.steps
            behind.setdefault(first, {})[second] = ClaimPlace(frozenset(path.labels), {})
    steps = {s: ClaimPlace(kinds.get(s, frozenset()), rest) for s, rest in behind.items()}
    shares = (
        path.walks / max(1, counts[path.steps[0].relation])
        for path in found.paths
        if len(path.steps) == 1
    )
    return ClaimPlace(labels, steps, max(shares, default=0.0))
