"""The logits processor for vLLM's first model runner: slots are rows of its persistent batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from vllm.v1.sample.logits_processor.interface import (
    BatchUpdate,
    LogitsProcessor,
    MoveDirectionality,
)

from trellis.worker.languages import admit_request, create_slots
from trellis.worker.masking import LogitsMasker

if TYPE_CHECKING:
    from vllm import SamplingParams
    from vllm.config import VllmConfig


class MaskProcessorV1(LogitsProcessor):
    """Keeps constrained requests inside their languages.

    The tokens of a request are a list to which the engine keeps appending. With asynchronous
    scheduling it appends the last one just before `apply`, so they are read there.
    """

    def __init__(
        self,
        vllm_config: VllmConfig,
        device: torch.device,
        is_pin_memory: bool,  # noqa: ARG002  the interface's
    ) -> None:
        self._slots, vocabulary = create_slots(vllm_config.model_config.model)
        rows = vllm_config.scheduler_config.max_num_seqs
        self._masking = LogitsMasker(self._slots, vocabulary.ends, rows, vocabulary.size, device)
        self._said: dict[int, Sequence[int]] = {}

    @classmethod
    def validate_params(cls, sampling_params: SamplingParams) -> None:
        admit_request(sampling_params.extra_args)

    def is_argmax_invariant(self) -> bool:
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the requests that left, joined and moved, in this order."""
        if batch_update is None:
            return
        for slot in batch_update.removed:
            self._slots.leave_slot(slot)
        for slot, params, _, said in batch_update.added:
            self._slots.take_slot(slot, params.extra_args, params.max_tokens)
            self._said[slot] = said
        for one, other, direction in batch_update.moved:
            if direction == MoveDirectionality.SWAP:
                self._slots.swap_requests(one, other)
                first, second = self._said.get(one, ()), self._said.get(other, ())
                self._said[one], self._said[other] = second, first
            else:
                self._slots.move_request(one, other)
                self._said[other] = self._said.get(one, ())

    def apply(self, logits: Tensor) -> Tensor:
        if not self._slots:
            return logits
        said = {slot: (slot, self._said[slot]) for slot in self._slots.list_slots()}
        return self._masking.apply(logits, said)
