"""The weights of a model folder: its own, or its base's with its adapter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trellis.domain.errors import ModelDamagedError
from trellis.domain.models.card import ModelCard
from trellis.domain.reasons import with_reason
from trellis.models.base import load_base
from trellis.models.loading import hide_progress_bars, take_loading_turn
from trellis.models.safe_loading import load_causal_model, refuse_pickles

ADAPTER_CONFIG = "adapter_config.json"
"""The file that only the folder of an adapter has."""


def load_weights(folder: Path, card: ModelCard, cache: Path, dtype: str = "float32") -> Any:
    """The folder's causal language model, on the CPU.

    In float32 an adapter is added to its base's weights in memory. Where values are shorter they
    would swallow what it adds, so it stays beside them.

    Raises ModelMissingError where its base cannot be found or downloaded, ModelDamagedError where
    its weights cannot be read, UnsafeModelError where they are pickled.
    """
    hide_progress_bars()
    if (folder / ADAPTER_CONFIG).is_file():
        return _load_adapted(folder, card, cache, dtype)
    try:
        with take_loading_turn():
            return load_causal_model(folder, dtype=dtype)
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelDamagedError(
            with_reason(f"the weights in {folder} cannot be read", error),
            "copy the whole folder again, or name an instruct model that writes text"
            if card.is_general
            else "train the model again",
        ) from error


def _load_adapted(folder: Path, card: ModelCard, cache: Path, dtype: str) -> Any:
    with take_loading_turn():
        from peft import PeftModel

    refuse_pickles(folder)
    base = load_base(card.base, cache, dtype)
    with take_loading_turn():
        adapted = PeftModel.from_pretrained(base, str(folder))
        return adapted.merge_and_unload() if dtype == "float32" else adapted
