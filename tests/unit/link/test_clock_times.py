"""Times of day and lengths of time, in every way that English writes them."""

from __future__ import annotations

import pytest

from trellis.linking.values.clock_times import find_clock_times
from trellis.linking.values.durations import describe_duration, find_durations


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Which kiosks open before 10:30?", {"10:30": "10:30"}),
        ("open at 9 am or at 7.15 p.m.", {"9 am": "09:00", "7.15 p.m.": "19:15"}),
        ("closed at noon, not at midnight", {"noon": "12:00", "midnight": "00:00"}),
        ("12 am and 12:05pm", {"12 am": "00:00", "12:05pm": "12:05"}),
        ("at 23:59", {"23:59": "23:59"}),
        ("rated 7.15, at 25:10, in 9 amazing rooms, 10:30:15", {}),
    ],
)
def test_times_of_day_are_found(text: str, times: dict[str, str]) -> None:
    found = find_clock_times(text)
    assert {text[each.span.start : each.span.end]: each.time for each in found} == times


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("longer than two hours", {"two hours": "PT2H"}),
        ("shorter than 90 minutes?", {"90 minutes": "PT90M"}),
        ("at least an hour, at most 1.5 hours", {"an hour": "PT1H", "1.5 hours": "PT1.5H"}),
        ("more than one day or 2 weeks", {"one day": "P1D", "2 weeks": "P14D"}),
        ("30-min walks of 3 months", {"30-min": "PT30M", "3 months": "P3M"}),
        ("1.5 years, 12 years old, two houses, 5 mindful people, in a daydream", {}),
    ],
)
def test_lengths_of_time_are_found(text: str, lengths: dict[str, str]) -> None:
    found = find_durations(text)
    assert {text[each.span.start : each.span.end]: each.duration for each in found} == lengths


@pytest.mark.parametrize(
    ("duration", "words"),
    [("PT2H", "2 hours"), ("P1DT2H", "1 day 2 hours"), ("PT1M", "1 minute"), ("soon", "soon")],
)
def test_lengths_of_time_are_said_in_words(duration: str, words: str) -> None:
    assert describe_duration(duration) == words
