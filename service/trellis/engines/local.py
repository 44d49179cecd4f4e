"""The local engine: a trained folder, run by transformers on this machine."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

from trellis.automata.automaton import TokenAutomaton
from trellis.automata.vocabulary import TokenizerVocabulary, Tokens
from trellis.decoding.beam import beam_search
from trellis.decoding.rollout import rollout
from trellis.domain.ports import Search, Sentence
from trellis.domain.values import ModelCard
from trellis.engines.cached_scorer import CachedScorer


class LocalModel:
    """A causal language model with its tokenizer and card; decodes one batch at a time."""

    def __init__(self, model: Any, vocabulary: TokenizerVocabulary, card: ModelCard) -> None:
        self.vocabulary = vocabulary
        self._model = model.eval()
        self._card = card
        self._turn = threading.Lock()

    @property
    def card(self) -> ModelCard:
        return self._card

    async def decode(
        self, prompts: Sequence[str], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        return await asyncio.to_thread(self.decode_now, prompts, languages, search)

    def decode_now(
        self, prompts: Sequence[str], languages: Sequence[Any], search: Search
    ) -> list[list[Sentence]]:
        """As `decode`, in this thread."""
        tokens: list[Tokens] = [self.vocabulary.encode(prompt) for prompt in prompts]
        automata = [TokenAutomaton(language, self.vocabulary) for language in languages]
        run = beam_search if search.mode == "beam" else rollout
        with self._turn:
            return run(CachedScorer(self._model), tokens, automata, search)
