"""Candidates for a batch of questions: patterns in memory, over what is around all their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from trellis.automata.frontier import Nodes
from trellis.domain.errors import GraphTimeoutError
from trellis.domain.graph import NodeId
from trellis.domain.ports import Graph
from trellis.domain.schema import Schema
from trellis.steps.queries.value_mentions import mentioned_values
from trellis.training.synthesis.explaining import heads
from trellis.training.synthesis.explaining.beliefs import prior
from trellis.training.synthesis.explaining.heads import Target
from trellis.training.synthesis.explaining.holders import Holders
from trellis.training.synthesis.explaining.patterns import Alive, Grown, Ways, grown, meeting
from trellis.training.synthesis.explaining.puzzles import Golds, Puzzle, Solved
from trellis.training.synthesis.explaining.relations import Relations
from trellis.training.synthesis.explaining.twigs import Candidate, Meaning

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
class Study:
    """How to look for explanations.

    `either`: relationships between nodes of one label are taken both ways at once. `apart`: each
    hop is a clause of its own, so that a relationship may be taken again.
    """

    hops: int
    either: bool
    apart: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class _Open:
    """A question on its way: the patterns around its values, and what its answers may be."""

    puzzle: Puzzle
    targets: list[Target]
    number: int | None
    patterns: list[Grown]


class Solver:
    """Solves batches of questions under one study."""

    def __init__(
        self, graph: Graph, schema: Schema, holders: Holders, study: Study, edge_budget: int
    ) -> None:
        self._graph = graph
        self._holders = holders
        self._study = study
        self._budget = max(edge_budget, _LEAST_ENTRIES)
        self._ways = Ways(schema, either=study.either, apart=study.apart)
        self._golds = Golds(graph, holders, schema)
        self._naming = {kind.label: kind.naming for kind in schema.labels}
        self._ordered = heads.ordered_properties(schema)

    async def solve(self, puzzles: Sequence[Puzzle]) -> list[Solved]:
        """What may explain each; where too much is around all of them, by halves."""
        try:
            return await self._together(puzzles)
        except GraphTimeoutError:
            if len(puzzles) == 1:
                return [puzzles[0].solved((), TOO_MUCH)]
            half = len(puzzles) // 2
            return [*await self.solve(puzzles[:half]), *await self.solve(puzzles[half:])]

    async def _together(self, puzzles: Sequence[Puzzle]) -> list[Solved]:
        await self._golds.ask([answer for puzzle in puzzles for answer in puzzle.asked.answers])
        await self._holders.ask(pair for puzzle in puzzles for pair in puzzle.wanted())
        relations = await self._around(puzzles)
        opened = [self._opened(puzzle, relations) for puzzle in puzzles]
        ids = list(relations.number)
        await self._holders.look(
            ids[node]
            for one in opened
            for each, _ in self._orderable(one)
            for node in each.nodes.tolist()
        )
        return [self._solved(one, ids) for one in opened]

    async def _around(self, puzzles: Sequence[Puzzle]) -> Relations:
        anchors = {node for puzzle in puzzles for _, held in self._held(puzzle) for node in held}
        return Relations(
            await self._graph.neighbourhood(
                sorted(anchors), self._study.hops, edge_budget=self._budget, names=False
            )
        )

    def _held(self, puzzle: Puzzle) -> Iterator[tuple[Meaning, frozenset[NodeId]]]:
        """The nodes that each meaning has; of meanings with the same nodes the first."""
        named = mentioned_values(puzzle.mentions)
        seen = set()
        for meaning, kind in puzzle.meanings:
            those = [self._holders.of(kind, named[value].stored.value) for value in meaning.values]
            nodes = frozenset[NodeId]().union(*those)
            if (meaning.mention, meaning.label, nodes) not in seen:
                seen.add((meaning.mention, meaning.label, nodes))
                yield meaning, nodes

    def _opened(self, puzzle: Puzzle, relations: Relations) -> _Open:
        answers = puzzle.asked.answers
        targets = [Target(g, len(answers), relations) for g in self._golds.of(answers)]
        number = int(answers[0]) if len(answers) == 1 and answers[0].isdecimal() else None
        if not targets and number is None:
            return _Open(puzzle, targets, number, [])
        leaves = [(m, relations.indices(nodes)) for m, nodes in self._held(puzzle)]
        alive = _anywhere if number is not None else self._alive(targets, relations)
        found = grown(leaves, relations, self._ways, self._study.hops, alive)
        telling = _telling(found, targets, number)
        return _Open(puzzle, targets, number, [*found, *meeting(telling, relations)])

    def _alive(self, targets: Sequence[Target], relations: Relations) -> Alive:
        nodes = np.unique(np.concatenate([target.nodes for target in targets]))
        within = relations.within(nodes, self._study.hops)

        def alive(nodes: Nodes, left: int) -> bool:
            return bool(within[left][nodes].any())

        return alive

    def _orderable(self, one: _Open) -> Iterator[tuple[Grown, Target]]:
        """The patterns that a single answer may be the first of, the likeliest ones."""
        if len(one.puzzle.asked.answers) > 1:
            return
        for target in one.targets:
            if target.gold.label not in self._ordered:
                continue
            pairs = [
                (each, candidate)
                for each in one.patterns
                if heads.worth_ordering(each, target.gold) and (candidate := target.candidate(each))
            ]
            pairs.sort(key=lambda pair: -prior(pair[1], one.puzzle.needed) + pair[1].fit)
            yield from ((each, target) for each, _ in pairs[:_MOST_ORDERED])

    def _solved(self, one: _Open, ids: Sequence[NodeId]) -> Solved:
        found = [c for target in one.targets for g in one.patterns if (c := target.candidate(g))]
        if one.number is not None:
            found += [c for g in one.patterns if (c := heads.counted(g, one.number))]
        for each, target in self._orderable(one):
            names = self._ordered[target.gold.label]
            here = [ids[node] for node in each.nodes.tolist()]
            found += heads.extremes(each, here, target.gold, names, self._holders)
        needed = one.puzzle.needed
        found = [c for c in found if not self._is_idle(c)]
        best = max((c.fit for c in found), default=0.0)
        kept = {c: prior(c, needed) for c in found if c.fit >= _NEARLY * best}
        first = sorted(kept, key=lambda c: (-kept[c], c.twig))[:_MOST]
        reason = "" if first else self._reason(one)
        return one.puzzle.solved(tuple(first), reason)

    def _is_idle(self, one: Candidate) -> bool:
        """Whether it gives back what it was given: the name of what is called so."""
        key = one.head.key or self._naming.get(one.twig.label)
        returned = one.head.form != "count"
        return returned and any(m.property == key and m.operator == "=" for m in one.twig.meanings)

    def _reason(self, one: _Open) -> str:
        if not one.puzzle.asked.answers:
            return NO_GOLD
        if not any(nodes for _, nodes in self._held(one.puzzle)):
            return NOTHING_LINKED
        return NOT_REACHED if one.targets or one.number is not None else NO_ANSWER


def _anywhere(nodes: Nodes, left: int) -> bool:  # noqa: ARG001
    return True


def _telling(found: Sequence[Grown], targets: Sequence[Target], number: int | None) -> list[Grown]:
    """The patterns of each mention that reach most of the answers, the briefest first."""
    by_said: dict[int, list[tuple[float, Grown]]] = {}
    for each in found:
        hits = max((c.hits for t in targets if (c := t.candidate(each))), default=0.0)
        if hits or number is not None:
            by_said.setdefault(each.said, []).append((hits, each))
    kept = []
    for those in by_said.values():
        most = max(hits for hits, _ in those)
        best = [each for hits, each in those if hits == most]
        kept += sorted(best, key=lambda g: (g.twig.size, len(g.nodes)))[:_MOST_MEETING]
    return kept
