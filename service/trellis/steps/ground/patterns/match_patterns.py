"""Match: find the subgraphs nearest to each pattern, and what they take its relations for.

Source: SimGRAG, sections 4.2 and 5: the graph semantic distance, and its search in the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

from trellis.domain.graphs.graph import NodeId, Revisit, Step
from trellis.domain.ports import Graph
from trellis.domain.structures.patterns import (
    LabelCandidates,
    NodeCandidates,
    PatternGraph,
    PatternMatch,
    PatternSearch,
    RelationCandidates,
)
from trellis.domain.structures.question_patterns import MentionNode, PatternNode, QuestionPattern
from trellis.steps.ground.patterns.find_candidates import PatternCandidates
from trellis.steps.ground.patterns.fold_patterns import Folding, keep_apart, list_foldings
from trellis.steps.retrieve.patterns.located_patterns import LocatedPattern, PatternOutcome

_TURNED = 0.25
"""What a relationship counts that leads against the relation which names it."""

_TINY = 1e-9  # difference of distances that rounding may make


async def match_patterns(
    graph: Graph,
    patterns: Sequence[QuestionPattern],
    candidates: PatternCandidates,
    revisit: Revisit,
    limit: int,
    seconds: float,
) -> list[PatternOutcome]:
    """For each pattern what the `limit` subgraphs nearest to it take it for.

    `revisit`: what unknown nodes may be. `seconds`: of each search.
    """
    searches = (
        _match_pattern(graph, pattern, candidates, revisit, limit, seconds) for pattern in patterns
    )
    return list(await asyncio.gather(*searches))


async def _match_pattern(
    graph: Graph,
    pattern: QuestionPattern,
    candidates: PatternCandidates,
    revisit: Revisit,
    limit: int,
    seconds: float,
) -> PatternOutcome:
    """The subgraphs of different nodes; where none is as near as can be, also those of foldings;
    where there is none at all, those whose relationships lead the other way."""
    apart = keep_apart(pattern)
    search = build_search(apart, candidates)
    if search is None:
        return PatternOutcome(())
    found = await graph.search_patterns(search, limit, seconds)
    matches = [(apart, match) for match in found.matches]
    is_complete = found.is_complete
    least = _measure_least(search)
    if not any(match.distance <= least + _TINY for _, match in matches):
        for folding in list_foldings(pattern, revisit):
            folded = build_search(folding, candidates)
            if folded is not None:
                more = await graph.search_patterns(folded, limit, seconds)
                matches += [(folding, match) for match in more.matches]
                is_complete = is_complete and more.is_complete
    if not matches and search.directed:
        turned = await graph.search_patterns(_ignore_directions(search), limit, seconds)
        matches = [(apart, match) for match in turned.matches]
        is_complete = is_complete and turned.is_complete
    matches.sort(key=lambda pair: pair[1].distance)
    located = (_read_match(folding, match, candidates) for folding, match in matches[:limit])
    return PatternOutcome(_keep_nearest(located), is_complete)


def build_search(folding: Folding, candidates: PatternCandidates) -> PatternSearch | None:
    """The search for a pattern; None where a part of it has no candidates at all.

    Directions count where all relations are said by their own names.
    """
    relations = tuple(candidates.relations[triple.relation] for triple in folding.triples)
    nodes = tuple(_find_node_candidates(node, candidates) for node in folding.nodes)
    if not all(given.types for given in relations):
        return None
    edges = tuple((triple.head, triple.tail) for triple in folding.triples)
    directed = all(candidates.is_named(triple.relation) for triple in folding.triples)
    return PatternSearch(PatternGraph(len(nodes), edges), nodes, relations, directed)


def _find_node_candidates(
    node: PatternNode, candidates: PatternCandidates
) -> NodeCandidates | LabelCandidates | None:
    if isinstance(node, MentionNode):
        return candidates.mentions[node.index]
    given = candidates.kinds.get(node.kind)
    return given if given and given.labels else None


def _ignore_directions(search: PatternSearch) -> PatternSearch:
    """The search for relationships of the very types that are named, whichever way they lead."""
    named = (given and _keep_named(given) for given in search.relations)
    return replace(search, relations=tuple(named), directed=False)


def _keep_named(given: RelationCandidates) -> RelationCandidates:
    pairs = zip(given.types, given.distances, strict=True)
    types = tuple(name for name, distance in pairs if not distance)
    return RelationCandidates(types, (0.0,) * len(types))


def _measure_least(search: PatternSearch) -> float:
    """The least distance that any subgraph could have."""
    return sum(min(given.distances) for given in (*search.nodes, *search.relations) if given)


def _read_match(
    folding: Folding, match: PatternMatch, candidates: PatternCandidates
) -> LocatedPattern:
    """What one subgraph takes a pattern for."""
    nodes = [match.nodes[place] for place in folding.places]
    steps = []
    for triple, place in zip(folding.pattern.triples, folding.triple_places, strict=True):
        stands = match.triples[place]
        steps.append(Step(stands.relation, stands.head.id != nodes[triple.head].id))
    anchors: list[tuple[NodeId, ...] | None] = []
    labels = []
    for node, mapped in zip(folding.pattern.nodes, nodes, strict=True):
        given = _find_node_candidates(node, candidates)
        anchors.append(
            _list_equally_near(given, mapped.id) if isinstance(given, NodeCandidates) else None
        )
        labels.append(
            _find_nearest_label(given, mapped.labels) if isinstance(given, LabelCandidates) else ""
        )
    pairs = zip(folding.pattern.triples, steps, strict=True)
    turned = sum(step.reversed for triple, step in pairs if candidates.is_named(triple.relation))
    surplus = max(0.0, match.distance - candidates.measure_links(folding.nodes)) + _TURNED * turned
    return LocatedPattern(
        folding.pattern, tuple(steps), tuple(anchors), tuple(labels), match.distance, surplus
    )


def _list_equally_near(given: NodeCandidates, id: NodeId) -> tuple[NodeId, ...]:
    """The candidates that are as near as one of them: mostly nodes of one name."""
    distance = given.distances[given.ids.index(id)]
    pairs = zip(given.ids, given.distances, strict=True)
    return tuple(other for other, far in pairs if abs(far - distance) <= _TINY)


def _find_nearest_label(given: LabelCandidates, labels: Sequence[str]) -> str:
    pairs = zip(given.distances, given.labels, strict=True)
    return min(((far, label) for far, label in pairs if label in labels), default=(0.0, ""))[1]


def _keep_nearest(located: Iterable[LocatedPattern]) -> tuple[LocatedPattern, ...]:
    """The distinct terms, each once with its least surplus, the least one first."""
    kept: dict[object, LocatedPattern] = {}
    for each in sorted(located, key=lambda each: each.surplus):
        kept.setdefault((each.steps, each.anchors, each.labels), each)
    return tuple(kept.values())
