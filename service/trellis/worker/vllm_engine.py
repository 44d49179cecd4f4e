"""vLLM as the engine of the worker."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray
from vllm import SamplingParams
from vllm.inputs.engine import tokens_input
from vllm.lora.request import LoRARequest
from vllm.outputs import CompletionOutput
from vllm.sampling_params import RequestOutputKind
from vllm.v1.engine.async_llm import AsyncLLM
from vllm.v1.engine.exceptions import EngineDeadError

from trellis.automata.tokens.masks import Mask, find_refused
from trellis.automata.tokens.vocabulary import Tokens
from trellis.domain.errors import DecoderError, InputError
from trellis.worker.engine import Completion, TopTokens
from trellis.worker.masking import WITNESS_LEAD, WITNESSES
from trellis.worker.slots import ALPHABET, BUDGET, LANGUAGE, MASK, TEMPERATURE

_NUMBERS = count()
"""Numbers for the requests of this process, so that each has a name of its own."""


class VllmEngine:
    """An engine over an `AsyncLLM` that has the mask processor; `ends`: ids that end a text, of a
    vocabulary of `size`.

    `adapter`: the LoRA adapter that its requests use; None: the weights alone. Log-probabilities
    are those after masking (`--logprobs-mode processed_logprobs`).
    """

    def __init__(
        self, llm: AsyncLLM, ends: frozenset[int], size: int, adapter: LoRARequest | None = None
    ) -> None:
        self._llm = llm
        self._size = size
        self._adapter = adapter
        self._ends = sorted(ends)

    @property
    def top_limit(self) -> int:
        config = self._llm.model_config
        limit = int(config.max_logprobs)
        return (limit if limit >= 0 else int(config.get_vocab_size())) - WITNESSES

    @property
    def is_dead(self) -> bool:
        return bool(self._llm.errored)

    async def find_top_tokens(
        self, prompt: Tokens, mask: Mask, count: int, temperature: float, alphabet: Mask | None
    ) -> TopTokens:
        params = SamplingParams(
            max_tokens=1,
            temperature=0.0,
            logprobs=count + WITNESSES,
            ignore_eos=True,
            detokenize=False,
            flat_logprobs=True,
            output_kind=RequestOutputKind.FINAL_ONLY,
            skip_clone=True,
            extra_args={
                MASK: mask.tobytes(),
                ALPHABET: b"" if alphabet is None else alphabet.tobytes(),
                TEMPERATURE: temperature,
            },
        )
        [output] = await self._run_request(prompt, params)
        return _pick_top_tokens(output, count, find_refused(mask, self._size, WITNESSES))

    async def write_completions(
        self,
        prompt: Tokens,
        language: bytes,
        budget: int,
        samples: int,
        temperature: float,
        seed: int,
    ) -> Sequence[Completion]:
        params = SamplingParams(
            n=max(samples, 1),
            max_tokens=budget + 1,
            temperature=1.0 if samples else 0.0,
            seed=seed if samples else None,
            logprobs=0,
            stop_token_ids=self._ends,
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
            extra_args={
                LANGUAGE: b64encode(language).decode(),
                BUDGET: budget,
                TEMPERATURE: temperature,
            },
        )
        return [self._read_completion(output) for output in await self._run_request(prompt, params)]

    async def _run_request(
        self, prompt: Tokens, params: SamplingParams
    ) -> Sequence[CompletionOutput]:
        """The outputs of one request; cancelling the call aborts the request."""
        limit = self._llm.model_config.max_model_len
        if len(prompt) + params.max_tokens > limit:
            raise InputError(
                f"a prompt of {len(prompt)} tokens and {params.max_tokens} more",
                f"the model reads {limit}",
            )
        name = f"trellis-{next(_NUMBERS)}"
        try:
            running = self._llm.generate(
                tokens_input(list(prompt)), params, name, lora_request=self._adapter
            )
            steps = [step async for step in running]
        except EngineDeadError as error:
            raise DecoderError("the engine died", "the worker starts anew: ask again") from error
        if not steps or not steps[-1].finished:
            raise DecoderError("the engine ended a request", "ask again")
        return list(steps[-1].outputs)

    def _read_completion(self, output: CompletionOutput) -> Completion:
        ids = tuple(output.token_ids)
        scores = [row[token].logprob for row, token in zip(output.logprobs, ids, strict=True)]
        while ids and ids[-1] in self._ends:
            ids = ids[:-1]
        return Completion(ids, math.fsum(scores))


def _pick_top_tokens(
    output: CompletionOutput, count: int, witnesses: NDArray[np.int32]
) -> TopTokens:
    """The `count` likeliest tokens of an output, in which the sampled token stands twice.

    `witnesses`: the refused tokens that tell the share of the mask (`masking`); they are left out,
    and the others' scores are renormalised without them.
    """
    logprobs = output.logprobs
    tokens = np.array(logprobs.token_ids, np.int32)
    scores = np.array(logprobs.logprobs, np.float64)
    _, first = np.unique(tokens, return_index=True)
    tokens, scores = tokens[first], scores[first]
    share = 0.0
    if len(witnesses) == WITNESSES:
        above, below = (float(scores[tokens == token][0]) for token in witnesses.tolist())
        share = min(below - above, 0.0)
        is_own = ~np.isin(tokens, witnesses)
        tokens, scores = tokens[is_own], np.minimum(scores[is_own] - below + WITNESS_LEAD, 0.0)
    best = np.argsort(-scores, kind="stable")[:count]
    best = best[np.isfinite(scores[best])]
    return TopTokens(tokens[best], scores[best], share)
