"""A search that makes no sense is refused when it is written down, before any model runs."""

from __future__ import annotations

from dataclasses import asdict
from math import inf, nan
from typing import Any, get_type_hints

import pytest

from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Search
from trellis.wire.decoding import SearchBody

NONSENSE: list[dict[str, Any]] = [
    {"mode": "best"},
    {"width": 0},
    {"width": -3},
    {"max_tokens": 0},
    {"temperature": 0.0},
    {"temperature": -1.0},
    {"temperature": nan},
    {"temperature": inf},
    {"length_penalty": -0.5},
    {"length_penalty": nan},
    {"seed": -1},
    {"diversity": -0.1},
    {"diversity": nan},
    {"diversity": inf},
    {"diversity": 0.5, "mode": "sample"},
    {"groups": -1, "diversity": 0.5},
    {"groups": 3, "diversity": 0.5, "width": 10},
    {"groups": 20, "diversity": 0.5, "width": 10},
    {"groups": 2},
]


@pytest.mark.parametrize("given", NONSENSE, ids=str)
def test_nonsense_is_refused_by_name(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"search: {next(iter(given))} is .*; it has to be"):
        Search(**given)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"mode": "greedy", "width": 1},
        {"mode": "stochastic_beam", "width": 1, "seed": 7},
        {"diversity": 0.5},
        {"diversity": 0.5, "groups": 5},
        {"diversity": 0.5, "groups": 1},
        {"groups": 1},
        {"length_penalty": 2.0, "temperature": 0.01, "max_tokens": 1},
    ],
    ids=str,
)
def test_sense_is_taken(given: dict[str, Any]) -> None:
    search = Search(**given)
    assert {name: getattr(search, name) for name in given} == given


def test_a_search_travels_to_workers_with_all_its_fields() -> None:
    hints = get_type_hints(Search)
    assert {name: get_type_hints(SearchBody)[name] for name in SearchBody.model_fields} == hints
    assert SearchBody().model_dump() == asdict(Search())
