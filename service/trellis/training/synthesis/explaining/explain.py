"""Explain answers: for questions with answers, the query that gives these best, found by running.

Candidates are made out in memory, a batch of questions at a time, and kept; the wording of all
questions says which are likely; these are run through the gate, and count for what they give.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter

from trellis.automata.cypher.lexicon import KnownSchema
from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.ports import Graph, Queries
from trellis.graph.progress import Progress, silent
from trellis.training.questions import Asked
from trellis.training.synthesis.explaining.beliefs import Believed, ranked
from trellis.training.synthesis.explaining.coverage import NO_QUERY, Explained
from trellis.training.synthesis.explaining.given import given
from trellis.training.synthesis.explaining.holders import Holders
from trellis.training.synthesis.explaining.kept import Kept, key_of
from trellis.training.synthesis.explaining.puzzles import Puzzle, Solved, read
from trellis.training.synthesis.explaining.running import Runner
from trellis.training.synthesis.explaining.solving import Solver, Study
from trellis.training.synthesis.explaining.twigs import Candidate

_HOPS = 3  # that are tried
_PROBED = 60  # questions that it is chosen on how far and which way to look
_COMPARED = 240  # questions that it is chosen on whether a relationship may be taken again
_GAIN = 0.02  # what a further hop must explain more of
_BATCH = 32
_AT_ONCE = 8
_FILE = "explained.jsonl"
_RULES = 2  # changes where equal arguments no longer give equal candidates


@dataclass(frozen=True, slots=True)
class Means:
    """What explaining is done with. `run`: the folder that what was found is kept in; `hops`:
    how far to look, None: as far as it helps."""

    graph: Graph
    queries: Queries
    rendering: RenderingOptions
    run: Path
    hops: int | None = None
    edge_budget: int = 200_000
    report: Progress = silent


async def explain(asked: Sequence[Asked], means: Means) -> tuple[list[Explained], Study]:
    """Each question with the query that explains its answers best, or why there is none; and how
    relationships are taken in these queries.

    Goes on where a run with the same questions and arguments stopped, on the same graph.
    """
    work = _Work(means, KnownSchema(await means.graph.schema()))
    study = await work.study(asked)
    solved = await work.solved(asked, study, "explaining")
    return await work.run(asked, solved, _believed(solved), apart=study.apart), study


class _Work:
    def __init__(self, means: Means, known: KnownSchema) -> None:
        self._means = means
        self._known = known
        self._kept = Kept(means.run / _FILE, TypeAdapter(Solved))
        self._holders = Holders(means.queries)

    async def study(self, asked: Sequence[Asked]) -> Study:
        """How relationships are taken, chosen on some of the questions."""
        reach = await self._reach(_some(asked, _PROBED))
        return await self._clauses(_some(asked, _COMPARED), reach)

    async def _clauses(self, compared: Sequence[Asked], study: Study) -> Study:
        """The same with each hop in a clause of its own, if that gives more of the answers.

        Only the likeliest queries, run, tell: wherever a walk comes back, others fit as well. Where
        these give the same, a walk may come back, unless relationships are taken both ways: there
        every walk could go back at once, which is hardly meant.
        """
        if study.hops < 2:
            return study
        solved = await self.solved(compared, study, "probing")
        likeliest = [those[:1] for those in _believed(solved)]
        fits = {
            apart: _run_fit(await self.run(compared, solved, likeliest, apart=apart))
            for apart in (False, True)
        }
        if abs(fits[True] - fits[False]) > 1e-6:
            return replace(study, apart=fits[True] > fits[False])
        return replace(study, apart=not study.either)

    async def _reach(self, probed: Sequence[Asked]) -> Study:
        """How far and which way relationships are taken."""
        most = self._means.hops or _HOPS
        chosen, best = Study(most, either=False), list[Solved]()
        for either in (False, True):
            study = Study(most, either)
            solved = await self.solved(probed, study, "probing")
            if not best or _mean(solved, most) > _mean(best, most) + 1e-6:
                chosen, best = study, solved
        if self._means.hops:
            return chosen
        hops, fit = 1, 0.0
        for tried in range(1, most + 1):
            if (more := _mean(best, tried)) > fit + _GAIN:
                hops, fit = tried, more
        return replace(chosen, hops=hops) if fit else chosen

    async def solved(self, asked: Sequence[Asked], study: Study, stage: str) -> list[Solved]:
        """What may explain each question; what was found out before is not looked for again."""
        keys = [self._key(one, study) for one in asked]
        open = {key: one for key, one in zip(keys, asked, strict=True) if not self._kept.get(key)}
        graph, schema = self._means.graph, self._known.schema
        solver = Solver(graph, schema, self._holders, study, self._means.edge_budget)
        done = 0
        for some in _batches(list(open.items())):
            self._kept.put(await self._found(solver, dict(some)))
            done += len(some)
            self._means.report(stage, done, len(open))
        found = [self._kept.get(key) for key in keys]
        return [one for one in found if one is not None]

    async def _found(self, solver: Solver, asked: Mapping[str, Asked]) -> dict[str, Solved]:
        """What may explain some questions by key: their paths where they come with any."""
        graph, known = self._means.graph, self._known
        turn = asyncio.Semaphore(_AT_ONCE)

        async def puzzle(one: Asked) -> Puzzle:
            async with turn:
                return await read(one, graph, known)

        puzzles = await asyncio.gather(*map(puzzle, asked.values()))
        pairs = [(key, each, given(each)) for key, each in zip(asked, puzzles, strict=True)]
        told = {key: each.solved((one,)) for key, each, one in pairs if one}
        left = {key: each for key, each, one in pairs if not one}
        found = await solver.solve(list(left.values()))
        return told | dict(zip(left, found, strict=True))

    async def run(
        self,
        asked: Sequence[Asked],
        solved: Sequence[Solved],
        beliefs: Sequence[list[Believed]],
        *,
        apart: bool,
    ) -> list[Explained]:
        """Each question with the likeliest explanation that gives what it should."""
        runner = Runner(self._means.queries, self._known, self._means.rendering, apart=apart)
        turn = asyncio.Semaphore(_AT_ONCE)

        async def one(question: Asked, of: Solved, those: list[Believed]) -> Explained:
            async with turn:
                run = await runner.best(those, of.mentions, question.answers)
            if run is None:
                return Explained(question, reason=of.reason or NO_QUERY)
            rivals = sum(_as_good(each.candidate, run.candidate) for each in those) - 1
            return Explained(replace(question, cypher=run.cypher), run, rivals)

        return list(await asyncio.gather(*map(one, asked, solved, beliefs)))

    def _key(self, asked: Asked, study: Study) -> str:
        schema = self._known.schema
        graph = [schema.fingerprint, schema.nodes, schema.edges]
        return key_of(_RULES, graph, study, self._means.edge_budget, asked)


def _believed(solved: Sequence[Solved]) -> list[list[Believed]]:
    """The explanations of each question, likeliest first."""
    return ranked(
        [one.words for one in solved],
        [one.needed for one in solved],
        [one.candidates for one in solved],
    )


def _some(asked: Sequence[Asked], count: int) -> Sequence[Asked]:
    """Up to some of the questions, spread over all."""
    most = min(count, len(asked))
    return [asked[index * len(asked) // most] for index in range(most)]


def _run_fit(found: Sequence[Explained]) -> float:
    """How well queries that were run give the answers."""
    return sum(each.run.fit for each in found if each.run) / max(1, len(found))


def _as_good(one: Candidate, other: Candidate) -> bool:
    said = [{meaning.mention for meaning in each.twig.said()} for each in (one, other)]
    return one.fit >= other.fit - 1e-6 and said[0] >= said[1]


def _mean(solved: Sequence[Solved], hops: int) -> float:
    """How well patterns of up to some hops give the answers, without numbers and firsts: these
    are hit by chance."""
    best = [
        max(
            (c.fit for c in one.candidates if c.twig.depth <= hops and _whole(c)),
            default=0.0,
        )
        for one in solved
    ]
    return sum(best) / max(1, len(best))


def _whole(one: Candidate) -> bool:
    return one.head.form != "count" and not one.head.order


def _batches(items: list[tuple[str, Asked]]) -> Iterator[list[tuple[str, Asked]]]:
    return (items[start : start + _BATCH] for start in range(0, len(items), _BATCH))
