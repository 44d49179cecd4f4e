"""What the models of a method are sent for a question, without a sentence being written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from trellis.app.models import ModelSet, ModelSource
from trellis.app.once import LazyPart
from trellis.app.trellis_app import TrellisApp
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.ports import LanguageModel
from trellis.domain.replies.question import Question


async def list_prompts(opened: TrellisApp, question: Question, method: str | None) -> list[Prompt]:
    """The prompts of a method's first step that asks a model, each once. Later steps build on what
    a model writes, so they are not among them.

    Raises what answering by that method raises before a model is asked.
    """
    written: list[Prompt] = []
    sources = [_record_source(source, written) for source in opened.models.sources]
    watched = replace(opened, models=ModelSet(sources, opened.models.memory), reasoner=None)
    methods = await watched.pipelines.list_ready_methods()
    pipeline = await watched.pipelines.build(method or methods[0].name)
    await pipeline.answer(question)
    return list(dict.fromkeys(written))


def _record_source(source: ModelSource, written: list[Prompt]) -> ModelSource:
    return replace(source, model=LazyPart(partial(_load_recorder, source, written)))


async def _load_recorder(source: ModelSource, written: list[Prompt]) -> LanguageModel:
    return _RecordedModel(await source.model.get(), written)


@dataclass(frozen=True)
class _RecordedModel:
    """Keeps what a model would be sent, and writes nothing."""

    model: Any
    written: list[Prompt] = field(repr=False)

    @property
    def card(self) -> ModelCard:
        card: ModelCard = self.model.card
        return card

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        assert len(prompts) == len(languages)
        for prompt in prompts:
            await self._record(prompt, search)
        return [() for _ in prompts]

    async def extend_sentences(
        self, prompt: Prompt, language: Any, begun: Sequence[Sentence], search: Search
    ) -> Sequence[Sentence]:
        assert language is not None or not begun
        await self._record(prompt, search)
        return ()

    async def _record(self, prompt: Prompt, search: Search) -> None:
        write_chat = getattr(self.model, "write_chat", None)
        self.written.append(await write_chat(prompt, search) if write_chat else prompt)
