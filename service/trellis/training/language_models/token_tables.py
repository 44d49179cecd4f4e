"""Tables of token vectors of which only some rows are learned.

A mini's words keep their vectors. Left out of the optimiser, they cost nothing, and most of a
mini's weights are such rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn


class PartlyLearnedTable(nn.Module):
    """Vectors [n, d] of which the rows `learned` are a parameter, and the others stay."""

    stays: Tensor
    place: Tensor

    def __init__(self, table: Tensor, learned: Sequence[int]) -> None:
        super().__init__()
        rows = torch.tensor(sorted(learned), dtype=torch.long)
        place = torch.full((len(table),), -1)
        place[rows] = torch.arange(len(rows))
        self.rows = rows
        self.register_buffer("stays", table.detach().clone(), persistent=False)
        self.register_buffer("place", place, persistent=False)
        self.weight = nn.Parameter(table.detach()[rows].clone())

    def forward(self, tokens: Tensor) -> Tensor:
        """The vectors [..., d] of tokens [...]."""
        place = self.place[tokens]
        learned = nn.functional.embedding(place.clamp(min=0), self.weight)
        return torch.where((place >= 0)[..., None], learned, self.stays[tokens])

    def whole(self) -> Tensor:
        """All rows as they are now [n, d]."""
        table: Tensor = self.stays.clone()
        table[self.rows] = self.weight.detach()
        return table


def pick_rows(table: nn.Module, tokens: Tensor) -> Tensor:
    """The vectors of some tokens, of a table of either kind."""
    if isinstance(table, PartlyLearnedTable):
        picked: Tensor = table(tokens)
        return picked
    weight: Any = table.weight
    return weight[tokens]  # type: ignore[no-any-return]


@contextmanager
def learn_few_rows(model: Any, inputs: Sequence[int], outputs: Sequence[int]) -> Iterator[None]:
    """Have a causal language model learn only these rows of its input and of its output table."""
    tables = model.get_input_embeddings(), model.get_output_embeddings()
    few = [
        PartlyLearnedTable(table.weight, rows)
        for table, rows in zip(tables, (inputs, outputs), strict=True)
    ]
    model.set_input_embeddings(few[0])
    model.set_output_embeddings(few[1])
    try:
        yield
    finally:
        with torch.no_grad():
            for table, learned in zip(tables, few, strict=True):
                table.weight.copy_(learned.whole())
        model.set_input_embeddings(tables[0])
        model.set_output_embeddings(tables[1])
