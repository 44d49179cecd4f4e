"""A ranking model that is told which answers are right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.steps.retrieve.queries.settings import RankSettings


class ToldJudge:
    """A LanguageModel of task `rank` that finds right what is called by certain words, by .9."""

    card = ModelCard.of("told", RankSettings())

    def __init__(self, *right: str) -> None:
        self._right = right
        self.prompts: list[Prompt] = []

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        self.prompts += prompts
        return [
            [self._judged(prompt, language)][: search.width]
            for prompt, language in zip(prompts, languages, strict=True)
        ]

    def _judged(self, prompt: Prompt, language: Any) -> Sentence:
        said = dict(prompt.sections)["Answer"].startswith(self._right)
        move = language.texts.index(" yes" if said else " no")
        state = language.follow(language.start(), move)
        return Sentence(language.text(state).strip(), (), language.values(state), math.log(0.9), 1)
