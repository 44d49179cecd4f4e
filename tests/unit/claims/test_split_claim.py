"""Statements of a claim that share nothing."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Node
from trellis.domain.replies.claims import ClaimMention
from trellis.steps.claims.split_claim import split_claim

NAMES = ("France", "Spain", "Italy", "Austria", "Trinidad and Tobago")


def split(claim: str) -> tuple[str, ...]:
    found = [
        ClaimMention(claim.index(name), claim.index(name) + len(name), name, (Node(name, name),))
        for name in NAMES
        if name in claim
    ]
    return split_claim(claim, found)


@pytest.mark.parametrize(
    ("claim", "statements"),
    [
        (
            "France borders Spain and Italy borders Austria.",
            ("France borders Spain", "Italy borders Austria."),
        ),
        (
            "France borders Spain, but Italy doesn't border Austria.",
            ("France borders Spain", "Italy doesn't border Austria."),
        ),
        ("Spain and Italy border France and Austria.", ()),
        ("The sun of France and the sea of Spain are in Italy and Austria.", ()),
        ("France borders Spain and lies west of Italy and Austria.", ()),
        ("France borders Spain and Italy.", ()),
        ("France is near Trinidad and Tobago.", ()),
    ],
)
def test_statements(claim: str, statements: tuple[str, ...]) -> None:
    assert split(claim) == (statements or (claim,))
