"""A model folder: ordinary Hugging Face files and `trellis.json`, the card that is written last.

The card's file also holds the size and checksum of every other file, so that a folder that was cut
short, or put together from two models, is told from a whole one before anything is loaded.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from trellis.automata.cypher.options import read_options
from trellis.automata.vocabulary import TokenizerVocabulary
from trellis.domain.errors import (
    InputError,
    ModelDamagedError,
    ModelMissingError,
    VocabularyMismatchError,
)
from trellis.domain.values import ModelCard

CARD = "trellis.json"
_RETRAIN = "train it again with `trellis train`, or copy the whole folder"


def read_card(folder: Path) -> ModelCard:
    """The card of a whole model folder.

    Raises ModelMissingError where no model is, ModelDamagedError where a file is missing, cut
    short or changed, ModelOutdatedError where it was trained under options that no longer exist,
    VocabularyMismatchError where the tokenizer is not the one trained with.
    """
    body = _read(folder)
    card = card_of(body["card"], folder / CARD)
    for name, seal in body["files"].items():
        _check(folder / name, seal, card)
    return card


def card_of(said: Mapping[str, Any], where: object) -> ModelCard:
    """A card from its fields, those of later versions left out; `where` it was found.

    Raises ModelDamagedError where a field lacks, ModelOutdatedError where the model was trained
    under options that no longer exist.
    """
    known = {field.name for field in fields(ModelCard)}
    kept = {key: value for key, value in said.items() if key in known}
    read_options(kept.get("manner", {}))
    try:
        return ModelCard(**{**kept, "wording": tuple(kept.get("wording", ()))})
    except TypeError as error:
        raise ModelDamagedError(f"the card of {where} lacks a field ({error})", _RETRAIN) from error


def check_target(folder: Path, *mine: str) -> None:
    """Refuse (InputError) to replace a folder that holds anything but a model or `mine`."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file", "name a folder for the model")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if CARD not in names and names - set(mine):
        raise InputError(f"{folder} holds other files than a model", "name an empty or new folder")


def write_folder(folder: Path, card: ModelCard, fill: Callable[[Path], None]) -> None:
    """Have `fill` write a model's files, add the card, and put the whole in place of `folder`."""
    folder = folder.resolve()
    fresh = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    fill(fresh)
    write_card(fresh, card)
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def write_card(folder: Path, card: ModelCard) -> None:
    """Seal a folder whose other files are all there: its card, and their sizes and checksums."""
    names = sorted(p.name for p in folder.iterdir() if p.is_file() and p.name != CARD)
    body = {"card": asdict(card), "files": {name: _seal(folder / name) for name in names}}
    write_text(folder / CARD, json.dumps(body, indent=1, ensure_ascii=False) + "\n")


def read_vocabulary(folder: Path, card: ModelCard | None = None) -> TokenizerVocabulary:
    """The vocabulary of a Hugging Face folder, held to the card's fingerprint if one is given."""
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ModelMissingError(f"{folder} has no tokenizer.json", "name a Hugging Face folder")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exceptions
        raise ModelDamagedError(f"{path} is not a tokenizer ({error})", _RETRAIN) from error
    config = json.loads((folder / "config.json").read_text("utf-8")) if _has_config(folder) else {}
    vocabulary = TokenizerVocabulary(
        tokenizer, _ends(folder, config, tokenizer), int(config.get("vocab_size", 0))
    )
    if card is not None and card.vocabulary != vocabulary.fingerprint:
        raise VocabularyMismatchError(
            f"{path} (vocabulary {vocabulary.fingerprint}) is not the tokenizer that the model was "
            f"trained with ({card.vocabulary})",
            _RETRAIN,
        )
    return vocabulary


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, "utf-8")
    part.replace(path)


def _read(folder: Path) -> Mapping[str, Any]:
    if not folder.is_dir():
        raise ModelMissingError(f"no model folder at {folder}", "train one with `trellis train`")
    path = folder / CARD
    if not path.is_file():
        raise ModelMissingError(
            f"{folder} has no {CARD}: not a trained model, or its training did not end",
            "run the same `trellis train` again: it goes on where it stopped",
        )
    try:
        body = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ModelDamagedError(f"{path} is not JSON ({error})", _RETRAIN) from error
    if not (isinstance(body, dict) and {"card", "files"} <= body.keys()):
        raise ModelDamagedError(f"{path} is not a model card", _RETRAIN)
    return body


def _check(path: Path, seal: Mapping[str, Any], card: ModelCard) -> None:
    if not path.is_file():
        raise ModelDamagedError(f"{path} is missing", _RETRAIN)
    size = path.stat().st_size
    if size != seal["bytes"] and path.name != "tokenizer.json":
        raise ModelDamagedError(f"{path} has {size} bytes of {seal['bytes']}", _RETRAIN)
    if _seal(path) == seal:
        return
    if path.name == "tokenizer.json":
        read_vocabulary(path.parent, card)
    raise ModelDamagedError(f"{path} is not the file that was trained", _RETRAIN)


def _seal(path: Path) -> dict[str, int | str]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}


def _has_config(folder: Path) -> bool:
    return (folder / "config.json").is_file()


def _ends(folder: Path, config: Mapping[str, Any], tokenizer: Tokenizer) -> list[int]:
    """The ids that end a text: the model's, and the tokenizer's own end-of-text token."""
    said: Any = config.get("eos_token_id")
    ends = [] if said is None else list(said) if isinstance(said, list) else [int(said)]
    path = folder / "tokenizer_config.json"
    token = json.loads(path.read_text("utf-8")).get("eos_token") if path.is_file() else None
    name = token.get("content") if isinstance(token, dict) else token
    found = tokenizer.token_to_id(name) if name else None
    if found is not None and found not in ends:
        ends.append(found)
    if not ends:
        raise ModelDamagedError(f"{folder} names no end-of-text token", "name a causal model")
    return sorted(ends)
