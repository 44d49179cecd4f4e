"""Muon, and what takes the steps of a model together with it."""

from __future__ import annotations

import torch
from torch import nn

from trellis.training.language_models.optimizers import Muon, make_optimizers, orthogonalise


def make_matrix(rows: int, columns: int) -> torch.Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(rows))


def test_singular_values_are_brought_near_one_and_the_vectors_stay() -> None:
    for rows, columns in ((32, 32), (48, 16), (16, 48)):
        matrix = make_matrix(rows, columns)
        made = orthogonalise(matrix)
        assert made.shape == matrix.shape
        left, values, right = torch.linalg.svd(matrix, full_matrices=False)
        turned = left.mT @ made @ right.mT
        sure = values > 0.1 * values[0]
        assert turned.diagonal()[sure].min() > 0.6
        assert turned.diagonal().max() < 1.3
        assert (turned - torch.diag(turned.diagonal())).abs().max() < 1e-3


def test_no_gradient_moves_nothing() -> None:
    assert torch.equal(orthogonalise(torch.zeros(4, 6)), torch.zeros(4, 6))


def test_muon_learns_a_map() -> None:
    inputs, wanted = make_matrix(64, 16), make_matrix(16, 16)
    weight = nn.Parameter(torch.zeros(16, 16))
    optimizer = Muon([weight], rate=0.3, decay=0.0)
    for step in range(200):
        optimizer.param_groups[0]["lr"] = 0.3 * (1 - step / 200)
        (inputs @ (weight - wanted)).square().mean().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        optimizer.zero_grad()
    assert (weight - wanted).abs().max() < 0.02


def test_matrices_of_layers_learn_by_muon_and_the_rest_by_adamw() -> None:
    model = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 4), nn.Linear(4, 5, bias=False))
    optimizers = make_optimizers(model, [model[0], model[2]], 1e-3, 0.1)
    muon, adamw = optimizers.parts
    assert [tuple(p.shape) for group in muon.param_groups for p in group["params"]] == [(4, 4)]
    shapes = {tuple(p.shape) for group in adamw.param_groups for p in group["params"]}
    assert shapes == {(5, 4), (4,)}
    assert all(group["weight_decay"] == 0 for group in adamw.param_groups)
    optimizers.set_rate(0.5)
    assert {group["lr"] for part in optimizers.parts for group in part.param_groups} == {0.5}
