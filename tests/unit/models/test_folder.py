"""A model folder: whole, or an error that says what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.errors import (
    InputError,
    ModelDamagedError,
    ModelMissingError,
    ModelOutdatedError,
    VocabularyMismatchError,
    WrongTaskError,
)
from trellis.domain.models.card import Calibration, ModelCard
from trellis.models.folder import (
    CARD,
    check_target,
    parse_card,
    read_card,
    read_vocabulary,
    write_card,
    write_folder,
)
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.queries.settings import CypherSettings, RankSettings
from trellis.training.examples import Example
from trellis.training.language_models import mini
from trellis.training.language_models.lesson import MiniShape

SETTINGS = PathSettings(hops=3, revisit="any", meets=True, wording=("who", "été"))
CYPHER = CypherSettings(nodes=3, limits=(1, 3))
FITTED = Calibration(temperature=2.0, weights={"bias": 0.5}, abstain_below=0.3)
SHAPE = MiniShape(width=32, layers=1, heads=2, words=50)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    new = mini.make_mini(
        [Example(build_masked_path_prompt("who"), (" ENT1",))], [" -> parents"], SHAPE, 0
    )
    card = ModelCard.of("mini", SETTINGS, CYPHER, vocabulary=new.vocabulary.fingerprint)
    card = replace(card, training={"path": {"seed": 0, "questions": None}})
    written = tmp_path_factory.mktemp("written") / "model"
    write_folder(written, card.with_calibration("gcr", FITTED), new.save)
    return written


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return copytree(written, tmp_path / "model")


def change_card(folder: Path, change: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
    """Write another card into a folder's file."""
    body = json.loads((folder / CARD).read_text("utf-8"))
    body["card"] = change(body["card"])
    (folder / CARD).write_text(json.dumps(body), "utf-8")


def test_a_card_comes_back_as_it_was_written(folder: Path) -> None:
    card = read_card(folder)
    assert list(card.tasks) == ["path", "cypher"]
    assert (card.settings(PathSettings), card.settings(CypherSettings)) == (SETTINGS, CYPHER)
    assert (card.calibration("gcr"), card.calibration("graphraft")) == (FITTED, Calibration())
    assert card.training == {"path": {"seed": 0, "questions": None}}
    assert read_vocabulary(folder, card).fingerprint == card.vocabulary
    write_card(folder, card)
    assert read_card(folder) == card


def test_a_task_that_the_model_does_not_do_says_what_to_train(folder: Path) -> None:
    with pytest.raises(WrongTaskError, match=r"path, cypher, not 'rank'.*--task rank"):
        read_card(folder).settings(RankSettings)


OLDER = {"begin": "answer", "filters": "inline", "labels": "always", "nodes": 3, "limits": [1, 3]}
"""The options of a card of an earlier version."""


def test_writing_again_replaces_the_whole_folder(folder: Path) -> None:
    (folder / "stale.bin").write_bytes(b"x")
    without = ignore_patterns("stale.bin", CARD)
    write_folder(
        *(folder, read_card(folder)),
        lambda place: copytree(folder, place, ignore=without, dirs_exist_ok=True),
    )
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


def test_options_of_an_older_card_are_read_where_they_still_mean_the_same() -> None:
    card = parse_card({"base": "mini", "tasks": {"cypher": {"manner": OLDER}}}, "here")
    assert card.settings(CypherSettings).options == RenderingOptions(3, 4, (1, 3), is_wide=False)


@pytest.mark.parametrize("option", [{"begin": "value"}, {"labels": "choice"}, {"later": 1}])
def test_a_card_with_an_option_that_does_not_exist_is_refused(option: dict[str, object]) -> None:
    said = {"base": "mini", "tasks": {"cypher": {"manner": {**OLDER, **option}}}}
    (name,) = option
    with pytest.raises(ModelOutdatedError, match=name) as caught:
        parse_card(said, "here").settings(CypherSettings)
    assert "train it again" in caught.value.remedy


def test_a_missing_folder_and_an_unfinished_one(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match="no model folder"):
        read_card(tmp_path / "nowhere")
    with pytest.raises(ModelMissingError, match="did not end"):
        read_card(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_truncated_missing_or_changed_file_is_named(folder: Path, name: str) -> None:
    body = (folder / name).read_bytes()
    for damaged in (body[: len(body) // 2], body[:-1] + b"~", None):
        (folder / name).unlink()
        if damaged is not None:
            (folder / name).write_bytes(damaged)
        with pytest.raises(ModelDamagedError, match=name):
            read_card(folder)


PATH: Mapping[str, Any] = {"tasks": {"path": {}}}
DAMAGED: tuple[Mapping[str, Any], ...] = (
    PATH,
    {"base": "mini"},
    {"base": "mini", "tasks": None},
    {"base": "mini", "tasks": ["path"]},
    {"base": "mini", "tasks": {"path": "hops"}},
    {"base": "mini", "tasks": {"path": ["hops"]}},
    {"base": "mini", **PATH, "calibrations": 3},
    {"base": "mini", **PATH, "calibrations": {"gcr": 3}},
    {"base": "mini", **PATH, "calibrations": {"gcr": ["temperature"]}},
    {"task": "path", "base": "mini"},
)


@pytest.mark.parametrize("card", DAMAGED, ids=str)
def test_a_card_that_lacks_something_or_means_nothing_is_damaged(
    folder: Path, card: Mapping[str, Any]
) -> None:
    change_card(folder, lambda _: card)
    with pytest.raises(ModelDamagedError, match=r"trellis\.json"):
        read_card(folder)
    with pytest.raises(ModelDamagedError, match="a worker"):
        parse_card(card, "a worker")


@pytest.mark.parametrize(
    "body",
    [
        *("", "[]", '{"card": {}}', '{"card": {}, "files": {}}'),
        *('{"card": [], "files": {}}', '{"card": "task", "files": {}}'),
        *('{"card": {"task": "path", "base": "m"}, "files": []}',),
        *('{"card": {"task": "path", "base": "m"}, "files": {"config.json": 3}}',),
        *('{"card": {"task": "path", "base": "m"}, "files": {"config.json": {}}}',),
    ],
)
def test_a_card_that_is_none_is_damaged(folder: Path, body: str) -> None:
    (folder / CARD).write_text(body, "utf-8")
    with pytest.raises(ModelDamagedError):
        read_card(folder)


def test_another_tokenizer_is_a_mismatch(folder: Path, tmp_path: Path) -> None:
    other = mini.make_mini([Example(build_masked_path_prompt("where"), (" ENT1",))], [], SHAPE, 0)
    (tmp_path / "other").mkdir()
    other.save(tmp_path / "other")
    (tmp_path / "other" / "tokenizer.json").replace(folder / "tokenizer.json")
    with pytest.raises(VocabularyMismatchError):
        read_card(folder)


def test_a_card_of_a_later_version_is_read(folder: Path) -> None:
    def add_news(card: dict[str, Any]) -> Mapping[str, Any]:
        card["tasks"]["path"]["something_new"] = 1
        card["tasks"]["song"] = {"key": "C"}
        card["calibrations"]["gcr"]["something_new"] = 1
        return {**card, "something_new": 1}

    change_card(folder, add_news)
    card = read_card(folder)
    assert (card.settings(PathSettings), card.calibration("gcr")) == (SETTINGS, FITTED)


def test_a_folder_of_something_else_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    check_target(folder)
    check_target(tmp_path / "new")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_bytes(b"x")
    for place in (tmp_path / "photos", tmp_path / "photos" / "me.jpg"):
        with pytest.raises(InputError, match="name a"):
            check_target(place)
