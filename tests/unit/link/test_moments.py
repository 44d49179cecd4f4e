"""The moment that a question says, and the questions that say none."""

from __future__ import annotations

from datetime import date

import pytest

from trellis.linking.questions.moments import find_moment

TODAY = date(2026, 3, 5)


@pytest.mark.parametrize(
    ("text", "said", "first", "last"),
    [
        ("Who keeps the lighthouse now?", "now", TODAY, TODAY),
        ("who currently keeps the lighthouse", "currently", TODAY, TODAY),
        ("Which boats does Oda own at the moment?", "at the moment", TODAY, TODAY),
        ("Who kept it in 1998?", "in 1998", date(1998, 1, 1), date(1998, 12, 31)),
        ("Who kept it during the year 2004?", "during the year 2004", date(2004, 1, 1), None),
        ("Who kept it on 1 May 2020?", "1 May 2020", date(2020, 5, 1), date(2020, 5, 1)),
    ],
)
def test_a_moment_is_read(text: str, said: str, first: date, last: date | None) -> None:
    moment = find_moment(text, TODAY)
    assert moment is not None
    assert text[moment.span.start : moment.span.end] == said
    assert (moment.first, moment.last) == (first, last or date(2004, 12, 31))


@pytest.mark.parametrize(
    "text",
    [
        "Who keeps the lighthouse?",
        "Who joined the crew in 1998?",  # a beginning
        "Who left in 1998?",
        "Since when has Oda kept it?",
        "Who was there before 1998?",
        "Who knows the Knowles family?",
        "How many in 1998 boats?" + " And in 2004?",  # two moments
        "Which film in 1998-05 was it?",
    ],
)
def test_beginnings_ends_and_several_moments_are_none(text: str) -> None:
    assert find_moment(text, TODAY) is None
