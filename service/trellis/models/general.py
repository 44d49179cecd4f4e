"""General models: ordinary Hugging Face folders, whose cards are derived.

A folder without `trellis.json` was trained for no graph. Its card names the model and its
vocabulary; which tasks it is asked for is said by whoever asks (`methods.registry`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from trellis.domain.card import ModelCard
from trellis.domain.errors import ModelDamagedError
from trellis.domain.reasons import with_reason
from trellis.models.finding import find_model_folder
from trellis.models.folder import CARD, read_card, read_vocabulary

_CONFIG = "config.json"
_CAUSAL = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
_LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
_LEAST_CONTEXT = 64
_USUAL_CONTEXT = 2_048


def is_general(folder: Path) -> bool:
    """Whether a folder is a model's, and was not written by `trellis train`."""
    return (folder / _CONFIG).is_file() and not (folder / CARD).is_file()


def read_any_card(model: Path | str, cache: Path) -> ModelCard:
    """The card of a model: as `trellis train` wrote it, else as it is derived.

    Raises as `find_model_folder`, `read_card` and `read_vocabulary`, and ModelDamagedError where
    the model is no causal language model.
    """
    folder = find_model_folder(model, cache)
    return derive_card(folder, str(model)) if is_general(folder) else read_card(folder)


def derive_card(folder: Path, name: str) -> ModelCard:
    """The card of a general model, which names no task."""
    check_causal(folder)
    return ModelCard(name, {}, read_vocabulary(folder).fingerprint, is_general=True)


def check_causal(folder: Path) -> None:
    """Raise ModelDamagedError where a folder's model does not write text."""
    named = _read_config(folder).get("architectures") or []
    if named and not any(str(each).endswith(_CAUSAL) for each in named):
        raise ModelDamagedError(
            f"{folder} is a {named[0]}, which is no causal language model",
            "name an instruct model that writes text",
        )


def read_context(folder: Path) -> int:
    """The tokens that a model can read, by its config."""
    config = _read_config(folder)
    inner = config.get("text_config")
    for body in (config, inner if isinstance(inner, dict) else {}):
        lengths = [int(body[name]) for name in _LENGTHS if isinstance(body.get(name), int)]
        if lengths:
            return max(_LEAST_CONTEXT, *lengths)
    return _USUAL_CONTEXT


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / _CONFIG
    try:
        body = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        problem = with_reason(f"{path} cannot be read", error)
        raise ModelDamagedError(problem, "copy the whole folder again") from error
    if not isinstance(body, dict):
        raise ModelDamagedError(f"{path} is not a model's config", "copy the whole folder again")
    return body
