"""Explain answers: for questions with answers, the query that gives these best, found by running.

Candidates are made out in memory, a batch of questions at a time, and kept; the wording of all
questions says which are likely; these are run through the gate, and count for what they give.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from pydantic import TypeAdapter

from trellis.automata.cypher.options import NARROW
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.questions.row import QuestionRow
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions
from trellis.training.supervision.probing import choose_hops
from trellis.training.supervision.queries.candidates import CandidateFinder, SearchRules
from trellis.training.supervision.queries.coverage import NO_QUERY, QueryExplanation
from trellis.training.supervision.queries.holders import Holders
from trellis.training.supervision.queries.mixture import RankedCandidate, rank_candidates
from trellis.training.supervision.queries.pattern_trees import Candidate
from trellis.training.supervision.queries.resuming import ResultCache, digest_key
from trellis.training.supervision.queries.run_candidates import CandidateRunner
from trellis.training.supervision.queries.weak_examples import (
    CandidateSet,
    WeakQueryExample,
    read_example,
    read_gold_paths,
)

_HOPS = 3  # that are tried
_PROBED = 60  # questions that it is chosen on how far and which way to look
_COMPARED = 240  # questions that it is chosen on whether a relationship may be taken again
_BATCH = 32
_AT_ONCE = 8
_FILE = "explained.jsonl"
_RULES = 3  # changes where equal arguments no longer give equal candidates


async def explain_queries(
    questions: Sequence[QuestionRow], means: TrainingContext, options: TrainingOptions
) -> tuple[list[QueryExplanation], SearchRules]:
    """Each question with the query that explains its answers best, or why there is none; and how
    relationships are taken in these queries.

    Goes on where a run with the same questions and arguments stopped, on the same graph.
    """
    work = _Work(means, options, IndexedSchema(await means.graph.schema()))
    rules = await work.choose_rules(questions)
    candidate_sets = await work.find_candidates(questions, rules, "explaining")
    rankings = _rank_all(candidate_sets)
    explanations = await work.run_explanations(
        questions, candidate_sets, rankings, apart=rules.apart
    )
    return explanations, rules


class _Work:
    def __init__(
        self, means: TrainingContext, options: TrainingOptions, known: IndexedSchema
    ) -> None:
        self._means = means
        self._options = options
        self._known = known
        self._cache = ResultCache(options.run_folder / _FILE, TypeAdapter(CandidateSet))
        self._holders = Holders(means.queries)

    async def choose_rules(self, questions: Sequence[QuestionRow]) -> SearchRules:
        """How relationships are taken, chosen on some of the questions."""
        rules = await self._choose_reach(_sample_evenly(questions, _PROBED))
        return await self._choose_clauses(_sample_evenly(questions, _COMPARED), rules)

    async def _choose_clauses(
        self, compared: Sequence[QuestionRow], rules: SearchRules
    ) -> SearchRules:
        """The same with each hop in a clause of its own, if that gives more of the answers.

        Only the likeliest queries, run, tell: wherever a walk comes back, others fit as well. Where
        these give the same, a walk may come back, unless relationships are taken both ways: there
        every walk could go back at once, which is hardly meant.
        """
        if rules.hops < 2:
            return rules
        candidate_sets = await self.find_candidates(compared, rules, "probing")
        likeliest = [those[:1] for those in _rank_all(candidate_sets)]
        fits = {
            apart: _mean_run_fit(
                await self.run_explanations(compared, candidate_sets, likeliest, apart=apart)
            )
            for apart in (False, True)
        }
        if abs(fits[True] - fits[False]) > 1e-6:
            return replace(rules, apart=fits[True] > fits[False])
        return replace(rules, apart=not rules.either)

    async def _choose_reach(self, probed: Sequence[QuestionRow]) -> SearchRules:
        """How far and which way relationships are taken."""
        most = self._options.hops or _HOPS
        chosen, best = SearchRules(most, either=False), list[CandidateSet]()
        for either in (False, True):
            rules = SearchRules(most, either)
            candidate_sets = await self.find_candidates(probed, rules, "probing")
            if not best or _mean_fit(candidate_sets, most) > _mean_fit(best, most) + 1e-6:
                chosen, best = rules, candidate_sets
        if self._options.hops:
            return chosen
        hops = choose_hops([_mean_fit(best, tried) for tried in range(1, most + 1)])
        return replace(chosen, hops=hops or most)

    async def find_candidates(
        self, questions: Sequence[QuestionRow], rules: SearchRules, stage: str
    ) -> list[CandidateSet]:
        """What may explain each question; what was found out before is not looked for again."""
        keys = [self._make_key(question, rules) for question in questions]
        pairs = zip(keys, questions, strict=True)
        left = {key: question for key, question in pairs if not self._cache.get_result(key)}
        budget = self._options.edge_budget
        finder = CandidateFinder(
            self._means.graph, self._known.schema, self._holders, rules, budget
        )
        done = 0
        for start in range(0, len(left), _BATCH):
            some = dict(list(left.items())[start : start + _BATCH])
            self._cache.add_results(await self._find_batch(finder, some))
            done += len(some)
            self._means.report(stage, done, len(left))
        results = [self._cache.get_result(key) for key in keys]
        return [result for result in results if result is not None]

    async def _find_batch(
        self, finder: CandidateFinder, questions: Mapping[str, QuestionRow]
    ) -> dict[str, CandidateSet]:
        """What may explain some questions by key: their paths where they come with any."""
        turn = asyncio.Semaphore(_AT_ONCE)

        async def read_in_turn(question: QuestionRow) -> WeakQueryExample:
            async with turn:
                return await read_example(question, self._means.graph, self._known)

        examples = await asyncio.gather(*map(read_in_turn, questions.values()))
        pairs = [
            (key, example, read_gold_paths(example))
            for key, example in zip(questions, examples, strict=True)
        ]
        given = {
            key: example.with_candidates((candidate,))
            for key, example, candidate in pairs
            if candidate
        }
        left = {key: example for key, example, candidate in pairs if not candidate}
        candidate_sets = await finder.find_candidates(list(left.values()))
        return given | dict(zip(left, candidate_sets, strict=True))

    async def run_explanations(
        self,
        questions: Sequence[QuestionRow],
        candidate_sets: Sequence[CandidateSet],
        rankings: Sequence[list[RankedCandidate]],
        *,
        apart: bool,
    ) -> list[QueryExplanation]:
        """Each question with the likeliest explanation that gives what it should."""
        runner = CandidateRunner(self._means.queries, self._known, NARROW, apart=apart)
        turn, done = asyncio.Semaphore(_AT_ONCE), count(1)

        async def explain(
            question: QuestionRow, of: CandidateSet, ranking: list[RankedCandidate]
        ) -> QueryExplanation:
            async with turn:
                run = await runner.find_best(ranking, of.mentions, question.known_answers)
            self._means.report("running queries", next(done), len(questions))
            if run is None:
                return QueryExplanation(question, reason=of.reason or NO_QUERY)
            rivals = sum(_is_as_good(ranked.candidate, run.candidate) for ranked in ranking) - 1
            return QueryExplanation(replace(question, cypher=run.cypher), run, rivals)

        return list(await asyncio.gather(*map(explain, questions, candidate_sets, rankings)))

    def _make_key(self, question: QuestionRow, rules: SearchRules) -> str:
        schema = self._known.schema
        graph = [schema.fingerprint, schema.nodes, schema.edges]
        return digest_key(_RULES, graph, rules, self._options.edge_budget, question)


def _rank_all(candidate_sets: Sequence[CandidateSet]) -> list[list[RankedCandidate]]:
    """The explanations of each question, likeliest first."""
    return rank_candidates(
        [candidate_set.words for candidate_set in candidate_sets],
        [candidate_set.needed for candidate_set in candidate_sets],
        [candidate_set.candidates for candidate_set in candidate_sets],
    )


def _sample_evenly(questions: Sequence[QuestionRow], count: int) -> Sequence[QuestionRow]:
    """Up to some of the questions, spread over all."""
    most = min(count, len(questions))
    return [questions[index * len(questions) // most] for index in range(most)]


def _mean_run_fit(explanations: Sequence[QueryExplanation]) -> float:
    """How well queries that were run give the answers."""
    fits = [explanation.run.fit for explanation in explanations if explanation.run]
    return sum(fits) / max(1, len(explanations))


def _is_as_good(candidate: Candidate, other: Candidate) -> bool:
    said = [
        {meaning.mention for meaning in compared.tree.meanings_below()}
        for compared in (candidate, other)
    ]
    return candidate.fit >= other.fit - 1e-6 and said[0] >= said[1]


def _mean_fit(candidate_sets: Sequence[CandidateSet], hops: int) -> float:
    """How well patterns of up to some hops give the answers, without numbers and firsts: these
    are hit by chance."""
    best = [
        max(
            (c.fit for c in candidate_set.candidates if c.tree.depth <= hops and _gives_all(c)),
            default=0.0,
        )
        for candidate_set in candidate_sets
    ]
    return sum(best) / max(1, len(best))


def _gives_all(candidate: Candidate) -> bool:
    return candidate.head.form != "count" and not candidate.head.order
