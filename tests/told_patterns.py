"""A model of task `pattern` that is told what to write."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from trellis.automata.reader import Reader, SentenceReading
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.steps.retrieve.patterns.settings import PatternSettings


class ToldPatterns:
    """A LanguageModel that writes given patterns, those that the language has.

    The first is written with the probability `sure`, each other one with half of that before it.
    """

    def __init__(
        self, *patterns: str, settings: PatternSettings | None = None, sure: float = 0.6
    ) -> None:
        self.card = ModelCard.of("told", settings or PatternSettings())
        self._patterns = patterns
        self._sure = sure
        self.prompts: list[Prompt] = []

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        self.prompts += prompts
        return [self._write(language)[: search.width] for language in languages]

    def _write(self, language: Any) -> list[Sentence]:
        readings = [Reader(language).read_text(text) for text in self._patterns]
        return [
            Sentence(f" {text}", (), read.values, math.log(self._sure / 2**number), 1)
            for number, (text, read) in enumerate(zip(self._patterns, readings, strict=True))
            if isinstance(read, SentenceReading)
        ]
