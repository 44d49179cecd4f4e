"""Literals as people write them find values as graphs store them."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Scalar
from trellis.linking.values.literals import number_of, question_keys, stored_keys


def meant(said: str, stored: Scalar) -> str | None:
    keys = question_keys(said)
    return next((keys[key] for key in stored_keys(stored) if key in keys), None)


@pytest.mark.parametrize(
    ("said", "stored", "how"),
    [
        ("Garcia", "Garcia", "exact"),
        ("garcia", "Garcia", "exact"),
        ("9-(488)105-0765", "9-(488)105-0765", "exact"),
        ("August 4, 2017", "4/08/2017", "date"),
        ("4th August 2017", "04/08/2017", "date"),
        ("4/8/2017", "2017-08-04", "date"),
        ("4/8/17", "2017-08-04", "date"),
        ("August 4", "2017-08-04", "date"),
        ("4 August 2017", "2017-08-04T10:30:00Z", "date"),
        ("8:01", "08:01", "time"),
        ("10:26 PM", "22:26", "time"),
        ("8:21", "20:21:00", "time"),
        ("12:05 am", "00:05", "time"),
        ("66", "66", "exact"),
        ("1,234", 1234, "number"),
        ("7.50", 7.5, "number"),
        ("2000", 2000, "number"),
        ("Stephanies", "Stephanie", "plural"),
        ("Wagners", "Wagner", "plural"),
        ("Murphies", "Murphy", "plural"),
        ("burglaries", "Burglary", "plural"),
        ("Joneses", "Jones", "plural"),
    ],
)
def test_what_means_the_same_shares_a_key(said: str, stored: Scalar, how: str) -> None:
    assert meant(said, stored) == how


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("August 4, 2017", "5/08/2017"),
        ("10:26 PM", "10:26"),
        ("25:00", "01:00"),
        ("66", "666"),
        ("number 2", "2"),
        ("7", 7.5),
        ("us", "u"),
        ("true", True),
        ("none", None),
        ("13:99", "13:99:00"),
    ],
)
def test_what_means_something_else_shares_none(said: str, stored: Scalar) -> None:
    assert meant(said, stored) is None


def test_numbers_are_read() -> None:
    assert [number_of(text) for text in ("1,234.5", "-3", "3rd")] == [1234.5, -3.0, None]
