"""Adapters that nobody trained, over a base, for tests of workers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model

from trellis.domain.models.card import ModelCard, TaskSettings
from trellis.models.base import load_base
from trellis.models.folder import read_vocabulary, write_folder
from trellis.models.loading import take_loading_turn
from trellis.training.tuning.network import copy_frame


def write_adapter(
    folder: Path, settings: TaskSettings, seed: int, base: Path, *, is_general: bool = False
) -> Path:
    """A folder with an adapter whose weights say something of their own."""
    torch.manual_seed(seed)
    config = LoraConfig(r=8, target_modules="all-linear", init_lora_weights=False)
    with take_loading_turn():
        adapted = get_peft_model(load_base(str(base), folder.parent), config)

    def fill(fresh: Path) -> None:
        adapted.save_pretrained(fresh, save_embedding_layers=False)
        copy_frame(base, fresh)

    card = ModelCard.of(str(base), settings, vocabulary=read_vocabulary(base).fingerprint)
    tuned = replace(card, is_general=True, shots=0) if is_general else card
    write_folder(folder, tuned, fill)
    return folder
