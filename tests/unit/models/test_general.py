"""Models that were not trained by us: where they are, and the cards that are derived of them."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import huggingface_hub.constants
import pytest
from transformers import LlamaForCausalLM

from general_folder import write_general_folder
from trellis.automata.one_of import OneOf
from trellis.domain.errors import ModelDamagedError, ModelMissingError, VocabularyMismatchError
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search
from trellis.domain.models.prompt import Prompt
from trellis.engines.local import LocalModel
from trellis.models.finding import find_model_folder, is_model_name
from trellis.models.folder import read_vocabulary, write_folder
from trellis.models.general import is_general, read_any_card, read_context
from trellis.models.side_by_side import plan_serving
from trellis.steps.retrieve.paths.settings import PathSettings


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_general_folder(tmp_path_factory.mktemp("written"))


@pytest.fixture
def plain(written: Path, tmp_path: Path) -> Path:
    """A Hugging Face folder of a tiny model, as anybody may have one."""
    return copytree(written, tmp_path / "plain")


def change_config(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")


def test_a_folder_without_a_card_is_a_general_model(plain: Path, tmp_path: Path) -> None:
    card = read_any_card(plain, tmp_path)
    assert is_general(plain)
    assert card == ModelCard(str(plain), {}, read_vocabulary(plain).fingerprint, is_general=True)
    served = plan_serving([plain], tmp_path)
    assert (served.folder, served.card, served.name) == (plain, card, str(plain))


def test_a_trained_folder_is_none(plain: Path, tmp_path: Path) -> None:
    vocabulary = read_vocabulary(plain).fingerprint
    card = ModelCard.of("mini", PathSettings(), vocabulary=vocabulary)
    trained = tmp_path / "trained"
    write_folder(trained, card, lambda place: copytree(plain, place, dirs_exist_ok=True))
    assert read_any_card(trained, tmp_path) == card
    assert not is_general(trained)


def test_what_writes_no_text_is_named(plain: Path, tmp_path: Path) -> None:
    change_config(plain, architectures=["BertModel"])
    with pytest.raises(ModelDamagedError, match="BertModel, which is no causal language model"):
        read_any_card(plain, tmp_path)
    change_config(plain, architectures=["T5ForConditionalGeneration"], is_encoder_decoder=True)
    with pytest.raises(ModelDamagedError, match=r"T5For.*no causal language model"):
        read_any_card(plain, tmp_path)


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json", "chat_template.jinja"])
@pytest.mark.parametrize("content", [b"{", b"[7]", b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_named(
    plain: Path, tmp_path: Path, name: str, content: bytes
) -> None:
    (plain / name).write_bytes(content)
    if name.endswith(".jinja") and content != b"\xff\xfe":
        LocalModel.load(plain, "cpu", tmp_path)  # a template that fails is not used
        return
    with pytest.raises(ModelDamagedError, match=name) as caught:
        LocalModel.load(plain, "cpu", tmp_path)
    assert "copy the whole folder again" in caught.value.remedy


def resize(folder: Path, more: int) -> None:
    """Give a model more rows of tokens than its tokenizer has, or fewer."""
    model = LlamaForCausalLM.from_pretrained(folder)
    model.resize_token_embeddings(model.config.vocab_size + more, mean_resizing=False)
    model.save_pretrained(folder)


def say_all(folder: Path, cache: Path) -> list[str]:
    model = LocalModel.load(folder, "cpu", cache)
    language = OneOf((" yes", " no"))
    [said] = model.decode_now([Prompt("check", "is it?", "Answer")], [language], Search(width=2))
    return sorted(sentence.text for sentence in said)


def test_a_padded_vocabulary_changes_nothing_that_can_be_said(plain: Path, tmp_path: Path) -> None:
    resize(plain, 128)
    assert say_all(plain, tmp_path) == ["no", "yes"]


def test_a_tokenizer_of_another_model_is_told_before_anything_is_asked(
    plain: Path, tmp_path: Path
) -> None:
    resize(plain, -40)
    with pytest.raises(VocabularyMismatchError, match=r"has \d+ tokens, its model \d+"):
        read_any_card(plain, tmp_path)


def test_weights_that_are_missing_are_never_random_numbers(plain: Path, tmp_path: Path) -> None:
    change_config(plain, num_hidden_layers=2)
    with pytest.raises(ModelDamagedError, match=r"weights are missing, such as model\.layers\.1"):
        LocalModel.load(plain, "cpu", tmp_path)


def test_what_a_model_can_read_stands_in_its_config(plain: Path) -> None:
    change_config(plain, max_position_embeddings=512)
    assert read_context(plain) == 512
    change_config(plain, max_position_embeddings=None, text_config={"n_positions": 1_024})
    assert read_context(plain) == 1_024


def test_an_id_of_the_hub_is_told_from_a_folder() -> None:
    ids, folders = ["smollm2", "Qwen/Qwen2.5-7B-Instruct"], ["models", "/models/mine", "../mine"]
    assert [text for text in (*ids, *folders, "a/b/c") if is_model_name(text)] == ids


def test_an_id_is_taken_from_the_hubs_cache_and_else_named(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    kept = tmp_path / "hub" / "models--some--model"
    folder = copytree(plain, kept / "snapshots" / "0123456789abcdef0123456789abcdef01234567")
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(folder.name, "utf-8")
    assert find_model_folder("some/model", tmp_path) == folder
    assert read_any_card("some/model", tmp_path).base == "some/model"
    with pytest.raises(ModelMissingError, match=r"no model folder some/other.*smollm2"):
        find_model_folder("some/other", tmp_path)
