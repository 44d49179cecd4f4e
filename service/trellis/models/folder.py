"""A model folder: ordinary Hugging Face files and `trellis.json`, the card that is written last.

The card's file also holds the size and checksum of every other file. So a folder that is truncated,
or mixed from two models, is recognised before anything is loaded.
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

from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.domain.errors import (
    InputError,
    ModelDamagedError,
    ModelMissingError,
    VocabularyMismatchError,
)
from trellis.domain.models.card import Calibration, ModelCard
from trellis.domain.reasons import with_reason
from trellis.models.plain_files import find_config_number, read_json_file, read_token_text

CARD = "trellis.json"
_RETRAIN = "train it again with `trellis train`, or copy the whole folder"


def read_card(folder: Path) -> ModelCard:
    """The card of a whole model folder.

    Raises ModelMissingError where no model is, ModelDamagedError where a file is missing, cut
    short or changed, VocabularyMismatchError where the tokenizer is not the one trained with.
    """
    body = _read_card_file(folder)
    card = parse_card(body["card"], folder / CARD)
    for name, seal in body["files"].items():
        _check_file(folder / name, seal, card)
    return card


def parse_card(body: Mapping[str, Any], where: object) -> ModelCard:
    """A card from its JSON; fields of later versions are left out. `where`: it was found.

    Raises ModelDamagedError where a field is missing or has no meaning.
    """
    try:
        return _parse_card(body)
    except (TypeError, KeyError, AttributeError) as error:
        raise ModelDamagedError(f"the card of {where} lacks a field ({error})", _RETRAIN) from error


def _parse_card(body: Mapping[str, Any]) -> ModelCard:
    tasks = {task: {**settings} for task, settings in body["tasks"].items()}
    fitted = {
        method: parse_calibration(each) for method, each in body.get("calibrations", {}).items()
    }
    kept = _keep_fields(ModelCard, body)
    names = tuple(body.get("schema_names", ()))
    return ModelCard(**{**kept, "tasks": tasks, "calibrations": fitted, "schema_names": names})


def parse_calibration(body: Mapping[str, Any]) -> Calibration:
    """A calibration from its JSON; fields of later versions are left out."""
    return Calibration(**_keep_fields(Calibration, body))


def _keep_fields(kind: type[Calibration | ModelCard], body: Mapping[str, Any]) -> dict[str, Any]:
    known = {each.name for each in fields(kind)}
    return {key: value for key, value in body.items() if key in known}


def check_target(folder: Path, *allowed_names: str) -> None:
    """Raise InputError where a folder holds other files than a model or the names in
    `allowed_names`."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file", "name a folder for the model")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if CARD not in names and names - set(allowed_names):
        raise InputError(f"{folder} holds other files than a model", "name an empty or new folder")


def write_folder(folder: Path, card: ModelCard, fill: Callable[[Path], None]) -> None:
    """Write a model folder: `fill` writes the files, the card is added, and `folder` is
    replaced."""
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
    """Write the card of a folder whose other files are complete, with their sizes and checksums."""
    names = sorted(p.name for p in folder.iterdir() if p.is_file() and p.name != CARD)
    body = {"card": asdict(card), "files": {name: _seal_file(folder / name) for name in names}}
    write_text(folder / CARD, json.dumps(body, indent=1, ensure_ascii=False) + "\n")


def read_vocabulary(folder: Path, card: ModelCard | None = None) -> TokenizerVocabulary:
    """The vocabulary of a Hugging Face folder.

    Raises ModelMissingError or ModelDamagedError where its tokenizer cannot be read, and
    VocabularyMismatchError where it does not have the fingerprint of the `card`, if one is given.
    """
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ModelMissingError(f"{folder} has no tokenizer.json", "name a Hugging Face folder")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exceptions
        problem = with_reason(f"{path} is not a tokenizer", error)
        raise ModelDamagedError(problem, _RETRAIN) from error
    config = read_json_file(folder / "config.json")
    ends = _read_end_tokens(folder, config, tokenizer)
    known = find_config_number(config, ("vocab_size",))
    vocabulary = TokenizerVocabulary(tokenizer, ends, known)
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


def _read_card_file(folder: Path) -> Mapping[str, Any]:
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
        raise ModelDamagedError(with_reason(f"{path} is not JSON", error), _RETRAIN) from error
    if not _is_sealed_card(body):
        raise ModelDamagedError(f"{path} is not a model card", _RETRAIN)
    return body  # type: ignore[no-any-return]


def _is_sealed_card(body: Any) -> bool:
    """Whether a card's file has the card and a seal for each file."""
    if not isinstance(body, dict):
        return False
    card, files = body.get("card"), body.get("files")
    return (
        isinstance(card, dict)
        and isinstance(files, dict)
        and all(isinstance(seal, dict) and "bytes" in seal for seal in files.values())
    )


def _check_file(path: Path, seal: Mapping[str, Any], card: ModelCard) -> None:
    if not path.is_file():
        raise ModelDamagedError(f"{path} is missing", _RETRAIN)
    size = path.stat().st_size
    if size != seal["bytes"] and path.name != "tokenizer.json":
        raise ModelDamagedError(f"{path} has {size} bytes of {seal['bytes']}", _RETRAIN)
    if _seal_file(path) == seal:
        return
    if path.name == "tokenizer.json":
        read_vocabulary(path.parent, card)
    raise ModelDamagedError(f"{path} is not the file that was trained", _RETRAIN)


def _seal_file(path: Path) -> dict[str, int | str]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}


def _read_end_tokens(folder: Path, config: Mapping[str, Any], tokenizer: Tokenizer) -> list[int]:
    """The ids that end a text: those of the model's config, and the tokenizer's end-of-text
    token."""
    eos: Any = config.get("eos_token_id")
    ends = [] if eos is None else list(eos) if isinstance(eos, list) else [int(eos)]
    name = read_token_text(read_json_file(folder / "tokenizer_config.json"), "eos_token")
    own = tokenizer.token_to_id(name) if name else None
    if own is not None and own not in ends:
        ends.append(own)
    if not ends:
        raise ModelDamagedError(f"{folder} names no end-of-text token", "name a causal model")
    return sorted(ends)
