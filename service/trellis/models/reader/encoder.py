"""The sentence encoder as the reader uses it: the vectors of all tokens, by its own layers with
low-rank changes.

The layers are written out here, few and plain, so that a change is a pair of thin matrices beside a
weight and the encoder's own weights stay as they come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

_EPSILON = 1e-12


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """The encoder's sizes, as MiniLM has them; `rank`: of the changes (0: none)."""

    width: int = 384
    layers: int = 6
    heads: int = 12
    inner: int = 1536
    words: int = 30_522
    places: int = 512
    rank: int = 16


class ChangedLinear(nn.Module):
    """A linear layer whose weight is kept, with a change of low rank."""

    def __init__(self, inputs: int, outputs: int, rank: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs), requires_grad=False)
        self.bias = nn.Parameter(torch.empty(outputs), requires_grad=False)
        self.down = nn.Parameter(torch.randn(rank, inputs) * inputs**-0.5) if rank else None
        self.up = nn.Parameter(torch.zeros(outputs, rank)) if rank else None

    def forward(self, rows: Tensor) -> Tensor:
        """Rows [..., inputs] to [..., outputs]."""
        out = functional.linear(rows, self.weight, self.bias)
        if self.down is None or self.up is None:
            return out
        return out + functional.linear(functional.linear(rows, self.down), self.up)


def split_heads(rows: Tensor, heads: int) -> Tensor:
    """Rows [batch, count, width] as [batch, heads, count, width / heads]."""
    batch, count, width = rows.shape
    return rows.view(batch, count, heads, width // heads).transpose(1, 2)


class EncoderLayer(nn.Module):
    """One layer: attention and a feed-forward network, each followed by a norm."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        width, rank = shape.width, shape.rank
        self.heads = shape.heads
        self.query = ChangedLinear(width, width, rank)
        self.key = ChangedLinear(width, width, rank)
        self.value = ChangedLinear(width, width, rank)
        self.output = ChangedLinear(width, width, rank)
        self.up = ChangedLinear(width, shape.inner, rank)
        self.down = ChangedLinear(shape.inner, width, rank)
        self.attention_norm = nn.LayerNorm(width, _EPSILON)
        self.output_norm = nn.LayerNorm(width, _EPSILON)

    def forward(self, rows: Tensor, seen: Tensor) -> Tensor:
        """Rows [batch, tokens, width]; `seen` [batch, 1, 1, tokens]: which tokens are there."""
        projected = (each(rows) for each in (self.query, self.key, self.value))
        query, key, value = (split_heads(each, self.heads) for each in projected)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
        joined = mixed.transpose(1, 2).reshape(rows.shape)
        rows = self.attention_norm(rows + self.output(joined))
        norm: Tensor = self.output_norm(rows + self.down(functional.gelu(self.up(rows))))
        return norm


class TokenEncoder(nn.Module):
    """Token ids to token vectors."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.words, shape.width)
        self.places = nn.Embedding(shape.places, shape.width)
        self.norm = nn.LayerNorm(shape.width, _EPSILON)
        self.layers = nn.ModuleList(EncoderLayer(shape) for _ in range(shape.layers))

    def forward(self, ids: Tensor, seen: Tensor) -> Tensor:
        """Ids [batch, tokens] and whether each is there, to vectors [batch, tokens, width]."""
        places = self.places.weight[: ids.shape[1]]
        rows: Tensor = self.norm(self.words(ids) + places)
        mask = seen[:, None, None, :]
        for layer in self.layers:
            rows = layer(rows, mask)
        return rows

    def take_base(self, weights: Mapping[str, Tensor]) -> None:
        """Take over the weights of a BERT model by their usual names, and keep them as they are."""
        own = self.state_dict()
        for name in own:
            if (source := _find_source(name)) is not None:
                own[name] = weights[source].float()
        kinds = weights["embeddings.token_type_embeddings.weight"][0].float()
        own["places.weight"] = own["places.weight"] + kinds
        self.load_state_dict(own)
        for name, parameter in self.named_parameters():
            parameter.requires_grad_(_find_source(name) is None)


_TOP = {
    "words.weight": "embeddings.word_embeddings.weight",
    "places.weight": "embeddings.position_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
}
_OF_LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "output_norm": "output.LayerNorm",
}


def _find_source(name: str) -> str | None:
    """BERT's name of a weight; None for a change."""
    if name in _TOP:
        return _TOP[name]
    _, number, part, kind = name.split(".")
    return (
        f"encoder.layer.{number}.{_OF_LAYER[part]}.{kind}" if kind in ("weight", "bias") else None
    )
