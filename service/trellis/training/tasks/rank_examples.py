"""Examples of task `rank`: answers of right and of wrong queries, described as they will be.

A question's gold query gives its right answers; what else the queries near it return is wrong:
those a move or two away from it, and those that a model writes to the question where there is one.
Source: GraphRAFT, training of the local subgraph reasoner; the wrong queries are ours.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.ports import Graph, LanguageModel, Queries
from trellis.domain.structures.cypher import QueryLimits
from trellis.linking.text import name_key
from trellis.questions.row import QuestionRow
from trellis.steps.conclude.rank_answers import IRRELEVANT_WORD, RELEVANT_WORD, pool_answers
from trellis.steps.describe.describe_answers import RetrievedAnswer, describe_answers
from trellis.steps.ground.queries.run_queries import run_queries
from trellis.steps.link.values.value_mentions import name_values
from trellis.steps.retrieve.queries.query_prompt import (
    build_query_prompt,
    build_rank_prompt,
    mask_values,
)
from trellis.training.examples import Example
from trellis.training.synthesis.query_edits import edit_query, make_sentence
from trellis.training.tasks.cypher_examples import LinkValues, make_query_example

_AT_ONCE = 2  # questions; each has a dozen queries
_EDITS = 6  # queries near the gold one
_RIGHT, _WRONG = 3, 6  # answers of a question that are learnt from, at most
_MOST = QueryLimits(rows=50, seconds=5.0)
_CANDIDATES = Search(width=5)


@dataclass(frozen=True, slots=True)
class RankExamples:
    """Makes examples of questions over a loaded graph; `writer`: a model that writes queries, in
    the same rendering options, whose candidates will be told apart."""

    graph: Graph
    queries: Queries
    schema: Schema
    link: LinkValues
    rendering: RenderingOptions
    seed: int
    writer: LanguageModel | None = None

    async def make_examples(self, questions: Sequence[QuestionRow]) -> list[list[Example]]:
        """Of each question that has a query its answers, right and wrong ones; those whose query
        cannot be said, or gives nothing, are left out."""
        turn = asyncio.Semaphore(_AT_ONCE)

        async def make_in_turn(number: int, asked: QuestionRow) -> list[Example]:
            async with turn:
                return await self._make_examples(asked, random.Random(f"{self.seed} {number}"))

        examples_by_question = await asyncio.gather(
            *(make_in_turn(i, asked) for i, asked in enumerate(questions))
        )
        return [examples for examples in examples_by_question if examples]

    async def _make_examples(self, asked: QuestionRow, choice: random.Random) -> list[Example]:
        linked_mentions = await self.link(asked.question)
        gold = make_query_example(self.schema, asked, linked_mentions, self.rendering)
        if gold is None:
            return []
        mentions = gold.mentions
        language = CypherLanguage(self.schema, name_values(mentions, self.schema), self.rendering)
        state = follow_moves(language, gold.example.segments)
        right = make_sentence(language, state)
        written = await self._write_queries(asked, mentions, language)
        wrong = [*written, *edit_query(language, state, _EDITS, choice)]
        tried = {sentence.text: replace(sentence, score=0.0) for sentence in (right, *wrong)}
        runs = await run_queries(self.queries, list(tried.values()), _MOST, len(tried))
        pooled = pool_answers(runs, self.schema)
        keys = _find_right_keys(asked, pooled, right)
        return await self._describe_pooled(
            asked, mentions, _pick_answers(pooled, keys, choice), keys
        )

    async def _write_queries(
        self, asked: QuestionRow, mentions: Sequence[Mention], language: CypherLanguage
    ) -> Sequence[Sentence]:
        if self.writer is None:
            return ()
        prompt = build_query_prompt(asked.question, mentions)
        [sentences] = await self.writer.decode([prompt], [language], _CANDIDATES)
        return sentences

    async def _describe_pooled(
        self,
        asked: QuestionRow,
        mentions: Sequence[Mention],
        pooled: Sequence[RetrievedAnswer],
        keys: Collection[str],
    ) -> list[Example]:
        """The answers' prompts; right and wrong ones weigh the same, whatever their numbers."""
        told = await describe_answers(self.graph, pooled, mentions)
        masked = mask_values(asked.question, mentions)
        right = [name_key(answer.node.name) in keys for answer in pooled]
        weights = {is_right: 1 / right.count(is_right) for is_right in set(right)}
        return [
            Example(
                build_rank_prompt(masked, text),
                (RELEVANT_WORD if is_right else IRRELEVANT_WORD,),
                weights[is_right],
            )
            for text, is_right in zip(told, right, strict=True)
        ]


def _find_right_keys(
    asked: QuestionRow, pooled: Iterable[RetrievedAnswer], gold: Sentence
) -> set[str]:
    """The keys of the right answers' names: as given, else what the gold query returned."""
    if asked.known_answers:
        return set(map(name_key, asked.known_answers))
    return {name_key(answer.node.name) for answer in pooled if gold.text in answer.patterns}


def _pick_answers(
    pooled: Sequence[RetrievedAnswer], keys: Collection[str], choice: random.Random
) -> list[RetrievedAnswer]:
    """Some right and some wrong answers, the order mixed; none where there is no right one.

    Each with some of its queries: how many give an answer hangs on how many were tried.
    """
    cut = [
        replace(it, patterns=it.patterns[: choice.randint(1, len(it.patterns))]) for it in pooled
    ]
    mixed = choice.sample(cut, len(cut))
    right = [answer for answer in mixed if name_key(answer.node.name) in keys]
    wrong = [answer for answer in mixed if name_key(answer.node.name) not in keys]
    return [*right[:_RIGHT], *wrong[:_WRONG]] if right else []
