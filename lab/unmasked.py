"""A trained model that writes without masks: what a language would have kept it from saying."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from trellis.automata.reader import Departure, Reader, SentenceReading
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.engines.general import encode_prompt
from trellis.engines.local import LocalModel

_TOKENS = 160
"""Tokens of a text at most: no query of the bundled model has more."""

_ALTERNATIVES = 1_000
"""How many moves are looked through for one that is spelt otherwise."""


@dataclass
class UnmaskedModel:
    """LanguageModel port over a local model that was trained for the graph.

    Plain beams over its whole vocabulary; what is no sentence of the language is left out, but for
    case and underscores, which are read as the graph has them. Scores are renormalised over what is
    left. `written`: the texts so far; `inside`: those that are sentences.
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
        reader: Reader[Any, Any] = Reader(language, _ALTERNATIVES)
        sentences: dict[str, Sentence] = {}
        for tokens, score in self._generate(prompt, search.width):
            self.written += 1
            reading = read_kindly(reader, self.model.vocabulary.decode(tokens))
            if reading:
                self.inside += 1
                said = Sentence(reading.text, tokens, reading.values, score, len(tokens))
                sentences.setdefault(reading.text, said)
        return _renormalise([*sentences.values()])

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


def _renormalise(sentences: Sequence[Sentence]) -> list[Sentence]:
    total = (
        float(np.logaddexp.reduce([sentence.score for sentence in sentences])) if sentences else 0.0
    )
    return [replace(sentence, score=sentence.score - total) for sentence in sentences]


def read_kindly(reader: Reader[Any, Any], text: str) -> SentenceReading[Any] | None:
    """The sentence that a text is, up to case and underscores; None where it is none."""
    reading = reader.read_text(text)
    while isinstance(reading, Departure):
        at = reading.move_start  # behind the blank with which a text may begin
        moves = (
            move if text[at : at + 1].isspace() else move.lstrip() for move in reading.alternatives
        )
        move = next((each for each in moves if _is_spelt_as(text[at:], each)), None)
        if move is None or text[at:].startswith(move):
            return None
        text = f"{text[:at]}{move}{text[at + len(move) :]}"
        reading = reader.read_text(text)
    return reading


def _is_spelt_as(text: str, move: str) -> bool:
    said = text[: len(move)]
    return said.casefold().replace("_", " ") == move.casefold().replace("_", " ")
