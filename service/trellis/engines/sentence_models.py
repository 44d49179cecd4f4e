"""Loads models of sentence-transformers: safetensors alone, and no code of theirs."""

from __future__ import annotations

import importlib.util
from typing import Any, Literal

from trellis.domain.errors import ModelMissingError
from trellis.domain.reasons import with_reason
from trellis.models.loading import take_loading_turn
from trellis.models.safe_loading import refuse_pickles

ModelClass = Literal["SentenceTransformer", "CrossEncoder"]

_SETTINGS = {
    "SentenceTransformer": ("embedder", "set TRELLIS_EMBEDDER to `minilm`, a folder, or a model"),
    "CrossEncoder": ("ranker", "set TRELLIS_RANKER to the folder or the name of a cross-encoder"),
}


def load_sentence_model(
    model_class: ModelClass, source: str, device: str | None, name: str = "", **options: Any
) -> Any:
    """A model of a class of sentence-transformers, from a folder or by its name in the hub.

    `name`: what the user called it. Raises ModelMissingError where the model or the library is not
    there, UnsafeModelError for pickled weights.
    """
    word, remedy = _SETTINGS[model_class]
    if importlib.util.find_spec("sentence_transformers") is None:
        raise ModelMissingError(
            f"the {word} needs sentence-transformers", "pip install 'trellis[local]'"
        )
    with take_loading_turn():  # threads that import transformers at once trip over each other
        import sentence_transformers
        from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        with take_loading_turn():
            refuse_pickles(source)
            return getattr(sentence_transformers, model_class)(
                source,
                device=device,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
                **options,
            )
    except (OSError, ValueError, KeyError) as error:
        raise ModelMissingError(
            with_reason(f"{word} '{name or source}' cannot be loaded", error),
            f"{remedy} that can be downloaded",
        ) from error
