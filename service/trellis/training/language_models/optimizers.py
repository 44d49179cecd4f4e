"""What takes the steps of a training: AdamW, and Muon for a new model's matrices.

Muon: Keller Jordan et al., "Muon: An optimizer for hidden layers in neural networks" (2024), scaled
as in Liu et al., "Muon is scalable for LLM training" (2025), so that AdamW's rate serves both.
PyTorch's own counts in bfloat16, which takes a second a step on a processor without it; this one
counts in the weights' own precision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

_POLYNOMIAL = 3.4445, -4.7750, 2.0315
"""Of Newton-Schulz: a x + b x³ + c x⁵ brings each singular value near 1."""

_TURNS = 5  # of Newton-Schulz
_MOMENTUM = 0.95
_LEAST_LENGTH = 1e-7

_RMS = 0.2
"""The root mean square of an update's entries, which is about that of AdamW's."""


class Muon(Optimizer):
    """Momentum whose direction is made orthogonal: every direction of a matrix learns as fast.

    `weights`: matrices. `rate`: as for AdamW.
    """

    def __init__(self, weights: Iterable[Tensor], rate: float, decay: float) -> None:
        super().__init__(weights, {"lr": rate, "weight_decay": decay})

    @torch.no_grad()
    def step(self, closure: object = None) -> None:  # type: ignore[override]
        """One step down the gradients; there is no `closure`."""
        assert closure is None
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._update(weight, weight.grad, group)

    def _update(self, weight: Tensor, gradient: Tensor, group: Mapping[str, Any]) -> None:
        state = self.state[weight]
        if not state:
            state["mean"] = torch.zeros_like(weight)
        mean = state["mean"].lerp_(gradient, 1 - _MOMENTUM)
        ahead = gradient.lerp(mean, _MOMENTUM)  # Nesterov's
        scale = _RMS * max(weight.shape) ** 0.5
        weight.mul_(1 - group["lr"] * group["weight_decay"])
        weight.add_(orthogonalise(ahead), alpha=-group["lr"] * scale)


def orthogonalise(matrix: Tensor) -> Tensor:
    """A matrix [m, n] with about the same singular vectors, whose singular values are all about 1
    (.7 to 1.2), by Newton-Schulz."""
    first, third, fifth = _POLYNOMIAL
    wide = matrix.mT if matrix.shape[0] > matrix.shape[1] else matrix
    made: Tensor = wide / wide.norm().clamp(min=_LEAST_LENGTH)
    for _ in range(_TURNS):
        square = made @ made.mT
        odd = torch.addmm(square, square, square, beta=third, alpha=fifth)
        made = torch.addmm(made, odd, made, beta=first)
    return made.mT if matrix.shape[0] > matrix.shape[1] else made


@dataclass(frozen=True, slots=True)
class Optimizers:
    """Optimizers that take their steps together, all at one rate."""

    parts: Sequence[Optimizer]

    def set_rate(self, rate: float) -> None:
        """The rate of the next steps."""
        for part in self.parts:
            for group in part.param_groups:
                group["lr"] = rate

    def step(self) -> None:
        """One step down the gradients, which are gone afterwards."""
        for part in self.parts:
            part.step()
            part.zero_grad()

    def state_dict(self) -> list[dict[str, Any]]:
        """What a checkpoint keeps."""
        return [part.state_dict() for part in self.parts]

    def load_state_dict(self, state: Sequence[dict[str, Any]]) -> None:
        """Put a checkpoint's state back."""
        for part, kept in zip(self.parts, state, strict=True):
            part.load_state_dict(kept)


def make_optimizers(
    model: nn.Module, tokens: Iterable[nn.Module], rate: float, decay: float
) -> Optimizers:
    """What takes the steps of the parameters of `model` that want a gradient: the layers' matrices
    learn by Muon, the rest by AdamW.

    `tokens`: the layers of its tokens' vectors, which may be meant to stay, so they do not decay.
    """
    vectors = {id(weight) for layer in tokens for weight in layer.parameters()}
    wanting = [weight for weight in model.parameters() if weight.requires_grad]
    matrices = [weight for weight in wanting if weight.ndim > 1 and id(weight) not in vectors]
    own = {id(weight) for weight in matrices}
    rest = [weight for weight in wanting if id(weight) not in own]
    plain = AdamW(rest, lr=rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True)
    return Optimizers((Muon(matrices, rate, decay), plain))
