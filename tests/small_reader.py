"""Readers that have learnt nothing, with an encoder of one small layer: quick, and as real as
trained ones but for what they answer."""

from __future__ import annotations

import torch

from trellis.engines.embeddings import find_minilm_folder
from trellis.engines.reader import ReaderModel
from trellis.models.reader.encoder import EncoderShape
from trellis.models.reader.features import TextEncoder
from trellis.models.reader.network import ReaderNetwork, ReaderShape
from trellis.training.reader.teach import build_card

SHAPE = ReaderShape(
    width=24,
    layers=2,
    heads=2,
    matches=2,
    dropout=0.0,
    encoder=EncoderShape(width=24, layers=1, heads=2, inner=32, rank=2),
)


def make_network(seed: int = 0) -> ReaderNetwork:
    """A network with drawn weights."""
    torch.manual_seed(seed)
    network = ReaderNetwork(SHAPE)
    for weight in network.encoder.parameters():  # those that a trained encoder brings
        torch.nn.init.normal_(weight.data, std=0.2)
    return network


def make_reader(seed: int = 0) -> ReaderModel:
    """A reader with drawn weights."""
    return ReaderModel(make_network(seed), TextEncoder(find_minilm_folder()), build_card())
