"""The local engine: a trained folder, run by transformers on this machine."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.tries import CacheFigures, SiteTries
from trellis.automata.tokens.vocabulary import TokenizerVocabulary, Tokens
from trellis.decoding.cursor import Automaton
from trellis.decoding.search import decode, extend_sentences
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt, PromptMessage
from trellis.engines.cached_scorer import CachedScorer
from trellis.engines.general import encode_prompt
from trellis.engines.stopping import StoppableScorer
from trellis.engines.text_memory import KeptTexts
from trellis.models.chat_template import ChatTemplate, read_chat_template
from trellis.models.finding import find_model_folder
from trellis.models.folder import read_card, read_vocabulary
from trellis.models.general import derive_card, is_general, read_context
from trellis.models.weights import load_weights

_SMALL = 20_000_000
"""Number of parameters below which one thread decodes fastest."""


class LocalModel:
    """A causal language model with its tokenizer and card; decodes one batch at a time."""

    def __init__(
        self,
        model: Any,
        vocabulary: TokenizerVocabulary,
        card: ModelCard,
        template: ChatTemplate | None = None,
        context: int = 0,
    ) -> None:
        """`template`, `context`: of a general model, how its chats are written, and the tokens that
        it can read."""
        self.vocabulary = vocabulary
        self.template = template or ChatTemplate()
        self.context = context
        self._model = model.eval()
        self._card = card
        self._tries = SiteTries()
        self._texts = KeptTexts()
        self._turn = threading.Lock()

    @classmethod
    def load(cls, named: Path, device: str | None, cache: Path) -> LocalModel:
        """The model of a folder, an id of the hub, or a name; an adapter goes over its base.

        A general model runs in bfloat16 on a GPU, tuned or not, all else in float32. Raises
        ModelMissingError, ModelDamagedError or VocabularyMismatchError.
        """
        folder = find_model_folder(named, cache)
        where = device or ("cuda" if torch.cuda.is_available() else "cpu")
        card = derive_card(folder, str(named)) if is_general(folder) else read_card(folder)
        if card.is_general:
            dtype = "bfloat16" if where.startswith("cuda") else "float32"
            model = load_weights(folder, card, cache, dtype)
            template, context = read_chat_template(folder), read_context(folder)
            return cls(model.to(where), read_vocabulary(folder, card), card, template, context)
        model = load_weights(folder, card, cache)
        if model.num_parameters() < _SMALL:
            torch.set_num_threads(1)  # for a small model more threads are slower
        return cls(model.to(where), read_vocabulary(folder, card), card)

    def count_chat_tokens(self, messages: Sequence[PromptMessage]) -> int:
        """The tokens of a chat, as a general model reads it."""
        return len(self.template.encode_chat(messages, self.vocabulary))

    @property
    def card(self) -> ModelCard:
        return self._card

    def site_figures(self) -> CacheFigures:
        """Figures of the site tries, which all questions share."""
        return self._tries.figures

    @property
    def weights(self) -> Any:
        """The transformers model itself."""
        return self._model

    def count_bytes(self) -> int:
        """The bytes of its weights."""
        return sum(each.numel() * each.element_size() for each in self._model.parameters())

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        stop = threading.Event()
        try:
            return await asyncio.to_thread(self.decode_now, prompts, languages, search, stop)
        finally:
            stop.set()  # a thread cannot be cancelled: it stops at its next read

    async def extend_sentences(
        self, prompt: Prompt, language: Any, begun: Sequence[Sentence], search: Search
    ) -> Sequence[Sentence]:
        stop = threading.Event()
        try:
            return await asyncio.to_thread(self._extend_now, prompt, language, begun, search, stop)
        finally:
            stop.set()

    def _extend_now(
        self,
        prompt: Prompt,
        language: Any,
        begun: Sequence[Sentence],
        search: Search,
        stop: threading.Event,
    ) -> list[Sentence]:
        tokens = encode_prompt(prompt, self.vocabulary, self.template)
        automaton: Automaton = TokenAutomaton(language, self.vocabulary, self._tries)
        with self._turn:
            scorer = StoppableScorer(CachedScorer(self._model, self._texts), stop)
            return extend_sentences(scorer, tokens, automaton, begun, search)

    def decode_now(
        self,
        prompts: Sequence[Prompt],
        languages: Sequence[Any],
        search: Search,
        stop: threading.Event | None = None,
    ) -> list[list[Sentence]]:
        """As `decode`, in this thread; raises StoppedError once `stop` is set."""
        tokens: list[Tokens] = [
            encode_prompt(prompt, self.vocabulary, self.template) for prompt in prompts
        ]
        automata = [TokenAutomaton(lang, self.vocabulary, self._tries) for lang in languages]
        with self._turn:
            scorer = StoppableScorer(
                CachedScorer(self._model, self._texts), stop or threading.Event()
            )
            return decode(scorer, tokens, automata, search)
