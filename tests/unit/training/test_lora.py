"""Adapters over a base, here a tiny one made for the test: small, whole, and free of paths."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from trellis.domain.card import ModelCard
from trellis.domain.errors import ModelMissingError
from trellis.engines.local import LocalModel
from trellis.models.folder import read_vocabulary, write_folder
from trellis.steps.paths.path_prompt import build_masked_path_prompt
from trellis.steps.paths.settings import PathSettings
from trellis.training.examples import Example
from trellis.training.language_models import loop, lora, mini
from trellis.training.language_models.lesson import MiniShape
from trellis.training.language_models.loop import TrainingPlan, counts_in_bfloat16
from trellis.training.language_models.rows import Dataset, encode_examples

EXAMPLES = [Example(build_masked_path_prompt("who is ENT1 's father"), (" ENT1", " -> parents"))]
SHAPE = MiniShape(width=32, layers=1, heads=2, words=50)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    mini.make_mini(EXAMPLES, [" <- parents"], SHAPE, 0).save(folder)
    return folder


@pytest.mark.parametrize("full", [False, True])
def test_what_is_trained_is_what_the_engine_loads(base: Path, tmp_path: Path, full: bool) -> None:
    tuned = lora.open_base(str(base), tmp_path, tmp_path / "work", full=full, seed=0)
    rows = encode_examples(EXAMPLES, tuned.vocabulary, [" <- parents"])
    loop.fit_model(tuned.model, [Dataset("path", rows)], TrainingPlan(steps=3, batch=2, rate=1e-2))
    card = ModelCard.of(str(base), PathSettings(), vocabulary=tuned.vocabulary.fingerprint)
    write_folder(tmp_path / "model", card, tuned.save)
    loaded = LocalModel.load(tmp_path / "model", "cpu", tmp_path)
    ids = torch.tensor([rows.tokens[0]])
    with torch.no_grad():
        ours, theirs = tuned.model(ids).logits, loaded._model(ids).logits
    assert torch.allclose(ours, theirs, atol=1e-2)  # adapters are saved in bfloat16
    assert (tmp_path / "model" / "adapter_config.json").exists() is not full


def test_an_adapter_names_its_base_as_the_user_did(base: Path, tmp_path: Path) -> None:
    tuned = lora.open_base(str(base), tmp_path, tmp_path / "work", full=False, seed=0)
    object.__setattr__(tuned, "base", "smollm2")
    (tmp_path / "model").mkdir()
    tuned.save(tmp_path / "model")
    for file in (tmp_path / "model").glob("*.json"):
        assert str(base) not in file.read_text("utf-8")
    assert read_vocabulary(tmp_path / "model").fingerprint == tuned.vocabulary.fingerprint


def test_a_base_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match="nowhere"):
        lora.open_base(str(tmp_path / "nowhere"), tmp_path, tmp_path / "work", full=False, seed=0)


@pytest.mark.parametrize(
    ("abilities", "fast"),
    [
        ({"avx2": True, "avx512_bf16": False, "amx_bf16": False}, False),
        ({"avx2": True, "avx512_bf16": True, "amx_bf16": False}, True),
        ({"architecture": "aarch64", "bf16": True}, True),
    ],
)
def test_bfloat16_is_for_devices_that_count_in_it(
    monkeypatch: pytest.MonkeyPatch, abilities: dict[str, object], fast: bool
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: abilities)
    assert counts_in_bfloat16("cpu") is fast
    assert counts_in_bfloat16("cuda")
