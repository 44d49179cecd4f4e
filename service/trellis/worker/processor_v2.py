"""The logits processor for vLLM's Model Runner V2: a request keeps its slot, rows change each step.

The tokens are on the device. The input of a row is the last token of its request, so one small copy
a step brings all new tokens. Only when a request returns after it was preempted are all its tokens
read from the engine's memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor
from vllm.v1.worker.gpu.sample.logits_processor.interface import (
    LogitsContext,
    LogitsProcessor,
    LogitsProcRequestState,
)

from trellis.worker.languages import admit_request, create_slots
from trellis.worker.masking import LogitsMasker

if TYPE_CHECKING:
    from vllm.config import VllmConfig
    from vllm.sampling_params import SamplingParams


class MaskProcessorV2(LogitsProcessor):
    """Keeps constrained requests inside their languages."""

    def __init__(self, vllm_config: VllmConfig, req_states: LogitsProcRequestState) -> None:
        self._slots, vocabulary = create_slots(vllm_config.model_config.model)
        self._states = req_states
        self._masking = LogitsMasker(
            self._slots,
            vocabulary.ends,
            req_states.max_num_reqs,
            vocabulary.size,
            req_states.device,
        )
        self._said: dict[int, list[int]] = {}

    @classmethod
    def validate_params(cls, sampling_params: SamplingParams) -> None:
        admit_request(sampling_params.extra_args)

    def add_request(self, req_idx: int, sampling_params: SamplingParams) -> bool:
        self._said[req_idx] = []
        return self._slots.take_slot(
            req_idx, sampling_params.extra_args, sampling_params.max_tokens
        )

    def apply(self, logits: Tensor, ctx: LogitsContext) -> Tensor:
        """Mask the rows that generate a token; rows whose prompt is still being read do not."""
        if not self._slots or not any(slot in self._slots for slot in ctx.idx_mapping_np.tolist()):
            return logits
        slots = ctx.expanded_idx_mapping.tolist()
        lengths = (ctx.pos + 1).tolist()
        fed = ctx.input_ids.tolist()
        said = {}
        for row, slot in enumerate(slots):
            if slot in self._slots:
                count = lengths[row] - int(self._states.prompt_len.np[slot])
                if count >= 0:
                    said[row] = slot, self._update_tokens(slot, count, fed[row])
        return self._masking.apply(logits, said)

    def _update_tokens(self, slot: int, count: int, last: int) -> list[int]:
        """The `count` tokens that a request has generated; `last`: the one that was just fed."""
        said = self._said[slot]
        if count == len(said) + 1:
            said.append(last)
        elif count != len(said):
            begin = int(self._states.prompt_len.np[slot])
            said[:] = self._states.all_token_ids.gpu[slot, begin : begin + count].tolist()
        return said
