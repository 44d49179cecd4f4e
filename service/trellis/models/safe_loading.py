"""Loading models without running code of theirs: weights are safetensors alone, never pickles.

A pickle is a program, which runs when it is read; so does the Python code that some models bring
along. Neither is ever loaded, wherever a model comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trellis.domain.errors import UnsafeModelError

SAFE_OPTIONS: Mapping[str, Any] = {"use_safetensors": True, "trust_remote_code": False}
"""What `from_pretrained` of any weights is told."""

_PICKLED = frozenset((".bin", ".ckpt", ".pickle", ".pkl", ".pt", ".pth"))
_SAFE = ".safetensors"


def load_causal_model(source: str | Path, **options: Any) -> Any:
    """A causal language model of a folder or a Hugging Face id.

    Raises UnsafeModelError for pickled weights and for a model that brings code along, ValueError
    where weights are missing, which would be random numbers; else transformers' own errors. The
    caller holds the turn to load.
    """
    from transformers import AutoModelForCausalLM

    refuse_pickles(source)
    try:
        model, report = AutoModelForCausalLM.from_pretrained(
            source, output_loading_info=True, **SAFE_OPTIONS, **options
        )
    except ValueError as error:
        if "trust_remote_code" not in str(error):
            raise
        raise UnsafeModelError(
            f"the model {str(source)!r} brings Python code along, which is never run here",
            "take a model of a kind that transformers knows by itself",
        ) from error
    if missing := sorted(report["missing_keys"]):
        raise ValueError(f"{len(missing)} of its weights are missing, such as {missing[0]}")
    return model


def refuse_pickles(source: str | Path) -> None:
    """Raise UnsafeModelError where a folder, or one inside it, has pickled weights and no others.

    An id that is no folder passes: whoever loads it is told to take safetensors alone.
    """
    top = Path(source)
    if not top.is_dir():
        return
    for folder in (top, *(each for each in sorted(top.iterdir()) if each.is_dir())):
        _refuse_pickles_of(folder)


def _refuse_pickles_of(folder: Path) -> None:
    names = sorted(each.name for each in folder.iterdir() if each.is_file())
    pickled = [name for name in names if Path(name).suffix in _PICKLED]
    if pickled and not any(name.endswith(_SAFE) for name in names):
        raise UnsafeModelError(
            f"{folder / pickled[0]} is a pickle, which can run any code when it is read",
            "save the model as safetensors, where you trust it: "
            "`model.save_pretrained(folder)` of transformers writes model.safetensors",
        )
