"""Reads the plain files of a model's folder, which anybody may have written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trellis.domain.errors import ModelDamagedError
from trellis.domain.reasons import with_reason

_REMEDY = "copy the whole folder again"


def read_text_file(path: Path) -> str:
    """The text of a file; ModelDamagedError where it cannot be read."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelDamagedError(with_reason(f"{path} cannot be read", error), _REMEDY) from error


def read_json_file(path: Path) -> dict[str, Any]:
    """The settings in a JSON file; none where there is no file.

    Raises ModelDamagedError where it cannot be read, or holds none.
    """
    if not path.is_file():
        return {}
    try:
        body = json.loads(read_text_file(path))
    except ValueError as error:
        raise ModelDamagedError(with_reason(f"{path} is not JSON", error), _REMEDY) from error
    if not isinstance(body, dict):
        raise ModelDamagedError(f"{path} holds no settings", _REMEDY)
    return body


def read_token_text(config: Mapping[str, Any], name: str) -> str:
    """The text of a special token that a tokenizer's settings name; empty where they name none."""
    token = config.get(name)
    text = token.get("content") if isinstance(token, dict) else token
    return text if isinstance(text, str) else ""


def find_config_number(config: Mapping[str, Any], names: Sequence[str]) -> int:
    """The largest number that a model's config, or that of its text model, has under some names;
    0 where it has none."""
    inner = config.get("text_config")
    for body in (config, inner if isinstance(inner, dict) else {}):
        numbers = [int(body[name]) for name in names if isinstance(body.get(name), int)]
        if numbers:
            return max(numbers)
    return 0
