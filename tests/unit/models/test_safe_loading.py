"""A model whose files would run code when they are read is refused, and nothing of it runs."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from trellis.domain.errors import UnsafeModelError
from trellis.domain.models.card import ModelCard
from trellis.engines.embeddings import SentenceEmbedder
from trellis.models.base import load_base
from trellis.models.folder import write_folder
from trellis.models.safe_loading import refuse_pickles
from trellis.models.side_by_side import plan_serving
from trellis.models.weights import load_weights
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.training.language_models.loop import Run

CARD = ModelCard.of("mini", PathSettings())
SHAPE = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}


class Trap:
    """A pickle of it leaves a file behind when it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "it ran"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A tiny model's folder, with safetensors."""
    config = LlamaConfig(vocab_size=64, num_attention_heads=2, **SHAPE)
    LlamaForCausalLM(config).save_pretrained(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def pickled(model: Path, mark: Path) -> Path:
    """The same folder with a pickle in the place of its weights."""
    (model / "model.safetensors").unlink()
    (model / "pytorch_model.bin").write_bytes(pickle.dumps(Trap(mark), 2))
    return model


@pytest.mark.parametrize(
    "load",
    [
        lambda folder, cache: load_weights(folder, CARD, cache),
        lambda folder, cache: load_base(str(folder), cache),
        lambda folder, _: SentenceEmbedder(str(folder)).embed(["a text"]),
    ],
    ids=["weights", "base", "embedder"],
)
def test_pickled_weights_are_refused_unread(
    load: Any, pickled: Path, mark: Path, tmp_path: Path
) -> None:
    with pytest.raises(UnsafeModelError, match=r"pytorch_model\.bin is a pickle") as refused:
        load(pickled, tmp_path / "cache")
    assert "safetensors" in refused.value.remedy
    assert not mark.exists()


@pytest.mark.parametrize("name", ["adapter_model.bin", "weights.pt", "model.ckpt", "x.pth"])
def test_pickles_of_any_name_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / name).write_bytes(b"")
    with pytest.raises(UnsafeModelError, match=name):
        refuse_pickles(tmp_path)


def test_an_adapter_of_pickled_weights_is_refused_before_it_is_served(
    tmp_path: Path, mark: Path
) -> None:
    def fill(folder: Path) -> None:
        (folder / "adapter_config.json").write_text("{}")
        (folder / "tokenizer.json").write_text("{}")
        (folder / "adapter_model.bin").write_bytes(pickle.dumps(Trap(mark), 2))

    write_folder(tmp_path / "adapter", CARD, fill)
    with pytest.raises(UnsafeModelError, match=r"adapter_model\.bin"):
        plan_serving([tmp_path / "adapter"], tmp_path / "cache")
    assert not mark.exists()


def test_a_pickle_beside_safetensors_is_left_unread(
    model: Path, mark: Path, tmp_path: Path
) -> None:
    (model / "pytorch_model.bin").write_bytes(pickle.dumps(Trap(mark), 2))
    (model / "training_args.bin").write_bytes(pickle.dumps(Trap(mark), 2))
    assert load_weights(model, CARD, tmp_path).config.vocab_size == 64
    assert not mark.exists()


def test_code_that_a_model_brings_along_is_not_run(model: Path, mark: Path, tmp_path: Path) -> None:
    config = json.loads((model / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Own"}}
    (model / "config.json").write_text(json.dumps(config))
    (model / "own.py").write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()\n")
    with pytest.raises(UnsafeModelError, match="brings Python code along"):
        load_weights(model, CARD, tmp_path)
    assert not mark.exists()


def test_a_checkpoint_that_holds_code_counts_as_none(tmp_path: Path, mark: Path) -> None:
    run = Run(tmp_path, {})
    run.save({"step": 3})
    assert run.load() == {"step": 3, "key": torch.load(tmp_path / "checkpoint.pt")["key"]}
    (tmp_path / "checkpoint.pt").write_bytes(pickle.dumps(Trap(mark), 2))
    assert run.load() is None
    assert not mark.exists()
