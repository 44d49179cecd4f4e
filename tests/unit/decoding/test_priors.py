"""What a general model writes anyhow counts less than what a question makes it write."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from memory_app import LetterEmbedder, MemoryGraph
from trellis.automata.one_of import OneOf
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt, PromptExample, PromptMessage
from trellis.engines.general import weigh_sentences, wrap_engine
from trellis.prompting.templates import Templates
from trellis.prompting.writer import PromptWriter
from trellis.steps.retrieve.queries.settings import CypherSettings

CARD = ModelCard.of("m", CypherSettings())
FOUND = (("list thing", 0.5), ("count thing", 0.4))
ANYHOW = {" list thing": 0.99, " count thing": 0.01}


class Engine:
    """Writes two sentences, of which the first is what it writes where nothing is asked."""

    card = CARD
    context = 1_000

    def __init__(self) -> None:
        self.asked: list[str] = []

    def count_chat_tokens(self, messages: Sequence[PromptMessage]) -> int:
        return sum(len(each.text) for each in messages) // 4

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        assert search.width
        [prompt], [language] = prompts, languages
        self.asked.append(prompt.messages[-1].text)
        if not isinstance(language, OneOf):
            return [[Sentence(text, (), (), math.log(share), 1) for text, share in FOUND]]
        told = {text: math.log(ANYHOW[text]) for text in language.texts}
        return [[Sentence(text.strip(), (), (), score, 1) for text, score in told.items()]]


class GrowingEngine(Engine):
    """The same, which can go on from what was begun."""

    async def extend_sentences(
        self, prompt: Prompt, language: Any, begun: Sequence[Sentence], search: Search
    ) -> Sequence[Sentence]:
        raise AssertionError((prompt, language, begun, search))


class NoExamples:
    """A bank of no examples."""

    async def find_examples(self, prompt: Prompt, count: int) -> Sequence[PromptExample]:
        assert prompt.task
        return ()[:count]


async def ask(engine: Engine) -> Sequence[Sentence]:
    writer = PromptWriter(MemoryGraph(), LetterEmbedder(), NoExamples(), Templates({}))
    model = wrap_engine(engine, writer, CARD, 1_000)
    [sentences] = await model.decode(
        [Prompt("cypher", "how many things?", "Query")], ["all"], Search()
    )
    return sentences


async def test_what_is_written_anyhow_comes_behind_what_the_question_makes_likely() -> None:
    engine = GrowingEngine()
    sentences = await ask(engine)
    assert [each.text for each in sentences] == ["count thing", "list thing"]
    assert sum(math.exp(each.score) for each in sentences) == pytest.approx(0.9)
    assert engine.asked == ["Question: how many things?", "Question:"]


async def test_a_hosted_model_is_not_asked_for_it() -> None:
    engine = Engine()
    assert [each.text for each in await ask(engine)] == ["list thing", "count thing"]
    assert len(engine.asked) == 1


def test_sentences_stay_as_probable_together_and_none_is_more_than_certain() -> None:
    [alone] = weigh_sentences([Sentence("a", (), (), -1.0, 1)], [5.0])
    assert alone.score == pytest.approx(-1.0)
    both = [Sentence("a", (), (), math.log(0.6), 1), Sentence("b", (), (), math.log(0.2), 1)]
    first, second = weigh_sentences(both, [0.0, math.log(3.0)])
    assert (math.exp(first.score), math.exp(second.score)) == pytest.approx((0.4, 0.4))
