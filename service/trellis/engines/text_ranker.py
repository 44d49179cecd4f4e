"""A cross-encoder, which reads a question and a text together: any of sentence-transformers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import ModelError, ModelMissingError
from trellis.domain.reasons import with_reason
from trellis.engines.sentence_models import load_sentence_model

_BATCH = 8  # texts; small batches of like length waste little on a CPU


class CrossEncoderRanker:
    """Scores texts by a cross-encoder, loaded at the first use. May be used from several threads.

    `name`: a folder, or a model's name in the hub. Texts longer than the model reads are cut.
    """

    def __init__(self, name: str, device: str | None = None) -> None:
        self.name = name
        self._device = device
        self._lock = threading.RLock()

    def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """A logit for each of `texts` [n].

        Raises ModelMissingError where the model is not there or ranks nothing, UnsafeModelError for
        pickled weights, ModelError where it fails.
        """
        if not texts:
            return np.empty(0, np.float32)
        import torch

        pairs = [(question, text) for text in texts]
        with self._lock:  # the tokenizer is not made for several threads
            model = self._model
            try:
                logits = model.predict(
                    pairs,
                    batch_size=_BATCH,
                    show_progress_bar=False,
                    activation_fn=torch.nn.Identity(),
                )
            except (RuntimeError, ValueError) as error:
                problem = with_reason(f"ranker '{self.name}' failed", error)
                raise ModelError(problem, "set TRELLIS_RANKER to another cross-encoder") from error
        return np.asarray(logits, np.float32)

    @cached_property
    def _model(self) -> Any:
        model = load_sentence_model("CrossEncoder", self.name, self._device)
        if model.num_labels != 1 or not _has_head(model):
            raise ModelMissingError(
                f"'{self.name}' does not give one number for a question and a text",
                "set TRELLIS_RANKER to a cross-encoder, or train one: `trellis train --task rank`",
            )
        return model


def _has_head(model: Any) -> bool:
    """Whether the model's own weights score pairs; else the library adds random ones."""
    names = model.config.architectures or ()
    return any(name.endswith(("ForSequenceClassification", "ForCausalLM")) for name in names)
