"""Which property of a new graph names its nodes, guessed from their properties."""

from __future__ import annotations

from typing import Any

import pytest

from trellis.graph.indexes.naming import guess_naming


@pytest.mark.parametrize(
    ("nodes", "naming"),
    [
        ([{"symbol": "HRT1", "chromosome": "7"}, {"symbol": "BNX4", "chromosome": "X"}], "symbol"),
        (
            [{"abbr": "AP", "companyName": "Alder"}, {"abbr": "N", "companyName": "Nordgen"}],
            "companyName",
        ),
        ([{"motto": "On", "symbol": "x"}, {"motto": "Up", "symbol": "x"}], "motto"),  # two alike
        ([{"country": "Norway", "code": "N"}, {"country": "Chile", "code": "C"}], "country"),
        ([{"name": "x", "symbol": "HRT1"}, {"name": "x", "symbol": "BNX4"}], "name"),
    ],
)
def test_what_is_called_as_a_name_names_nodes(nodes: list[dict[str, Any]], naming: str) -> None:
    [kind] = guess_naming((["Gene"], properties) for properties in nodes)
    assert kind.property == naming
