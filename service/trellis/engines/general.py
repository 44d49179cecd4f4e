"""A general model: an engine whose prompts are chats, written for each question.

Pipelines ask it as they ask any model. It adds instructions, schema and examples to a prompt, and
leaves the rest to the engine, which encodes the chat by the model's own template.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from trellis.automata.one_of import OneOf
from trellis.automata.tokens.vocabulary import TokenizerVocabulary, Tokens
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt, PromptMessage
from trellis.domain.ports import GrowingModel, LanguageModel
from trellis.models.chat_template import ChatTemplate
from trellis.prompting.writer import PromptRoom, PromptWriter

_SENTENCE_SHARE = 4
"""The part of what a model can read that is kept for the sentence, if it may be so long."""


PRIOR_WEIGHTS: Mapping[str, float] = {"cypher": 0.2}
"""As measured for queries: more loses what is seldom asked for. Other tasks were not measured."""


class ChatTokenizer(Protocol):
    """How chats become tokens.

    `context`: the tokens that a model can read, prompt and sentence together.
    """

    @property
    def context(self) -> int: ...

    def count_chat_tokens(self, messages: Sequence[PromptMessage]) -> int:
        """The tokens of a chat."""
        ...


class ChatEngine(ChatTokenizer, LanguageModel, Protocol):
    """An engine that can be sent chats."""


@dataclass(frozen=True, eq=False)
class GeneralModel:
    """LanguageModel port over an engine and a writer of chats.

    `card`: with the tasks that it is asked for. `prompt_tokens`: the most tokens of a prompt.
    `prior_weights`: by task, how far a sentence is believed less because the model writes it where
    nothing is asked.
    """

    engine: ChatEngine
    writer: PromptWriter
    card: ModelCard
    prompt_tokens: int
    prior_weights: Mapping[str, float] = field(default_factory=dict)

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """As the engine's. Raises QuestionError where a question is too long for the model."""
        room = self._measure_room(search)
        written = [await self.writer.write_chat(prompt, room) for prompt in prompts]
        search = self._shorten(search)
        found = await self.engine.decode(written, languages, search)
        return [
            await self._weigh_priors(prompt, sentences, search)
            for prompt, sentences in zip(written, found, strict=True)
        ]

    async def _weigh_priors(
        self, written: Prompt, sentences: Sequence[Sentence], search: Search
    ) -> Sequence[Sentence]:
        """The sentences as what is asked makes them probable, beyond what a model writes anyhow.

        Source: contextual calibration (Zhao et al. 2021); what is compared are the sentences that
        were found, so the prompt without a question chooses among these.
        """
        weight = self.prior_weights.get(written.task, 0.0)
        texts = tuple(dict.fromkeys(f" {each.text}" for each in sentences))
        if not weight or len(texts) < 2 or search.mode != "beam":
            return sentences
        among = Search(width=len(texts), max_tokens=2 * search.max_tokens)
        empty = self.writer.empty_question(written)
        [told] = await self.engine.decode([empty], [OneOf(texts)], among)
        priors = {each.text: each.score for each in told}
        return weigh_sentences(sentences, [-weight * priors.get(s.text, 0.0) for s in sentences])

    async def write_chat(self, prompt: Prompt, search: Search) -> Prompt:
        """The prompt as the engine is sent it."""
        return await self.writer.write_chat(prompt, self._measure_room(search))

    def _measure_room(self, search: Search) -> PromptRoom:
        return build_room(self.engine, self.prompt_tokens, search.max_tokens)

    def _shorten(self, search: Search) -> Search:
        """The search with sentences that leave room for a prompt."""
        return replace(search, max_tokens=_bound_sentence(self.engine, search.max_tokens))

    def __getattr__(self, name: str) -> Any:
        """What else the engine can do: checks and figures, for whoever asks for them."""
        return getattr(self.engine, name)


@dataclass(frozen=True, eq=False)
class GrowingGeneralModel(GeneralModel):
    """GrowingModel port over such an engine that goes on from sentences that were begun."""

    async def extend_sentences(
        self, prompt: Prompt, language: Any, begun: Sequence[Sentence], search: Search
    ) -> Sequence[Sentence]:
        """As `decode`, from sentences that were begun."""
        assert isinstance(self.engine, GrowingModel)
        written = await self.writer.write_chat(prompt, self._measure_room(search))
        return await self.engine.extend_sentences(written, language, begun, self._shorten(search))


def weigh_sentences(sentences: Sequence[Sentence], gains: Sequence[float]) -> list[Sentence]:
    """The sentences with gains of their log-probabilities, best first; they stay as probable as
    they were together."""
    scores = np.array([each.score for each in sentences])
    weighed = scores + np.array(gains)
    total = np.logaddexp.reduce(scores) - np.logaddexp.reduce(weighed)
    pairs = zip(sentences, (weighed + total).tolist(), strict=True)
    moved = [replace(each, score=min(score, 0.0)) for each, score in pairs]
    return sorted(moved, key=lambda sentence: -sentence.score)


def wrap_engine(
    engine: ChatEngine, writer: PromptWriter, card: ModelCard, prompt_tokens: int
) -> GeneralModel:
    """The general model over an engine. One whose tokens are ours, and not a hosted model's, grows
    sentences, and tells at little cost what it would write where nothing is asked."""
    if not isinstance(engine, GrowingModel):
        return GeneralModel(engine, writer, card, prompt_tokens)
    weights = {} if card.training else PRIOR_WEIGHTS  # as measured for models that nobody trained
    return GrowingGeneralModel(engine, writer, card, prompt_tokens, weights)


def build_room(reader: ChatTokenizer, prompt_tokens: int, sentence_tokens: int) -> PromptRoom:
    """The room that a prompt has beside a sentence; `prompt_tokens`, at most."""
    left = reader.context - _bound_sentence(reader, sentence_tokens)
    return PromptRoom(min(prompt_tokens, left), reader.count_chat_tokens)


def _bound_sentence(reader: ChatTokenizer, tokens: int) -> int:
    return min(tokens, reader.context // _SENTENCE_SHARE)


def encode_prompt(
    prompt: Prompt, vocabulary: TokenizerVocabulary, template: ChatTemplate
) -> Tokens:
    """The tokens of a prompt: of its chat where it has one, else of the text that training used."""
    if prompt.messages:
        return template.encode_chat(prompt.messages, vocabulary)
    return vocabulary.encode(prompt.render())
