"""What is tuned: a base's folder, how it reads chats, its sizes, and whether it can be tuned so."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trellis.domain.errors import InputError, ModelMissingError, TrainingError
from trellis.domain.reasons import with_reason
from trellis.models.chat_template import read_chat_template
from trellis.models.finding import find_model_folder
from trellis.models.folder import CARD, read_vocabulary
from trellis.models.general import check_causal, read_context
from trellis.models.loading import take_loading_turn
from trellis.models.safe_loading import refuse_pickles
from trellis.training.options import TrainingOptions, TuningOptions
from trellis.training.tuning.chats import ChatReader
from trellis.training.tuning.memory import ModelSize

ALL_LINEAR = "all-linear"
"""The targets of an adapter that changes every matrix of the layers."""


@dataclass(frozen=True, slots=True)
class TunableBase:
    """A general model that can be tuned. `name`: as the user said it."""

    name: str
    folder: Path
    reader: ChatReader
    size: ModelSize


def find_tunable_base(options: TrainingOptions, cache: Path) -> TunableBase:
    """The base that the options name; its weights are not read.

    Raises ModelMissingError where it is not to be had, ModelDamagedError where it is no causal
    model, UnsafeModelError where its weights are pickled, InputError where an adapter's targets are
    not in it, TrainingError where it cannot be held in 4 bits here.
    """
    name = str(options.general_base)
    folder = find_model_folder(name, cache)
    if not (folder / "config.json").is_file():
        raise ModelMissingError(
            f"the base model {name!r} cannot be loaded: {folder} has no config.json",
            "name a folder, a Hugging Face id that this machine can reach, or smollm2",
        )
    if (folder / CARD).is_file():
        raise InputError(f"{folder} was trained already", "name the base that it was trained from")
    check_causal(folder)
    refuse_pickles(folder)
    _check_quantising(options)
    reader = ChatReader(read_vocabulary(folder), read_chat_template(folder), read_context(folder))
    return TunableBase(name, folder, reader, _read_size(folder, name, options.tuning))


def _check_quantising(options: TrainingOptions) -> None:
    if not options.tuning.quantised:
        return
    if options.full:
        raise InputError("--full and --qlora exclude one another", "leave one of them out")
    if find_spec("bitsandbytes") is None:
        raise TrainingError(
            "--qlora wants bitsandbytes, which is not installed",
            "pip install bitsandbytes, or leave --qlora out",
        )


def _read_size(folder: Path, name: str, tuning: TuningOptions) -> ModelSize:
    with take_loading_turn():
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM
    try:
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        with torch.device("meta"):
            model = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    except (OSError, ValueError, KeyError) as error:
        problem = with_reason(f"the base model {name!r} cannot be loaded", error)
        remedy = "take a model of a kind that this version of transformers knows"
        raise ModelMissingError(problem, remedy) from error
    layers = _list_linear_layers(model)
    _check_targets(tuning, layers, name)
    text = config.get_text_config()
    chosen = [each for at, each in layers.items() if _is_target(at, tuning)]
    return ModelSize(
        weights=model.num_parameters(),
        linear=sum(each.weight.numel() for each in layers.values()),
        ends=sum(each.in_features + each.out_features for each in chosen),
        layers=int(text.num_hidden_layers),
        hidden=int(text.hidden_size),
        inner=int(getattr(text, "intermediate_size", None) or 4 * text.hidden_size),
        vocabulary=int(text.vocab_size),
    )


def _list_linear_layers(model: Any) -> dict[str, Any]:
    """A model's matrices by their names, without the one that makes its logits."""
    import torch

    head = model.get_output_embeddings()
    return {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear) and module is not head
    }


def _check_targets(tuning: TuningOptions, layers: dict[str, Any], name: str) -> None:
    ends = sorted({layer.rsplit(".", 1)[-1] for layer in layers})
    unknown = [target for target in tuning.targets if target not in (*ends, ALL_LINEAR)]
    if unknown:
        raise InputError(
            f"{name!r} has no layers called {', '.join(unknown)}, which --lora-targets names",
            f"it has {', '.join(ends)}; or leave it out for all of them",
        )


def _is_target(layer: str, tuning: TuningOptions) -> bool:
    named = tuning.targets
    return not named or ALL_LINEAR in named or layer.rsplit(".", 1)[-1] in named
