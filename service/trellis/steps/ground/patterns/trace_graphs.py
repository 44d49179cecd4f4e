"""Trace: find schema graphs in the graph, and what their relations are there.

Source: STEM, section 3.4 and appendix H. Of each sequence of types and directions one trace is
enough, since grounding runs it once more with the asked node free.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.domain.graphs.graph import NodeId, Step
from trellis.domain.graphs.links import Mention
from trellis.domain.models.decoding import Sentence
from trellis.domain.ports import Graph
from trellis.domain.structures.patterns import PatternGraph
from trellis.domain.structures.question_patterns import MentionNode, PatternNode, QuestionPattern
from trellis.domain.structures.traces import (
    MOST_ANCHORS,
    AnchorScores,
    RelationScores,
    Trace,
    TraceRules,
    TraceSearch,
)
from trellis.steps.align.sentence_steps import get_pattern
from trellis.steps.ground.patterns.guide_entities import Guidance
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.retrieve.patterns.located_patterns import LocatedPattern, PatternOutcome
from trellis.steps.retrieve.schema_graphs.read_schema_graphs import get_schema_reading
from trellis.steps.retrieve.schema_graphs.settings import SchemaGraphSettings

TURNED = 0.25
"""What the T-score of a relationship loses that leads against the relation which names it."""


@dataclass(frozen=True, slots=True)
class TraceInput:
    """What traces of a question are searched with.

    `relations`: by relation the types that it may be. `guidance`: for each candidate the nodes of
    its guidance subgraph. `rules`: the rules of all searches, but for the strategy.
    """

    mentions: Sequence[Mention]
    relations: Mapping[str, RelationScores]
    guidance: Sequence[Sequence[NodeId]]
    rules: TraceRules


def choose_rules(
    settings: SchemaGraphSettings, guidance: Guidance, bias: float, boost: float
) -> TraceRules:
    """The rules of a question's searches; with guidance, its threshold holds, and what lies in it
    is raised by `bias` and `boost`."""
    threshold = settings.threshold if guidance.threshold is None else guidance.threshold
    return TraceRules(threshold=threshold, revisit=settings.revisit, bias=bias, boost=boost)


def describe_cut(outcomes: Sequence[PatternOutcome]) -> list[str]:
    """A note where a search ended before it was complete."""
    if all(outcome.is_complete for outcome in outcomes):
        return []
    return ["the search for traces was cut: others may be left out"]


async def trace_candidates(
    graph: Graph, candidates: Sequence[Sentence], given: TraceInput, seconds: float
) -> list[PatternOutcome]:
    """For each candidate what its traces take it for. `seconds`: of each search.

    The best relationships of `precision` may all lead to nodes from which the next assertion only
    leads on the other way round. Then those of `breadth` are traced, too.
    """
    searches = (
        _trace_candidate(graph, candidate, build_trace_search(candidate, guided, given), seconds)
        for candidate, guided in zip(candidates, given.guidance, strict=True)
    )
    outcomes = await asyncio.gather(*searches)
    return [_place_anchors(outcome, given.mentions) for outcome in outcomes]


def build_trace_search(
    candidate: Sentence, guidance: Sequence[NodeId], given: TraceInput
) -> TraceSearch:
    """The search for the traces of a candidate."""
    pattern = get_pattern(candidate)
    count, edges = pattern.list_index_edges()
    strategy = get_schema_reading(candidate).decomposition.strategy
    return TraceSearch(
        PatternGraph(count, edges),
        tuple(_score_anchors(node, given.mentions) for node in pattern.nodes),
        tuple(given.relations[triple.relation] for triple in pattern.triples),
        tuple(guidance),
        replace(given.rules, strategy=strategy, has_shapes=True, turned=TURNED),
    )


def _score_anchors(node: PatternNode, mentions: Sequence[Mention]) -> AnchorScores | None:
    if not isinstance(node, MentionNode):
        return None
    links = mentions[node.index].links[:MOST_ANCHORS]
    return AnchorScores(tuple(link.node.id for link in links), tuple(link.score for link in links))


async def _trace_candidate(
    graph: Graph, candidate: Sentence, search: TraceSearch, seconds: float
) -> PatternOutcome:
    pattern, found = get_pattern(candidate), await graph.search_traces(search, seconds)
    located = [_read_trace(pattern, trace, search) for trace in found.traces]
    is_complete = found.is_complete
    if not search.rules.is_breadth and not any(_leads_as_written(each) for each in located):
        broad = replace(search, rules=replace(search.rules, strategy="breadth"))
        others = await graph.search_traces(broad, seconds)
        located += [_read_trace(pattern, trace, search) for trace in others.traces]
        is_complete &= others.is_complete
    different = {each.steps: each for each in reversed(located)}.values()
    return PatternOutcome(tuple(sorted(different, key=lambda each: each.surplus)), is_complete)


def _leads_as_written(located: LocatedPattern) -> bool:
    """Whether all relationships lead as the schema graph says."""
    return not any(step.reversed for step in located.steps)


def _read_trace(pattern: QuestionPattern, trace: Trace, search: TraceSearch) -> LocatedPattern:
    """What one trace takes a pattern for; its distance is what its relations lack in likeness."""
    steps, distance = [], 0.0
    for triple, given, stands in zip(pattern.triples, search.relations, trace.triples, strict=True):
        is_turned = stands.head.id != trace.nodes[triple.head].id
        steps.append(Step(stands.relation, is_turned))
        scores = dict(zip(given.types, given.scores, strict=True)) if given else {}
        distance += 1 - scores.get(stands.relation, 0.0) + (TURNED if is_turned else 0.0)
    anchors = tuple(
        (mapped.id,) if isinstance(node, MentionNode) else None
        for node, mapped in zip(pattern.nodes, trace.nodes, strict=True)
    )
    labels = ("",) * len(pattern.nodes)
    return LocatedPattern(pattern, tuple(steps), anchors, labels, distance, max(0.0, distance))


def _place_anchors(outcome: PatternOutcome, mentions: Sequence[Mention]) -> PatternOutcome:
    """The same with all nodes that a mention is equally well taken to mean: mostly of one name."""

    def widen(located: LocatedPattern) -> LocatedPattern:
        pairs = zip(located.pattern.nodes, located.anchors, strict=True)
        return replace(located, anchors=tuple(_list_alike(n, ids, mentions) for n, ids in pairs))

    return replace(outcome, located=tuple(map(widen, outcome.located)))


def _list_alike(
    node: PatternNode, ids: tuple[NodeId, ...] | None, mentions: Sequence[Mention]
) -> tuple[NodeId, ...] | None:
    if ids is None or not isinstance(node, MentionNode):
        return ids
    alike = list_anchor_ids(mentions[node.index])
    return tuple(alike) if {*ids} <= {*alike} else ids
