"""A trained model that writes without masks: what a language would have kept it from saying."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from trellis.automata.reader import Reader, SentenceReading
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.prompt import Prompt
from trellis.engines.general import encode_prompt
from trellis.engines.local import LocalModel

_TOKENS = 160
"""Tokens of a text at most: no query of the bundled model has more."""


@dataclass
class UnmaskedModel:
    """LanguageModel port over a local model that was trained for the graph.

    Plain beams over its whole vocabulary; what is no sentence of the language is left out.
    `written`: the texts so far; `inside`: those that are sentences.
    """

    model: LocalModel
    written: int = 0
    inside: int = 0

    @property
    def card(self) -> ModelCard:
        return self.model.card

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        pairs = zip(prompts, languages, strict=True)
        return [await asyncio.to_thread(self._write_freely, *pair, search) for pair in pairs]

    def _write_freely(self, prompt: Prompt, language: Any, search: Search) -> list[Sentence]:
        reader: Reader[Any, Any] = Reader(language)
        sentences: dict[str, Sentence] = {}
        for tokens, score in self._generate(prompt, search.width):
            self.written += 1
            reading = reader.read_text(self.model.vocabulary.decode(tokens))
            if isinstance(reading, SentenceReading):
                self.inside += 1
                said = Sentence(reading.text, tokens, reading.values, score, len(tokens))
                sentences.setdefault(reading.text, said)
        return [*sentences.values()]

    @torch.inference_mode()
    def _generate(self, prompt: Prompt, width: int) -> list[tuple[tuple[int, ...], float]]:
        """The `width` most probable texts, best first, each with its log-probability."""
        vocabulary = self.model.vocabulary
        asked = encode_prompt(prompt, vocabulary, self.model.template)
        ends = sorted(vocabulary.ends)
        device = self.model.weights.device
        tokens = torch.tensor([asked], device=device)
        written = self.model.weights.generate(
            tokens,
            attention_mask=torch.ones_like(tokens),
            num_beams=width,
            num_return_sequences=width,
            max_new_tokens=_TOKENS,
            do_sample=False,
            length_penalty=0.0,
            eos_token_id=ends,
            pad_token_id=ends[0],
            return_dict_in_generate=True,
            output_scores=True,
        )
        rows = written.sequences[:, len(asked) :].tolist()
        scores = [0.0] if width == 1 else written.sequences_scores.tolist()
        return [
            (tuple(token for token in row if token not in vocabulary.ends), score)
            for row, score in zip(rows, scores, strict=True)
        ]
