"""Candidates for a batch of questions: patterns in memory, over what is around all their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from trellis.automata.paths.frontier import Nodes
from trellis.domain.errors import GraphTimeoutError
from trellis.domain.graphs.graph import NodeId
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Graph
from trellis.steps.link.values.value_mentions import name_mentioned_values
from trellis.training.supervision.queries import returns
from trellis.training.supervision.queries.growing import (
    Alive,
    GrownTree,
    SchemaSteps,
    find_meeting_trees,
    grow_trees,
)
from trellis.training.supervision.queries.holders import Holders
from trellis.training.supervision.queries.mixture import weigh_first
from trellis.training.supervision.queries.pattern_trees import Candidate, Meaning
from trellis.training.supervision.queries.relations import Relations
from trellis.training.supervision.queries.returns import Target
from trellis.training.supervision.queries.weak_examples import (
    AnswerFinder,
    CandidateSet,
    WeakQueryExample,
)

NOTHING_LINKED = "no value linked"
NO_GOLD = "no answers given"
NO_ANSWER = "answers not in the graph"
NOT_REACHED = "nothing reaches the answers"
TOO_MUCH = "too much around its values"

_LEAST_ENTRIES = 2_000_000  # of a batch's neighbourhood, whatever one question may have
_NEARLY = 0.7  # share of the best fit from which a pattern is a candidate
_MOST = 150  # candidates of a question
_MOST_MEETING = 80  # patterns of a question that are tried for meeting in the answer
_MOST_ORDERED = 60  # patterns of a question that the first is looked for of


@dataclass(frozen=True, slots=True)
class SearchRules:
    """How to look for explanations.

    `either`: relationships between nodes of one label are taken both ways at once. `apart`: each
    hop is a clause of its own, so that a relationship may be taken again.
    """

    hops: int
    either: bool
    apart: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class _OpenQuestion:
    """A question on its way: the patterns around its values, and what its answers may be."""

    example: WeakQueryExample
    targets: list[Target]
    number: int | None
    patterns: list[GrownTree]


class CandidateFinder:
    """Solves batches of questions under the same rules."""

    def __init__(
        self, graph: Graph, schema: Schema, holders: Holders, rules: SearchRules, edge_budget: int
    ) -> None:
        self._graph = graph
        self._holders = holders
        self._rules = rules
        self._budget = max(edge_budget, _LEAST_ENTRIES)
        self._ways = SchemaSteps(schema, either=rules.either, apart=rules.apart)
        self._answers = AnswerFinder(graph, holders, schema)
        self._naming = {kind.label: kind.naming for kind in schema.labels}
        self._ordered = returns.list_ordered_properties(schema)

    async def find_candidates(self, examples: Sequence[WeakQueryExample]) -> list[CandidateSet]:
        """What may explain each; where too much is around all of them, by halves."""
        try:
            return await self._find_together(examples)
        except GraphTimeoutError:
            if len(examples) == 1:
                return [examples[0].with_candidates((), TOO_MUCH)]
            half = len(examples) // 2
            return [
                *await self.find_candidates(examples[:half]),
                *await self.find_candidates(examples[half:]),
            ]

    async def _find_together(self, examples: Sequence[WeakQueryExample]) -> list[CandidateSet]:
        await self._answers.look_up(
            [answer for example in examples for answer in example.asked.known_answers]
        )
        await self._holders.find_holders(
            pair for example in examples for pair in example.list_values()
        )
        relations = await self._load_relations(examples)
        opened = [self._grow_patterns(example, relations) for example in examples]
        ids = list(relations.number)
        await self._holders.read_nodes(
            ids[node]
            for question in opened
            for grown, _ in self._find_orderable(question)
            for node in grown.nodes.tolist()
        )
        return [self._rank_within(question, ids) for question in opened]

    async def _load_relations(self, examples: Sequence[WeakQueryExample]) -> Relations:
        anchors = {
            node
            for example in examples
            for _, held in self._find_held_nodes(example)
            for node in held
        }
        return Relations(
            await self._graph.neighbourhood(
                sorted(anchors), self._rules.hops, edge_budget=self._budget, names=False
            )
        )

    def _find_held_nodes(
        self, example: WeakQueryExample
    ) -> Iterator[tuple[Meaning, frozenset[NodeId]]]:
        """The nodes that each meaning has; of meanings with the same nodes the first."""
        named = name_mentioned_values(example.mentions)
        seen = set()
        for meaning, kind in example.meanings:
            those = [self._holders.of(kind, named[value].stored.value) for value in meaning.values]
            nodes = frozenset[NodeId]().union(*those)
            if (meaning.mention, meaning.label, nodes) not in seen:
                seen.add((meaning.mention, meaning.label, nodes))
                yield meaning, nodes

    def _grow_patterns(self, example: WeakQueryExample, relations: Relations) -> _OpenQuestion:
        answers = example.asked.known_answers
        targets = [Target(g, len(answers), relations) for g in self._answers.find_answers(answers)]
        number = int(answers[0]) if len(answers) == 1 and answers[0].isdecimal() else None
        if not targets and number is None:
            return _OpenQuestion(example, targets, number, [])
        leaves = [(m, relations.find_indices(nodes)) for m, nodes in self._find_held_nodes(example)]
        alive = self._make_alive(targets, relations) if number is None else None
        grown_trees = grow_trees(leaves, relations, self._ways, self._rules.hops, alive)
        telling = _pick_telling(grown_trees, targets, number)
        return _OpenQuestion(
            example, targets, number, [*grown_trees, *find_meeting_trees(telling, relations)]
        )

    def _make_alive(self, targets: Sequence[Target], relations: Relations) -> Alive:
        nodes = np.unique(np.concatenate([target.nodes for target in targets]))
        within = relations.find_within(nodes, self._rules.hops)

        def alive(nodes: Nodes, left: int) -> bool:
            return bool(within[left][nodes].any())

        return alive

    def _find_orderable(self, question: _OpenQuestion) -> Iterator[tuple[GrownTree, Target]]:
        """The patterns that a single answer may be the first of, the likeliest ones."""
        if len(question.example.asked.known_answers) > 1:
            return
        for target in question.targets:
            if target.gold.label not in self._ordered:
                continue
            pairs = [
                (grown, candidate)
                for grown in question.patterns
                if returns.is_worth_ordering(grown, target.gold)
                and (candidate := target.make_candidate(grown))
            ]
            pairs.sort(
                key=lambda pair: -weigh_first(pair[1], question.example.needed) + pair[1].fit
            )
            yield from ((grown, target) for grown, _ in pairs[:_MOST_ORDERED])

    def _rank_within(self, question: _OpenQuestion, ids: Sequence[NodeId]) -> CandidateSet:
        candidates = [
            c
            for target in question.targets
            for g in question.patterns
            if (c := target.make_candidate(g))
        ]
        if question.number is not None:
            candidates += [
                c for g in question.patterns if (c := returns.make_count(g, question.number))
            ]
        for grown, target in self._find_orderable(question):
            names = self._ordered[target.gold.label]
            here = [ids[node] for node in grown.nodes.tolist()]
            candidates += returns.find_extremes(grown, here, target.gold, names, self._holders)
        needed = question.example.needed
        candidates = [c for c in candidates if not self._is_idle(c)]
        best = max((c.fit for c in candidates), default=0.0)
        kept = {c: weigh_first(c, needed) for c in candidates if c.fit >= _NEARLY * best}
        first = sorted(kept, key=lambda c: (-kept[c], c.tree))[:_MOST]
        reason = "" if first else self._tell_reason(question)
        return question.example.with_candidates(tuple(first), reason)

    def _is_idle(self, candidate: Candidate) -> bool:
        """Whether it gives back what it was given: the name of what is called so."""
        key = candidate.head.key or self._naming.get(candidate.tree.label)
        returned = candidate.head.form != "count"
        return returned and any(
            m.property == key and m.operator == "=" for m in candidate.tree.meanings
        )

    def _tell_reason(self, question: _OpenQuestion) -> str:
        if not question.example.asked.known_answers:
            return NO_GOLD
        if not any(nodes for _, nodes in self._find_held_nodes(question.example)):
            return NOTHING_LINKED
        return NOT_REACHED if question.targets or question.number is not None else NO_ANSWER


def _pick_telling(
    grown_trees: Sequence[GrownTree], targets: Sequence[Target], number: int | None
) -> list[GrownTree]:
    """The patterns of each mention that reach most of the answers, the briefest first."""
    by_said: dict[int, list[tuple[float, GrownTree]]] = {}
    for grown in grown_trees:
        hits = max((c.hits for t in targets if (c := t.make_candidate(grown))), default=0.0)
        if hits or number is not None:
            by_said.setdefault(grown.said, []).append((hits, grown))
    kept = []
    for those in by_said.values():
        most = max(hits for hits, _ in those)
        best = [grown for hits, grown in those if hits == most]
        kept += sorted(best, key=lambda g: (g.tree.size, len(g.nodes)))[:_MOST_MEETING]
    return kept
