"""The numbers that a question says, in digits and in words."""

from __future__ import annotations

import pytest

from trellis.linking.values.numbers import find_numbers


@pytest.mark.parametrize(
    ("text", "said", "value"),
    [
        ("over 600,000 people", "600,000", 600_000),
        ("over 1,500,000 people", "1,500,000", 1_500_000),
        ("over 1\u00a0500 people", "1\u00a0500", 1_500),
        ("over 1'000'000 people", "1'000'000", 1_000_000),
        ("2,500.75 on average", "2,500.75", 2_500.75),
        ("colder than -5 degrees", "-5", -5),
        ("more than 5.", "5", 5),
        ("5 million people", "5 million", 5_000_000),
        ("over 3.2 million km²", "3.2 million", 3_200_000),
        ("2 hundred thousand", "2 hundred thousand", 200_000),
        ("more than 10k followers", "10k", 10_000),
        ("a debt of 2bn", "2bn", 2_000_000_000),
        ("the five longest", "five", 5),
        ("twenty-five rivers", "twenty-five", 25),
        ("two hundred and five rivers", "two hundred and five", 205),
        ("seven thousand metres", "seven thousand", 7_000),
        ("one hundred lakes", "one hundred", 100),
        ("a hundred lakes", "a hundred", 100),
        ("a dozen lakes", "a dozen", 12),
        ("half a million people", "half a million", 500_000),
        ("longer than 200km", "200", 200),
        ("heavier than 3kg", "3", 3),
        ("10% of them", "10", 10),
        ("under $50", "50", 50),
    ],
)
def test_a_number_is_found_where_it_is_said(text: str, said: str, value: float) -> None:
    (number,) = find_numbers(text)
    assert (text[number.span.start : number.span.end], number.value) == (said, value)
    assert type(number.value) is (int if float(value).is_integer() else float)


@pytest.mark.parametrize(
    "text",
    [
        "which one is it",
        "the second longest river",
        "the 3rd longest",
        "the 21st century",
        "the A380",
        "an e10 engine",
        "b2b and 4x4",
        "v0 and v1",
        "area in km2",
        "version 1.2.3",
        "a three-letter code",
        "hundreds of lakes",
        "hundred",
        "",
    ],
)
def test_ordinals_and_codes_are_no_numbers(text: str) -> None:
    assert not find_numbers(text)


def test_several_numbers_come_in_their_order() -> None:
    numbers = find_numbers("between 5 and 1,000 of the twenty")
    assert [number.value for number in numbers] == [5, 1_000, 20]
