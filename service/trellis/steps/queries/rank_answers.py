"""Rank answers: a second model reads each answer's one-hop subgraph, and says how well it answers.

Source: GraphRAFT, section on the local subgraph reasoner (L2); the paper's model writes the nodes
that it picks, ours judges each by itself: its sentence is one of two words, and what it makes of
an answer is the probability of the one, over the two.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from trellis.automata.one_of import OneOf
from trellis.domain.cypher import CypherQuery
from trellis.domain.decoding import Search, Sentence
from trellis.domain.graph import Node
from trellis.domain.ports import Graph, LanguageModel
from trellis.domain.reply import Judgement
from trellis.domain.schema import Schema
from trellis.steps.queries.describe_answers import Found, describe_answers
from trellis.steps.queries.query_prompt import rank_prompt
from trellis.steps.queries.rank_queries import answers_of
from trellis.steps.queries.run_queries import QueryRun
from trellis.steps.queries.value_mentions import ValueMention

ANSWERS, DOES_NOT = " yes", " no"
JUDGEMENT = OneOf((ANSWERS, DOES_NOT))
"""What is said of an answer."""

MOST_RANKED = 32
"""Answers that are judged, taken in turn from all queries; others stay behind these."""

_LEAST = 1e-3  # how much is believed, at least, of what the model thinks wrong
_EVEN = 0.5  # what is thought of a query without answers to judge
_GREEDY = Search(mode="greedy", width=1, max_tokens=16)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The queries with their answers as the model sees them; `relevance` in [0, 1] of each answer
    that it read, none where there is no model."""

    runs: tuple[QueryRun, ...]
    relevance: Mapping[Node, float] = field(default_factory=dict)

    def ordered(self, judgement: Judgement, query: CypherQuery) -> Judgement:
        """A query's answers, the most relevant first, equals by name, so that the same question
        has the same answer; as they are where the query sorts them."""
        if " ORDER BY " in f" {' '.join(query.text.split())} ":
            return judgement
        best = sorted(
            judgement.answers,
            key=lambda one: (-self.relevance.get(one.node, -1.0), one.node.name, one.node.id),
        )
        return replace(judgement, answers=tuple(best))


async def rank_answers(
    ranker: LanguageModel | None,
    graph: Graph,
    question: str,
    mentions: Sequence[ValueMention],
    runs: Sequence[QueryRun],
) -> Ranking:
    """The model's view of all queries' answers, and the queries' probabilities in its light.

    What a query's answers are worth on average goes with its own probability; all queries
    together stay as probable as they were.
    """
    schema = await graph.schema()
    found = pooled(runs, schema)[:MOST_RANKED]
    if ranker is None or not found:
        return Ranking(tuple(runs))
    told = await describe_answers(graph, found, mentions)
    prompts = [rank_prompt(question, mentions, text) for text in told]
    sentences = await ranker.decode(prompts, [JUDGEMENT] * len(prompts), _GREEDY)
    judged = [_probability(best) for [best] in sentences]
    relevance = {one.node: chance for one, chance in zip(found, judged, strict=True)}
    return Ranking(_weighed(runs, relevance, schema), relevance)


def pooled(runs: Sequence[QueryRun], schema: Schema) -> list[Found]:
    """The answers of all queries, each once: the first of each query, then the second, …"""
    patterns: dict[Node, dict[str, None]] = {}
    columns = [_answers(run, schema) for run in runs]
    for run, column in zip(runs, columns, strict=True):
        for node in column:
            patterns.setdefault(node, {})[run.text] = None
    in_turn = chain.from_iterable(zip_longest(*columns))
    nodes = dict.fromkeys(node for node in in_turn if node is not None)
    return [Found(node, tuple(patterns[node])) for node in nodes]


def _answers(run: QueryRun, schema: Schema) -> list[Node]:
    """What a query gave; nothing where it gave no more than nulls and zeros."""
    if run.rows is None or not run.says_something:
        return []
    return answers_of(run.rows, schema, MOST_RANKED)


def _probability(best: Sentence) -> float:
    """Of the word for `answers`: of two words the one not said has the rest."""
    said = math.exp(best.score)
    return said if ANSWERS in best.values else 1.0 - said


def _weighed(
    runs: Sequence[QueryRun], relevance: Mapping[Node, float], schema: Schema
) -> tuple[QueryRun, ...]:
    """The runs, their probabilities times what their answers are worth, scaled to the same sum."""
    worth = [_worth(run, relevance, schema) for run in runs]
    pairs = list(zip(runs, worth, strict=True))
    before = sum(run.probability for run in runs)
    after = sum(run.probability * value for run, value in pairs)
    if not after:
        return tuple(runs)
    return tuple(
        replace(run, score=run.score + math.log(value * before / after)) for run, value in pairs
    )


def _worth(run: QueryRun, relevance: Mapping[Node, float], schema: Schema) -> float:
    judged = [relevance[node] for node in _answers(run, schema) if node in relevance]
    return max(_LEAST, sum(judged) / len(judged)) if judged else _EVEN
