"""Where a model is: a folder, a name of ours, or an id of the Hugging Face hub in its ordinary
cache."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from trellis.domain.errors import ModelMissingError
from trellis.domain.reasons import with_reason
from trellis.models.base import SMOLLM2, find_base_folder
from trellis.models.reader.folder import READER, SHIPPED_READER

_READER_NAMES = (READER, "untrained")
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_FILES = ("*.json", "*.safetensors", "*.jinja", "tokenizer.*")
_REMEDY = "name a folder, a Hugging Face id that this machine can reach, reader or smollm2"


def is_model_name(text: str) -> bool:
    """Whether a text may name a model that is no folder: `reader` or its other name `untrained`,
    `smollm2`, or an id of the hub."""
    is_name = text in _READER_NAMES or bool(_HUB_ID.fullmatch(text))
    return text == SMOLLM2 or (is_name and not Path(text).is_dir())


def check_model_folders(models: Iterable[Path | str]) -> None:
    """Raise ModelMissingError for the first that is neither a folder nor the name of a model; what
    is written like an id of the hub is meant as a folder where the folder before it is one."""
    for model in map(Path, models):
        is_in_folder = bool(model.parent.name) and model.parent.is_dir()
        if not model.is_dir() and (is_in_folder or not is_model_name(str(model))):
            raise ModelMissingError(f"there is no model folder {model}", _REMEDY)


def find_model_folder(model: Path | str, cache: Path) -> Path:
    """The folder of a model; `reader` is shipped, the folder of `smollm2` is made on first use, and
    that of a hub's id is taken from the hub's cache, or downloaded.

    A folder that does not exist is given as it is: whoever reads it says so. Raises
    ModelMissingError where an id is neither in the cache nor on the hub, or cannot be reached.
    """
    name = str(model)
    if name == SMOLLM2:
        return Path(find_base_folder(name, cache))
    if name in _READER_NAMES and is_model_name(name):
        return SHIPPED_READER
    return _fetch_from_hub(name) if is_model_name(name) else Path(model)


def _fetch_from_hub(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError
    except ImportError as error:
        raise ModelMissingError(
            f"there is no model folder {name}, and the hub cannot be asked for it",
            "name a folder, or install trellis[local]",
        ) from error
    patterns = list(_FILES)
    try:
        return Path(snapshot_download(name, allow_patterns=patterns, local_files_only=True))
    except LocalEntryNotFoundError:
        pass
    try:
        return Path(snapshot_download(name, allow_patterns=patterns))
    except (OSError, ValueError) as error:  # what the hub's own errors are
        problem = f"there is no model folder {name}, and the hub's model of that name is not here"
        raise ModelMissingError(with_reason(problem, error), _REMEDY) from error
