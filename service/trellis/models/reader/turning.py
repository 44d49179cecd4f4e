"""Tells which way a relationship goes where it may be said either way.

`Which packages depend on perl?` and `What does perl depend on?` have the same words. What tells
them apart is their order, which the encoder's vectors of the question's tokens hold. The network
that scores moves shares the probability of both directions between them by this one's word.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from trellis.models.reader.encoder import split_heads

_INNER, _HEADS = 128, 4
_MOST_MARGIN = 6.0  # of the logits that count for the layers; the rest counts as it is
_DROPOUT = 0.2


class TurnNetwork(nn.Module):
    """The log-odds that a relationship goes ahead, and not back.

    `base`: the width of the encoder's vectors; `width`: that of what the decoder expects. One that
    has learnt nothing leaves the odds as they are.
    """

    def __init__(self, base: int, width: int) -> None:
        super().__init__()
        self.ask = nn.Linear(base + width, _INNER)
        self.key, self.value = nn.Linear(base, _INNER), nn.Linear(base, _INNER)
        self.up = nn.Linear(_INNER + base + width + 1, _INNER)
        self.down = nn.Linear(_INNER, 1)
        self.keep = nn.Parameter(torch.ones(1))
        self.dropout = nn.Dropout(_DROPOUT)
        nn.init.zeros_(self.down.weight)
        nn.init.zeros_(self.down.bias)

    def forward(
        self, tokens: Tensor, seen: Tensor, words: Tensor, expected: Tensor, margins: Tensor
    ) -> Tensor:
        """The log-odds [pairs]: `tokens` [pairs, tokens, base] of the question, or [1, tokens,
        base] for all, `seen` likewise; `words` [pairs, base] of the relationships; `expected`
        [pairs, width] by the decoder; `margins` [pairs]: the log-odds without this network."""
        query = self.ask(torch.cat((words, expected), -1))[:, None]
        key, value = self.key(tokens), self.value(self.dropout(tokens))
        query, key, value = (split_heads(rows, _HEADS) for rows in (query, key, value))
        if len(tokens) == 1:
            key, value = (rows.expand(len(words), -1, -1, -1) for rows in (key, value))
        mask = seen[:, None, None, :]
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        found = mixed.transpose(1, 2).flatten(1)
        known = margins.clamp(-_MOST_MARGIN, _MOST_MARGIN)[:, None]
        inner = functional.gelu(self.up(torch.cat((found, words, expected, known), -1)))
        told: Tensor = self.down(self.dropout(inner))[:, 0] + self.keep * margins
        return told
