"""Models that were not trained by us: where they are, and the cards that are derived of them."""

from __future__ import annotations

import json
from pathlib import Path

import huggingface_hub.constants
import pytest

from trellis.domain.card import ModelCard
from trellis.domain.errors import ModelDamagedError, ModelMissingError
from trellis.models.finding import find_model_folder, is_model_name
from trellis.models.folder import read_vocabulary, write_folder
from trellis.models.general import is_general, read_any_card, read_context
from trellis.models.side_by_side import plan_serving
from trellis.steps.paths.path_prompt import build_masked_path_prompt
from trellis.steps.paths.settings import PathSettings
from trellis.training.examples import Example
from trellis.training.language_models import mini
from trellis.training.language_models.lesson import MiniShape

SHAPE = MiniShape(width=32, layers=1, heads=2, words=50)


def write_plain(folder: Path) -> Path:
    """A Hugging Face folder of a tiny model, as anybody may have one."""
    new = mini.make_mini([Example(build_masked_path_prompt("who"), (" ENT1",))], [], SHAPE, 0)
    folder.mkdir(parents=True)
    new.save(folder)
    return folder


def change_config(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")


def test_a_folder_without_a_card_is_a_general_model(tmp_path: Path) -> None:
    folder = write_plain(tmp_path / "plain")
    card = read_any_card(folder, tmp_path)
    assert is_general(folder)
    assert card == ModelCard(str(folder), {}, read_vocabulary(folder).fingerprint, is_general=True)
    served = plan_serving([folder], tmp_path)
    assert (served.folder, served.card, served.name) == (folder, card, str(folder))


def test_a_trained_folder_is_none(tmp_path: Path) -> None:
    new = mini.make_mini([Example(build_masked_path_prompt("who"), (" ENT1",))], [], SHAPE, 0)
    card = ModelCard.of("mini", PathSettings(), vocabulary=new.vocabulary.fingerprint)
    write_folder(tmp_path / "trained", card, new.save)
    assert read_any_card(tmp_path / "trained", tmp_path) == card
    assert not is_general(tmp_path / "trained")


def test_what_writes_no_text_is_named(tmp_path: Path) -> None:
    folder = write_plain(tmp_path / "bert")
    change_config(folder, architectures=["BertModel"])
    with pytest.raises(ModelDamagedError, match="BertModel, which is no causal language model"):
        read_any_card(folder, tmp_path)
    (folder / "config.json").write_text("{", "utf-8")
    with pytest.raises(ModelDamagedError, match=r"config\.json"):
        read_any_card(folder, tmp_path)


def test_what_a_model_can_read_stands_in_its_config(tmp_path: Path) -> None:
    folder = write_plain(tmp_path / "plain")
    change_config(folder, max_position_embeddings=512)
    assert read_context(folder) == 512
    change_config(folder, max_position_embeddings=None, text_config={"n_positions": 1_024})
    assert read_context(folder) == 1_024


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("smollm2", True),
        ("Qwen/Qwen2.5-7B-Instruct", True),
        ("models", False),
        ("/models/mine", False),
        ("../mine", False),
        ("a/b/c", False),
    ],
)
def test_an_id_of_the_hub_is_told_from_a_folder(text: str, is_name: bool) -> None:
    assert is_model_name(text) is is_name


def test_an_id_is_taken_from_the_hubs_cache_and_else_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    kept = tmp_path / "hub" / "models--some--model"
    folder = write_plain(kept / "snapshots" / "0123456789abcdef0123456789abcdef01234567")
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(folder.name, "utf-8")
    assert find_model_folder("some/model", tmp_path) == folder
    assert read_any_card("some/model", tmp_path).base == "some/model"
    with pytest.raises(ModelMissingError, match=r"no model folder some/other.*smollm2"):
        find_model_folder("some/other", tmp_path)
