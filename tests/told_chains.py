"""Models of task `chain` that are told what to write, and remember how they are asked."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from trellis.automata.reader import Reader, SentenceReading
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.steps.retrieve.chains.settings import ChainSettings


class ToldChains:
    """A GrowingModel that writes given chains as far as the language has them.

    The first is written with the probability `sure`, each other one with half of that before it. It
    stops for good before part `waits_at`, if that is set.
    """

    def __init__(
        self,
        *chains: str,
        settings: ChainSettings | None = None,
        sure: float = 0.6,
        waits_at: int = 0,
    ) -> None:
        self.card = ModelCard.of("told", settings or ChainSettings())
        self._chains = chains
        self._sure = sure
        self._waits_at = waits_at
        self.prompts: list[Prompt] = []
        self.begun: list[list[str]] = []
        self.is_waiting = asyncio.Event()

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        raise AssertionError(f"asked for whole chains: {prompts}, {languages}, {search}")

    async def extend_sentences(
        self, prompt: Prompt, language: Any, begun: Sequence[Sentence], search: Search
    ) -> Sequence[Sentence]:
        self.prompts.append(prompt)
        self.begun.append([each.text for each in begun])
        if len(self.prompts) == self._waits_at:
            self.is_waiting.set()
            await asyncio.Event().wait()
        reader: Reader[Any, Any] = Reader(language)
        found = [
            replace(read, score=math.log(self._sure / 2**number))
            for number, chain in enumerate(self._chains)
            if (read := _read_longest(reader, chain, [each.text for each in begun]))
        ]
        return found[: search.width]


def _read_longest(reader: Reader[Any, Any], chain: str, begun: Sequence[str]) -> Sentence | None:
    """The longest beginning of a chain that is a sentence and goes on from one that was begun."""
    if begun and not any(chain.startswith(text) for text in begun):
        return None
    for end in range(len(chain), max(map(len, begun), default=0), -1):
        read = reader.read_text(f" {chain[:end]}")
        if isinstance(read, SentenceReading):
            return Sentence(chain[:end], (end, *chain[:end].encode()), read.values, 0.0, 1)
    return None
