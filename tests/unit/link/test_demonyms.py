"""Adjectives of countries, as a table and in questions."""

from __future__ import annotations

import pytest

from trellis.linking.names.demonyms import find_countries


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("German", ("Germany",)),
        ("Costa  Rican", ("Costa Rica",)),
        ("polish", ()),
        ("South-Korean", ("South Korea",)),
        ("Dutch", ("Netherlands", "The Netherlands", "Holland")),
        ("Germany", ()),
        ("red", ()),
        ("", ()),
    ],
)
def test_countries(text: str, countries: tuple[str, ...]) -> None:
    assert find_countries(text) == countries
