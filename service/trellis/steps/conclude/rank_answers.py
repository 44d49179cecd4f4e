"""Rank answers: a second model reads each answer's one-hop subgraph, and judges its relevance.

Source: GraphRAFT, section on the local subgraph reasoner (L2). The paper's model writes the nodes
that it picks; ours judges each answer alone. Its sentence is `yes` or `no`, and the relevance of
an answer is the probability of `yes`, normalised over the two.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from trellis.automata.one_of import OneOf
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.ports import Graph, LanguageModel
from trellis.domain.replies.reply import Judgement
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.describe.describe_answers import RetrievedAnswer, describe_answers
from trellis.steps.ground.queries.answer_cells import list_answers
from trellis.steps.ground.queries.run_queries import QueryRun
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.queries.query_prompt import build_rank_prompt, mask_values

RELEVANT_WORD, IRRELEVANT_WORD = " yes", " no"
RELEVANCE_LANGUAGE = OneOf((RELEVANT_WORD, IRRELEVANT_WORD))
"""The language of a judgement: one of the two words."""

MOST_RANKED = 32
"""The most answers that are judged, taken in turn from all queries; others rank behind them."""

_LEAST_WORTH = 1e-3  # the least factor on a query whose answers the model judges wrong
_UNJUDGED_WORTH = 0.5  # the factor on a query without answers to judge
_GREEDY = Search(mode="greedy", width=1, max_tokens=16)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The queries, reweighed by their answers, and the relevance of these.

    `relevance`: in [0, 1], for each answer that the model judged; empty without a model.
    """

    runs: tuple[QueryRun, ...]
    relevance: Mapping[Node, float] = field(default_factory=dict)

    def order_answers(self, judgement: Judgement, query: CypherQuery) -> Judgement:
        """A query's answers, the most relevant first; unchanged where the query sorts them.

        Equally relevant answers come in order of their names, so that the order is always the same.
        """
        if " ORDER BY " in f" {' '.join(query.text.split())} ":
            return judgement
        best = sorted(
            judgement.answers,
            key=lambda a: (-self.relevance.get(a.node, -1.0), a.node.name, a.node.id),
        )
        return replace(judgement, answers=tuple(best))


async def rank_answers(
    ranker: LanguageModel | None, graph: Graph, form: QuestionForm, runs: Sequence[QueryRun]
) -> Ranking:
    """The relevance of all queries' answers, and the queries reweighed by it.

    A query's probability is multiplied by the mean relevance of its answers; the sum over all
    queries stays the same. Without a ranker the queries are returned unchanged.
    """
    answers = pool_answers(runs, form.schema)[:MOST_RANKED]
    if ranker is None or not answers:
        return Ranking(tuple(runs))
    texts = await describe_answers(graph, answers, form.mentions)
    masked = mask_values(form.text, form.mentions)
    prompts = [build_rank_prompt(masked, text) for text in texts]
    sentences = await ranker.decode(prompts, [RELEVANCE_LANGUAGE] * len(prompts), _GREEDY)
    chances = [_estimate_relevance(best) for [best] in sentences]
    pairs = zip(answers, chances, strict=True)
    relevance = {answer.node: chance for answer, chance in pairs}
    return Ranking(_reweigh_runs(runs, relevance, form.schema), relevance)


def pool_answers(runs: Sequence[QueryRun], schema: Schema) -> list[RetrievedAnswer]:
    """The answers of all queries, each once: the first of every query, then every second one."""
    patterns: dict[Node, dict[str, None]] = {}
    columns = [_list_run_answers(run, schema) for run in runs]
    for run, column in zip(runs, columns, strict=True):
        for node in column:
            patterns.setdefault(node, {})[run.text] = None
    in_turn = chain.from_iterable(zip_longest(*columns))
    nodes = dict.fromkeys(node for node in in_turn if node is not None)
    return [RetrievedAnswer(node, tuple(patterns[node])) for node in nodes]


def _list_run_answers(run: QueryRun, schema: Schema) -> list[Node]:
    """The first answers of a query; empty where its rows hold only nulls and zeros."""
    if run.rows is None or not run.has_results:
        return []
    return list_answers(run.rows, schema, MOST_RANKED)


def _estimate_relevance(sentence: Sentence) -> float:
    """The probability of `yes`; where the sentence is `no`, one minus its probability."""
    probability = math.exp(sentence.score)
    return probability if RELEVANT_WORD in sentence.values else 1.0 - probability


def _reweigh_runs(
    runs: Sequence[QueryRun], relevance: Mapping[Node, float], schema: Schema
) -> tuple[QueryRun, ...]:
    """The runs, their probabilities times the worth of their answers, scaled to the same sum."""
    worth = [_estimate_worth(run, relevance, schema) for run in runs]
    pairs = list(zip(runs, worth, strict=True))
    before = sum(run.probability for run in runs)
    after = sum(run.probability * value for run, value in pairs)
    if not after:
        return tuple(runs)
    return tuple(
        replace(run, score=run.score + math.log(value * before / after)) for run, value in pairs
    )


def _estimate_worth(run: QueryRun, relevance: Mapping[Node, float], schema: Schema) -> float:
    """The mean relevance of a run's judged answers; 0.5 where it has none."""
    judged = [relevance[node] for node in _list_run_answers(run, schema) if node in relevance]
    return max(_LEAST_WORTH, sum(judged) / len(judged)) if judged else _UNJUDGED_WORTH
