"""A general model: an engine whose prompts are chats, written for each question.

Pipelines ask it as they ask any model. It adds instructions, schema and examples to a prompt, and
leaves the rest to the engine, which encodes the chat by the model's own template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from trellis.automata.vocabulary import TokenizerVocabulary, Tokens
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.ports import GrowingModel, LanguageModel
from trellis.domain.prompt import Prompt, PromptMessage
from trellis.models.chat_template import ChatTemplate
from trellis.prompting.writer import PromptRoom, PromptWriter

_SENTENCE_SHARE = 4
"""The part of what a model can read that is kept for the sentence, if it may be so long."""


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
    """

    engine: ChatEngine
    writer: PromptWriter
    card: ModelCard
    prompt_tokens: int

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """As the engine's. Raises QuestionError where a question is too long for the model."""
        room = self._measure_room(search)
        written = [await self.writer.write_chat(prompt, room) for prompt in prompts]
        return await self.engine.decode(written, languages, self._shorten(search))

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


def wrap_engine(
    engine: ChatEngine, writer: PromptWriter, card: ModelCard, prompt_tokens: int
) -> GeneralModel:
    """The general model over an engine; one that grows sentences where the engine does."""
    kind = GrowingGeneralModel if isinstance(engine, GrowingModel) else GeneralModel
    return kind(engine, writer, card, prompt_tokens)


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
