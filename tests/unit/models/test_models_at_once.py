"""Models that are loaded at once are whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedModel

from trellis.domain.models.card import ModelCard
from trellis.models.weights import load_weights
from trellis.steps.retrieve.paths.settings import PathSettings


@pytest.fixture
def tied(tmp_path: Path) -> Path:
    """A tiny model whose output layer is its token embeddings."""
    config = LlamaConfig(
        vocab_size=64,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        tie_word_embeddings=True,
    )
    LlamaForCausalLM(config).save_pretrained(tmp_path / "tied")
    return tmp_path / "tied"


def test_weights_stay_tied_however_many_load_at_once(tied: Path, tmp_path: Path) -> None:
    before = PreTrainedModel.tie_weights
    with ThreadPoolExecutor(8) as threads:
        loads = [
            threads.submit(load_weights, tied, ModelCard.of("mini", PathSettings()), tmp_path)
            for _ in range(24)
        ]
    for each in loads:
        model = each.result()
        assert model.lm_head.weight.data_ptr() == model.model.embed_tokens.weight.data_ptr()
    assert PreTrainedModel.tie_weights is before
