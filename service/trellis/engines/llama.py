"""The layers of a Llama in few operations, and the logits of no more tokens than are asked for.

In a small model the operations are so short that what transformers does around them, and the
logits of the whole vocabulary, take most of the time. The arithmetic is that of transformers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from trellis.automata.tokens.vocabulary import Tokens
from trellis.engines.text_memory import KeysValues, TextMemory

_MANY = 64  # tokens whose rows of the head are worth being kept


def is_plain_llama(model: Any) -> bool:
    """Whether a transformers model is a Llama without biases and with ordinary rotary positions."""
    config = model.config
    return (
        type(model).__name__ == "LlamaForCausalLM"
        and config.rope_parameters["rope_type"] == "default"
        and config.hidden_act == "silu"
        and not (config.attention_bias or config.mlp_bias)
    )


class LlamaNetwork:
    """A plain Llama (`is_plain_llama`) as a `network.Network`; it uses the model's own weights."""

    def __init__(self, model: Any) -> None:
        self._embed = model.get_input_embeddings()
        self._layers = [LlamaLayer.of(layer) for layer in model.model.layers]
        self._norm = model.model.norm.weight
        self._head = model.get_output_embeddings().weight  # [vocabulary, d]
        self._epsilon = float(model.config.rms_norm_eps)
        self._frequencies = model.model.rotary_emb.inv_freq  # [size of a head / 2]
        self._shared: tuple[KeysValues, ...] = ()
        self._cache: list[KeysValues | None] = [None] * len(self._layers)
        self._time = 0  # columns of the cache
        self._hidden: Tensor  # [rows, d], after the last token of each row
        self._part: tuple[Tensor, Tensor] | None = None  # tokens, and the head's rows of them

    def read_text(self, tokens: Tokens, before: TextMemory | None) -> TextMemory:
        """As `Network.read_text`."""
        start = len(before.tokens) if before else 0
        if before and start == len(tokens):
            return before
        self._shared, self._time = (), start
        self._cache = list(before.layers) if before else [None] * len(self._layers)
        block = torch.tensor([tokens[start:]], device=self._head.device)
        positions = torch.arange(start, len(tokens), device=block.device)[None]
        self.read_block(block, positions, None, torch.tensor([-1], device=block.device))
        return TextMemory(tokens, tuple(layer for layer in self._cache if layer))

    def begin(self, shared: TextMemory | None) -> None:
        """As `Network.begin`."""
        self._shared = shared.layers if shared else ()
        self._cache, self._time = [None] * len(self._layers), 0

    def read_block(
        self, block: Tensor, positions: Tensor, seen: Tensor | None, last: Tensor
    ) -> None:
        """As `Network.read_block`."""
        rotation = _compute_rotation(positions, self._frequencies, self._head.dtype)
        self._time += block.shape[1]
        mask = _mask_attention(seen, block.shape[1], self._time, block.device)
        hidden = self._embed(block)  # [rows, width, d]
        for at, layer in enumerate(self._layers):
            attended, self._cache[at] = layer.attend(
                _normalise(hidden, layer.attention_norm, self._epsilon),
                rotation,
                mask,
                self._cache[at],
                self._shared[at] if self._shared else None,
            )
            hidden = hidden + attended
            hidden = hidden + layer.transform(_normalise(hidden, layer.mlp_norm, self._epsilon))
        ends = hidden[torch.arange(len(block), device=block.device), last]
        self._hidden = _normalise(ends, self._norm, self._epsilon)

    def keep_rows(self, rows: Tensor) -> None:
        """As `Network.keep_rows`."""
        self._cache = [cached and cached.keep_rows(rows) for cached in self._cache]

    def compute_logits(self, tokens: Tensor | None) -> Tensor:
        """As `Network.compute_logits`; the head's rows of many tokens are kept."""
        logits: Tensor = functional.linear(self._hidden, self._find_head(tokens))
        return logits

    def _find_head(self, tokens: Tensor | None) -> Tensor:
        head: Tensor = self._head
        if tokens is None:
            return head
        if self._part is not None and self._part[0] is tokens:
            return self._part[1]
        rows = head[tokens]
        if len(tokens) >= _MANY:
            self._part = tokens, rows
        return rows


@dataclass(frozen=True, slots=True)
class LlamaLayer:
    """The weights of a layer; `head_size`: the size of an attention head."""

    head_size: int
    attention_norm: Tensor
    query: Tensor
    key: Tensor
    value: Tensor
    output: Tensor
    mlp_norm: Tensor
    gate: Tensor
    up: Tensor
    down: Tensor

    @classmethod
    def of(cls, layer: Any) -> LlamaLayer:
        """The weights of a layer of transformers."""
        attention, mlp = layer.self_attn, layer.mlp
        modules: Sequence[Any] = (
            layer.input_layernorm,
            attention.q_proj,
            attention.k_proj,
            attention.v_proj,
            attention.o_proj,
            layer.post_attention_layernorm,
            mlp.gate_proj,
            mlp.up_proj,
            mlp.down_proj,
        )
        return cls(attention.head_dim, *(module.weight for module in modules))

    def attend(
        self,
        hidden: Tensor,
        rotation: tuple[Tensor, Tensor],
        mask: Tensor | None,
        before: KeysValues | None,
        shared: KeysValues | None,
    ) -> tuple[Tensor, KeysValues]:
        """What attention adds to a block [rows, width, d], and the keys and values with it.

        `shared`: of the text that all rows begin with, one row; the mask leaves it out.
        """
        query = _rotate(self._split_heads(hidden, self.query), *rotation)
        key = _rotate(self._split_heads(hidden, self.key), *rotation)
        block = KeysValues(key, self._split_heads(hidden, self.value))
        cached = block if before is None else before.append_block(block)
        if shared is None:
            attended = functional.scaled_dot_product_attention(
                query.transpose(1, 2),
                cached.keys.transpose(1, 2),
                cached.values.transpose(1, 2),
                attn_mask=mask,
                enable_gqa=self.query.shape != self.key.shape,
            ).transpose(1, 2)
        else:
            attended = attend_behind_shared(query, cached, shared, mask)
        return functional.linear(attended.flatten(2), self.output), cached

    def transform(self, hidden: Tensor) -> Tensor:
        """What the perceptron adds to a block [rows, width, d]."""
        gate = functional.silu(functional.linear(hidden, self.gate))
        return functional.linear(gate * functional.linear(hidden, self.up), self.down)

    def _split_heads(self, hidden: Tensor, weight: Tensor) -> Tensor:
        """[rows, width, d] projected to [rows, width, heads, size of a head]."""
        rows, width, _ = hidden.shape
        return functional.linear(hidden, weight).view(rows, width, -1, self.head_size)


def attend_behind_shared(
    query: Tensor, own: KeysValues, shared: KeysValues, mask: Tensor | None
) -> Tensor:
    """Attention [rows, width, heads, size] of rows to a text that all of them share, of which there
    is one copy, and to what each has read behind it."""
    rows, width, heads, size = query.shape
    groups = own.keys.shape[2]  # heads that keys have
    split = query.view(rows, width, groups, -1, size).permute(2, 0, 3, 1, 4) * size**-0.5
    together = split.reshape(groups, -1, size)  # all rows ask the shared text at once
    apart = split.transpose(0, 1).flatten(2, 3)  # [rows, groups, heads of a group * width, size]
    far = (together @ shared.keys[0].permute(1, 2, 0)).view(groups, rows, apart.shape[2], -1)
    near = apart @ own.keys.permute(0, 2, 3, 1)
    if mask is not None:
        again = mask.repeat(1, 1, heads // groups, 1)
        near = near.masked_fill(~again, -torch.inf)
    weights = torch.cat((far.transpose(0, 1), near), -1).float().softmax(-1).to(query.dtype)
    length = far.shape[-1]
    alike = weights[..., :length].transpose(0, 1).reshape(groups, -1, length)
    brought = (alike @ shared.values[0].transpose(0, 1)).view(groups, rows, -1, size)
    summed: Tensor = brought.transpose(0, 1) + weights[..., length:] @ own.values.transpose(1, 2)
    return summed.reshape(rows, heads, width, size).transpose(1, 2)


def _normalise(hidden: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    return functional.rms_norm(hidden, weight.shape, weight, epsilon)


def _compute_rotation(
    positions: Tensor, frequencies: Tensor, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """Cosines and sines of the angles at some positions [rows, width, 1, size of a head]; the
    first half of the sines is negative, as `_rotate` wants them. Angles are computed in float32,
    whatever the model's own precision is, as transformers does."""
    angles = positions[:, :, None, None] * frequencies.float()
    cosines, sines = angles.cos(), angles.sin()
    return torch.cat((cosines, cosines), -1).to(dtype), torch.cat((-sines, sines), -1).to(dtype)


def _rotate(heads: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    """Rotary positions (Su et al. 2021): pairs are half a head apart, as in Llama's weights."""
    return heads * cosines + heads.roll(heads.shape[-1] // 2, -1) * sines


def _mask_attention(
    seen: Tensor | None, width: int, time: int, device: torch.device
) -> Tensor | None:
    """The columns that each of the last `width` attends to, of `time` [rows or 1, 1, width, time]:
    those of text, up to its own. None where it is all of them."""
    if seen is None and width == 1:
        return None
    earlier = torch.ones(width, time, dtype=torch.bool, device=device).tril(time - width)
    return earlier[None, None] if seen is None else (seen[:, None] & earlier)[:, None]
