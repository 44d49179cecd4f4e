"""The model under training: a base with an adapter over it, or all of its weights."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from trellis.domain.errors import ModelDamagedError
from trellis.domain.reasons import with_reason
from trellis.models.loading import hide_progress_bars, take_loading_turn
from trellis.models.safe_loading import load_causal_model
from trellis.training.tuning.base import ALL_LINEAR
from trellis.training.tuning.plan import TuningPlan

_FRAME = ("config.json", "generation_config.json", "chat_template.jinja", "special_tokens_map.json")


def open_network(plan: TuningPlan) -> Any:
    """The base on the CPU, ready to be trained: in bfloat16 for a GPU, its adapter in float32; in
    4 bits on the GPU itself.

    Raises ModelDamagedError where its weights cannot be read.
    """
    hide_progress_bars()
    try:
        with take_loading_turn():
            model = load_causal_model(plan.base, **_choose_format(plan))
    except (OSError, ValueError, RuntimeError) as error:
        problem = with_reason(f"the weights in {plan.base} cannot be read", error)
        raise ModelDamagedError(problem, "copy the whole folder again") from error
    model.config.use_cache = False
    if plan.quantised:
        with take_loading_turn():
            from peft import prepare_model_for_kbit_training
        model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=False)
    if plan.checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    return _add_adapter(model, plan) if plan.rank else model


def _choose_format(plan: TuningPlan) -> dict[str, Any]:
    """In what precision the weights are loaded; where all of them learn, in float32."""
    if not plan.quantised:
        return {"dtype": "bfloat16" if plan.on_gpu and plan.rank else "float32"}
    import torch
    from transformers import BitsAndBytesConfig

    four_bits = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    device = torch.cuda.current_device() if plan.on_gpu else "cpu"
    return {"dtype": "bfloat16", "quantization_config": four_bits, "device_map": {"": device}}


def _add_adapter(model: Any, plan: TuningPlan) -> Any:
    with take_loading_turn():
        from peft import LoraConfig, get_peft_model

        targets = ALL_LINEAR if ALL_LINEAR in plan.targets else list(plan.targets)
        config = LoraConfig(
            r=plan.rank, lora_alpha=plan.alpha, target_modules=targets, task_type="CAUSAL_LM"
        )
        return get_peft_model(model, config)


def save_network(model: Any, plan: TuningPlan, folder: Path) -> None:
    """Write what was learnt: the adapter in bfloat16, or all weights in the precision that a base
    is served in."""
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    for name, weights in model.named_parameters():
        if "lora_" in name or (not plan.rank and plan.on_gpu):
            weights.data = weights.data.to(torch.bfloat16)
    if plan.rank:
        model.save_pretrained(folder, save_embedding_layers=False)
    else:
        model.config.use_cache = True
        model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)


def copy_frame(base: Path, folder: Path) -> None:
    """Copy what a vocabulary and a chat template are read from, as the base has them."""
    names = [*_FRAME, *(path.name for path in base.glob("tokenizer*")), "vocab.json", "merges.txt"]
    for name in names:
        if (base / name).is_file() and not (folder / name).exists():
            shutil.copyfile(base / name, folder / name)
