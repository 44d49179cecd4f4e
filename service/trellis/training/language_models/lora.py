"""LoRA: adapters of a few MB over a pretrained base; or all of its weights (`full`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoTokenizer
from transformers.utils import logging

from trellis.automata.vocabulary import TokenizerVocabulary
from trellis.domain.errors import ModelMissingError
from trellis.domain.reasons import with_reason
from trellis.models.base import find_base_folder, load_base
from trellis.models.folder import read_vocabulary
from trellis.models.loading import take_loading_turn

RANK = 16
RATE = 5e-4
FULL_RATE = 5e-5
BATCH = 16
STEPS = 300


@dataclass(frozen=True, eq=False)
class TunableBase:
    """A base under training, with its vocabulary; `tokenizer` is the folder that holds it."""

    model: Any
    vocabulary: TokenizerVocabulary
    tokenizer: Any
    base: str
    full: bool

    def save(self, folder: Path) -> None:
        """Write the adapter (or all weights), the base's configuration and the tokenizer."""
        if self.full:
            self.model.save_pretrained(folder)
        else:  # by the user's name for the base, and without asking a hub about it
            self.model.peft_config["default"].base_model_name_or_path = self.base
            for name, weights in self.model.named_parameters():
                if "lora_" in name:
                    weights.data = weights.data.bfloat16()  # half the size, and as good
            self.model.save_pretrained(folder, save_embedding_layers=False)
        (folder / "README.md").unlink(missing_ok=True)
        _save_frame(self.model, self.tokenizer, folder)


def open_base(base: str, cache: Path, work: Path, *, full: bool, seed: int) -> TunableBase:
    """A base made ready for training; `work` is a folder that its tokenizer is put in.

    Raises ModelMissingError where the base is not to be had.
    """
    logging.disable_progress_bar()
    model = load_base(base, cache)
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            find_base_folder(base, cache), trust_remote_code=False
        )
    except (OSError, ValueError) as error:
        raise ModelMissingError(
            with_reason(f"the base {base!r} has no tokenizer", error),
            "name a folder or a Hugging Face id that has one",
        ) from error
    torch.manual_seed(seed)
    if not full:
        with take_loading_turn():
            model = get_peft_model(model, _configure_lora())
    work.mkdir(parents=True, exist_ok=True)
    _save_frame(model, tokenizer, work)
    return TunableBase(model, read_vocabulary(work), tokenizer, base, full)


def _configure_lora() -> LoraConfig:
    return LoraConfig(
        r=RANK, lora_alpha=2 * RANK, target_modules="all-linear", task_type="CAUSAL_LM"
    )


def _save_frame(model: Any, tokenizer: Any, folder: Path) -> None:
    """What a vocabulary is read from: the base's configuration and the tokenizer."""
    config = getattr(model, "get_base_model", lambda: model)().config
    config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
