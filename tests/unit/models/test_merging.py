"""An adapter becomes an ordinary folder once; other folders are what they are."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from trellis.domain.card import Calibration, ModelCard
from trellis.domain.errors import ModelDamagedError, ModelMissingError
from trellis.engines.local import LocalModel
from trellis.models.base import fill_cached_folder
from trellis.models.folder import read_card, read_vocabulary, write_card, write_folder
from trellis.models.merging import merge_folder
from trellis.steps.paths.path_prompt import build_masked_path_prompt
from trellis.steps.paths.settings import PathSettings
from trellis.training.examples import Example
from trellis.training.language_models import loop, lora, mini
from trellis.training.language_models.lesson import MiniShape
from trellis.training.language_models.loop import TrainingPlan
from trellis.training.language_models.rows import Dataset, encode_examples

EXAMPLES = [Example(build_masked_path_prompt("who is ENT1 's father"), (" ENT1", " -> parents"))]


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    """A trained adapter over a tiny base."""
    base, folder = tmp_path / "base", tmp_path / "model"
    base.mkdir()
    mini.make_mini(EXAMPLES, [], MiniShape(width=32, layers=1, heads=2, words=50), 0).save(base)
    tuned = lora.open_base(str(base), tmp_path, tmp_path / "work", full=False, seed=0)
    rows = encode_examples(EXAMPLES, tuned.vocabulary, [])
    loop.fit_model(tuned.model, [Dataset("path", rows)], TrainingPlan(3, 2, 1e-2))
    card = ModelCard.of(str(base), PathSettings(), vocabulary=tuned.vocabulary.fingerprint)
    write_folder(folder, card, tuned.save)
    return folder


def logits(folder: Path, cache: Path) -> torch.Tensor:
    model = LocalModel.load(folder, "cpu", cache)
    with torch.no_grad():
        found: torch.Tensor = model.weights(torch.tensor([[1, 2]])).logits
    return found


def test_a_merged_folder_is_an_ordinary_one_that_says_the_same(
    adapter: Path, tmp_path: Path
) -> None:
    whole = merge_folder(adapter, tmp_path / "cache")
    assert not list(whole.glob("adapter_*"))
    assert read_card(whole) == read_card(adapter)
    ours, theirs = read_vocabulary(whole), read_vocabulary(adapter)
    assert (ours.fingerprint, ours.ends, ours.size) == (
        theirs.fingerprint,
        theirs.ends,
        theirs.size,
    )
    assert torch.allclose(logits(whole, tmp_path), logits(adapter, tmp_path), atol=1e-6)


def test_it_is_made_once_and_again_when_the_card_changes(adapter: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = merge_folder(adapter, cache)
    (first / "seen").touch()
    assert (merge_folder(adapter, cache) / "seen").exists()
    hotter = Calibration(temperature=2.0)
    write_card(adapter, read_card(adapter).with_calibration("gcr", hotter))
    again = merge_folder(adapter, cache)
    assert again != first
    assert read_card(again).calibration("gcr") == hotter


def test_several_at_once_get_one_whole_folder(adapter: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with ThreadPoolExecutor(3) as threads:
        folders = set(threads.map(lambda _: merge_folder(adapter, cache), range(3)))
    [folder] = folders
    assert list(read_card(folder).tasks) == ["path"]
    assert list(folder.parent.iterdir()) == [folder]


def test_an_ordinary_folder_is_given_back(adapter: Path, tmp_path: Path) -> None:
    whole = merge_folder(adapter, tmp_path / "cache")
    assert merge_folder(whole, tmp_path / "cache") == whole


def test_a_damaged_adapter_and_one_without_its_base_are_refused(
    adapter: Path, tmp_path: Path
) -> None:
    write_card(adapter, replace(read_card(adapter), base=str(tmp_path / "nowhere")))
    with pytest.raises(ModelMissingError, match="nowhere"):
        merge_folder(adapter, tmp_path / "cache")
    (adapter / "adapter_config.json").write_text("{}")
    with pytest.raises(ModelDamagedError, match="adapter_config"):
        merge_folder(adapter, tmp_path / "cache")
    assert not list((tmp_path / "cache" / "merged").iterdir())


def test_half_a_folder_is_never_there(tmp_path: Path) -> None:
    def fails(half: Path) -> None:
        (half / "config.json").touch()
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fill_cached_folder(tmp_path / "made", fails)
    assert not list(tmp_path.iterdir())
