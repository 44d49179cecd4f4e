"""The weights of a model folder: its own, or its base's with its adapter merged in."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

from trellis.domain.card import ModelCard
from trellis.domain.errors import ModelDamagedError
from trellis.domain.reasons import with_reason
from trellis.models.base import fill_cached_folder, load_base
from trellis.models.folder import CARD, read_card, write_card
from trellis.models.loading import take_loading_turn
from trellis.models.safe_loading import load_causal_model, refuse_pickles

ADAPTER_CONFIG = "adapter_config.json"
"""The file that only the folder of an adapter has."""


def merge_folder(folder: Path, cache: Path) -> Path:
    """A folder of whole weights that any engine loads: `folder` itself, unless it is an adapter.

    An adapter is merged into its base once, with card and tokenizer, into a folder under `cache`.
    Its name is a hash of the card's file, so a folder that is trained or calibrated again is merged
    again. Raises as `read_card` and `load_base`, and UnsafeModelError for pickled weights.
    """
    card = read_card(folder)
    refuse_pickles(folder)
    if not (folder / ADAPTER_CONFIG).is_file():
        return folder
    sealed = hashlib.sha256((folder / CARD).read_bytes()).hexdigest()[:32]
    return fill_cached_folder(
        cache / "merged" / sealed, lambda fresh: _write_merged_folder(folder, card, cache, fresh)
    )


def load_weights(folder: Path, card: ModelCard, cache: Path, dtype: str = "float32") -> Any:
    """The folder's causal language model, on the CPU.

    `dtype`: of whole weights; an adapter and its base are loaded in float32.

    Raises ModelMissingError where its base cannot be found or downloaded, ModelDamagedError where
    its weights cannot be read, UnsafeModelError where they are pickled.
    """
    with take_loading_turn():
        from transformers.utils import logging

    logging.disable_progress_bar()
    if (folder / ADAPTER_CONFIG).is_file():
        return _load_merged_adapter(folder, card, cache)
    try:
        with take_loading_turn():
            return load_causal_model(folder, dtype=dtype)
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelDamagedError(
            with_reason(f"the weights in {folder} cannot be read", error), "train the model again"
        ) from error


def _load_merged_adapter(folder: Path, card: ModelCard, cache: Path) -> Any:
    with take_loading_turn():
        from peft import PeftModel

    refuse_pickles(folder)
    base = load_base(card.base, cache)
    with take_loading_turn():
        return PeftModel.from_pretrained(base, str(folder)).merge_and_unload()


def _write_merged_folder(folder: Path, card: ModelCard, cache: Path, fresh: Path) -> None:
    """Write the merged weights, and all files of the folder but the adapter's, to `fresh`."""
    for path in folder.iterdir():
        if path.is_file() and path.name != CARD and not path.name.startswith("adapter_"):
            shutil.copyfile(path, fresh / path.name)
    load_weights(folder, card, cache).save_pretrained(fresh)
    write_card(fresh, card)
