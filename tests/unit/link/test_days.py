"""Days in a question, in every way that English writes them."""

from __future__ import annotations

from datetime import date

import pytest

from trellis.linking.values.dates import find_days, read_days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("placed after 1 May 2025?", {"1 May 2025": [date(2025, 5, 1)]}),
        ("since March 3rd, 2023", {"March 3rd, 2023": [date(2023, 3, 3)]}),
        ("on the 2nd of sept. 1999", {"2nd of sept. 1999": [date(1999, 9, 2)]}),
        (
            "2024-02-29 and 2024/3/1",
            {"2024-02-29": [date(2024, 2, 29)], "2024/3/1": [date(2024, 3, 1)]},
        ),
        ("by 4/8/2017", {"4/8/2017": [date(2017, 8, 4), date(2017, 4, 8)]}),
        ("by 24.8.2017", {"24.8.2017": [date(2017, 8, 24)]}),
        ("2023-02-30", {}),
        ("in May 2025", {}),
        ("version 1.2.2017-3 or 12024-01-02", {}),
    ],
)
def test_days_are_found(text: str, days: dict[str, list[date]]) -> None:
    found = {text[d.span.start : d.span.end]: list(d.days) for d in find_days(text)}
    assert found == days


def test_a_whole_text_is_a_day_or_none() -> None:
    assert read_days("may 1, 2025") == (date(2025, 5, 1),)
    assert read_days("born may 1, 2025") == ()
