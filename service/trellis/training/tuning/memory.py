"""The memory that tuning takes, told before it begins, and what there is.

A step holds the weights, what is learnt of them with its gradients and Adam's two means, what each
layer kept of its input, one layer's inner values while these are computed again, and the logits of
the sentences alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

GIB = 2**30

_LEARNT_BYTES = 16  # of a weight that is learnt: itself, its gradient, Adam's two means
_FOUR_BITS = 0.56  # bytes of a weight in 4 bits, with its scales
_HIDDEN_COPIES, _INNER_COPIES = 14, 8  # that a layer holds of a token's values, backwards included
_LOGIT_BYTES = 12  # of a logit beside itself: in float32, its gradient, and the softmax
_ITSELF = 0.9 * GIB  # Python, torch and the device's own
_CGROUP = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class ModelSize:
    """The sizes of a model: `weights` in all, `linear` those of its layers' matrices; `ends`: the
    inputs and outputs of these together, which an adapter has one vector of its rank for each."""

    weights: int
    linear: int
    ends: int
    layers: int
    hidden: int
    inner: int
    vocabulary: int


@dataclass(frozen=True, slots=True)
class StepShape:
    """What a device reads at once: `rows` of `tokens` tokens, of which `sentence` are judged."""

    rows: int
    tokens: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Footprint:
    """How a model is held. `width`: bytes of a value; `rank`: of its adapter, 0: all weights learn;
    `quantised`: its layers are held in 4 bits; `checkpointing`: inner values are computed again."""

    width: int
    rank: int
    quantised: bool = False
    checkpointing: bool = True


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Bytes of a step, by what they are for."""

    weights: float
    learnt: float
    activations: float
    logits: float

    @property
    def total(self) -> float:
        """All of them, and what the process takes itself."""
        return self.weights + self.learnt + max(self.activations, self.logits) + _ITSELF

    def __str__(self) -> str:
        parts = ("weights", self.weights), ("what is learnt", self.learnt)
        step = max(self.activations, self.logits)
        told = ", ".join(f"{name} {value / GIB:.1f}" for name, value in (*parts, ("a step", step)))
        return f"about {self.total / GIB:.1f} GiB ({told})"


def estimate_memory(size: ModelSize, held: Footprint, step: StepShape) -> MemoryEstimate:
    """The memory of a training step, on the device that it runs on."""
    tokens = step.rows * step.tokens
    between = tokens * size.hidden * held.width * size.layers
    layer = tokens * (_HIDDEN_COPIES * size.hidden + _INNER_COPIES * size.inner) * held.width
    layer += step.rows * step.tokens**2 * held.width  # the mask of attention
    if held.rank and held.width < 4:  # an adapter reads in float32
        layer += tokens * (6 * size.hidden + size.inner) * 4
    inner = between + layer if held.checkpointing else layer * size.layers
    logits = step.rows * (step.sentence + 1) * size.vocabulary * (held.width + _LOGIT_BYTES)
    return MemoryEstimate(
        _count_weight_bytes(size, held), _count_learnt_bytes(size, held), inner, between + logits
    )


def _count_weight_bytes(size: ModelSize, held: Footprint) -> float:
    if not held.quantised:
        return size.weights * held.width
    return size.linear * _FOUR_BITS + (size.weights - size.linear) * held.width


def _count_learnt_bytes(size: ModelSize, held: Footprint) -> float:
    """Where all weights learn, these are in float32 and counted as weights once already."""
    if held.rank:
        return held.rank * size.ends * _LEARNT_BYTES
    return size.weights * (_LEARNT_BYTES - held.width)


def read_free_memory(device: str) -> int:
    """The bytes that are free on a device; on a processor, those that this container may take."""
    if device.startswith("cuda"):
        import torch

        return int(torch.cuda.mem_get_info(torch.device(device))[0])
    import psutil

    free = int(psutil.virtual_memory().available)
    limit = _read_number(_CGROUP / "memory.max")
    used = _read_number(_CGROUP / "memory.current")
    if limit is None or used is None:
        return free
    return min(free, max(0, limit - used + _read_file_cache()))


def _read_number(path: Path) -> int | None:
    """The number in a file; None where there is none."""
    try:
        return int(path.read_text("utf-8"))
    except (OSError, ValueError):  # "max" stands for no limit
        return None


def _read_file_cache() -> int:
    """The bytes that a container's files take in memory, and that it gets back where it needs
    them."""
    try:
        lines = (_CGROUP / "memory.stat").read_text("utf-8").splitlines()
        return int(dict(line.split() for line in lines)["inactive_file"])
    except (OSError, ValueError, KeyError):
        return 0
