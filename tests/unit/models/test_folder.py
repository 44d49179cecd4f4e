"""A model folder: whole, or an error that says what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trellis.domain.card import ModelCard
from trellis.domain.errors import (
    InputError,
    ModelDamagedError,
    ModelMissingError,
    VocabularyMismatchError,
)
from trellis.models.folder import (
    CARD,
    check_target,
    read_card,
    read_vocabulary,
    write_card,
    write_folder,
)
from trellis.training.language_models import mini
from trellis.training.examples import Example

SHAPE = mini.Shape(width=32, layers=1, heads=2, words=50)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new = mini.new([Example("Question: who\nPath:", (" ENT1",))], [" -> parents"], SHAPE, 0)
    card = ModelCard(
        task="path",
        base="mini",
        hops=3,
        revisit="any",
        wording=("who", "été"),
        vocabulary=new.vocabulary.fingerprint,
        training={"seed": 0, "questions": None},
    )
    write_folder(tmp_path / "model", card, new.save)
    return tmp_path / "model"


def test_a_card_comes_back_as_it_was_written(folder: Path) -> None:
    card = read_card(folder)
    assert (card.hops, card.revisit, card.wording) == (3, "any", ("who", "été"))
    assert read_vocabulary(folder, card).fingerprint == card.vocabulary


def test_writing_again_replaces_the_whole_folder(folder: Path) -> None:
    (folder / "stale.bin").write_bytes(b"x")
    write_folder(folder, read_card(folder), lambda place: _copy(folder, place))
    assert not (folder / "stale.bin").exists()
    assert read_card(folder).base == "mini"
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_a_failed_write_leaves_the_old_model(folder: Path) -> None:
    def fill(place: Path) -> None:
        (place / "half").write_bytes(b"x")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_folder(folder, read_card(folder), fill)
    assert read_card(folder).base == "mini"


def test_a_missing_folder_and_an_unfinished_one(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match="no model folder"):
        read_card(tmp_path / "nowhere")
    with pytest.raises(ModelMissingError, match="did not end"):
        read_card(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_truncated_missing_or_changed_file_is_named(folder: Path, name: str) -> None:
    path = folder / name
    body = path.read_bytes()
    path.write_bytes(body[: len(body) // 2])
    with pytest.raises(ModelDamagedError, match=name):
        read_card(folder)
    path.write_bytes(body[:-1] + b"~")
    with pytest.raises(ModelDamagedError, match=name):
        read_card(folder)
    path.unlink()
    with pytest.raises(ModelDamagedError, match=name):
        read_card(folder)


@pytest.mark.parametrize("body", ["", "[]", '{"card": {}}', '{"card": {}, "files": {}}'])
def test_a_card_that_is_none_is_damaged(folder: Path, body: str) -> None:
    (folder / CARD).write_text(body, "utf-8")
    with pytest.raises(ModelDamagedError):
        read_card(folder)


def test_another_tokenizer_is_a_mismatch(folder: Path, tmp_path: Path) -> None:
    other = mini.new([Example("Question: where\nPath:", (" ENT1",))], [], SHAPE, 0)
    (tmp_path / "other").mkdir()
    other.save(tmp_path / "other")
    (tmp_path / "other" / "tokenizer.json").replace(folder / "tokenizer.json")
    with pytest.raises(VocabularyMismatchError):
        read_card(folder)


def test_a_card_of_a_later_version_is_read(folder: Path) -> None:
    body = json.loads((folder / CARD).read_text("utf-8"))
    body["card"]["something_new"] = 1
    (folder / CARD).write_text(json.dumps(body), "utf-8")
    assert read_card(folder).base == "mini"


def test_a_folder_of_something_else_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    check_target(folder)
    check_target(tmp_path / "new")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_bytes(b"x")
    for place in (tmp_path / "photos", tmp_path / "photos" / "me.jpg"):
        with pytest.raises(InputError, match="name a"):
            check_target(place)


def _copy(source: Path, target: Path) -> None:
    for path in source.iterdir():
        if path.name not in (CARD, "stale.bin"):
            (target / path.name).write_bytes(path.read_bytes())
    write_card(target, read_card(source))
