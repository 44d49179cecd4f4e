"""What a mini starts from: a body that has learnt to read made schemas (`general_start`).

Word vectors are the same in all minis, so the body reads a graph's words from the first step on;
tokens that are no words (arrows, placeholders, letters) bring their own vectors along.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor

from trellis.training.language_models.lesson import MiniShape

GENERAL_SHAPE = MiniShape(width=192, layers=3, heads=6)

_INPUT, _OUTPUT, _BODY = "input", "output", "body."
_PIECES, _SEPARATOR = "pieces", "\n"


@dataclass(frozen=True, eq=False, slots=True)
class GeneralStart:
    """The weights of a body, and the vectors [n, d] of `pieces` as input and as output."""

    body: Mapping[str, Tensor]
    pieces: tuple[str, ...]
    inputs: Tensor
    outputs: Tensor

    def fits(self, shape: MiniShape) -> bool:
        """Whether minis of a shape can start from it."""
        general = GENERAL_SHAPE
        return (shape.width, shape.layers, shape.heads) == (
            general.width,
            general.layers,
            general.heads,
        )

    def put_into(self, model: Any, tokenizer: Tokenizer) -> None:
        """Give a mini of the same shape this body, and its tokens these vectors."""
        at = {piece: row for row, piece in enumerate(self.pieces)}
        pairs = [
            (token, at[piece]) for piece, token in tokenizer.get_vocab().items() if piece in at
        ]
        tokens, rows = (torch.tensor(side) for side in zip(*sorted(pairs), strict=True))
        with torch.no_grad():
            for name, weight in model.named_parameters():
                if name in self.body:
                    weight.copy_(self.body[name])
            model.get_input_embeddings().weight[tokens] = self.inputs[rows]
            model.get_output_embeddings().weight[tokens] = self.outputs[rows]

    def save(self, path: Path) -> None:
        """Write one file, the weights in half precision."""
        tensors = {f"{_BODY}{name}": value for name, value in self.body.items()}
        tensors |= {_INPUT: self.inputs, _OUTPUT: self.outputs}
        halves = {name: value.detach().half().contiguous() for name, value in tensors.items()}
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(halves, path, {_PIECES: _SEPARATOR.join(self.pieces)})


def take_start(model: Any, tokenizer: Tokenizer, own: list[int]) -> GeneralStart:
    """What others can start from: the body of a mini, and the vectors of its tokens `own`."""
    tables = model.get_input_embeddings().weight, model.get_output_embeddings().weight
    ids = {id(table) for table in tables}
    body = {name: weight for name, weight in model.named_parameters() if id(weight) not in ids}
    pieces = tuple(tokenizer.id_to_token(token) or "" for token in own)
    return GeneralStart(body, pieces, tables[0][own], tables[1][own])


@cache
def load_start() -> GeneralStart | None:
    """The start that comes with the package, if it is there."""
    with resources.as_file(resources.files(__package__) / "start.safetensors") as path:
        return read_start(path) if path.is_file() else None


def read_start(path: Path) -> GeneralStart:
    """A start that `save` wrote."""
    with safe_open(path, "pt") as file:
        tensors = {name: file.get_tensor(name).float() for name in list(file.keys())}
        pieces = tuple(file.metadata()[_PIECES].split(_SEPARATOR))
    body = {n.removeprefix(_BODY): v for n, v in tensors.items() if n.startswith(_BODY)}
    return GeneralStart(body, pieces, tensors[_INPUT], tensors[_OUTPUT])
