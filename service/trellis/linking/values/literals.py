"""Keys of literals: a text and a stored value share a key where they mean the same.

To the keys of `spellings` (letters and digits alone, days) these add times of day, numbers by their
value, and days without a year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trellis.domain.grammar_words import MONTHS, match_words
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import MatchKind
from trellis.linking.names.spellings import make_singular_keys, make_spelling_keys
from trellis.linking.text import bare_words, name_key, put_article_first

_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?(?::(?P<second>\d{2})(?:\.\d+)?)?"
    r" ?(?P<half>[ap]\.?m\.?)?(?:z|[+-]\d{2}:?\d{2})?"
)
_NUMBER = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d+(?:\.\d+)?")
_INSTANT = re.compile(r"(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}.*)")
_DAY = re.compile(r"day\d{4}(\d{4})")
_DAY_OF_MONTH = re.compile(
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{match_words(MONTHS)}))"
    rf"|(?:(?P<month2>{match_words(MONTHS)}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)"
)
_LEAST_SINGULAR = 3


def stored_keys(value: Scalar) -> tuple[str, ...]:
    """The keys under which a stored value is indexed; a number has one, by its value."""
    if isinstance(value, bool) or value is None:
        return ()
    if isinstance(value, int | float):
        return (number_key(value),)
    days = [key for part in _split_instant(value) for key in make_spelling_keys(part)]
    keys = [
        *days,
        *_make_month_day_keys(days),
        *_make_time_keys(value, both_halves=False),
        *_make_number_keys(value),
        *make_spelling_keys(put_article_first(value)),
    ]
    return tuple(dict.fromkeys(keys))


def question_keys(text: str) -> dict[str, MatchKind]:
    """The keys that a text of a question is looked up by, each with how it would match."""
    keys: dict[str, MatchKind] = {}
    for key in make_spelling_keys(text):
        keys[key] = "date" if _DAY.fullmatch(key) else "exact"
    for key in (*_parse_month_days(text), *_parse_short_years(text)):
        keys.setdefault(key, "date")
    for key in _make_time_keys(text, both_halves=True):
        keys.setdefault(key, "time")
    for key in _make_number_keys(text):
        keys.setdefault(key, "number")
    for key in _make_singular_keys(text):
        keys.setdefault(key, "plural")
    return keys


def number_of(text: str) -> float | None:
    """The number that a text consists of, or None."""
    key = name_key(text)
    return float(key.replace(",", "")) if _NUMBER.fullmatch(key) else None


def number_key(value: float) -> str:
    return f"#number{value:.12g}"


def _make_number_keys(text: str) -> Iterator[str]:
    if (number := number_of(text)) is not None:
        yield number_key(number)


def _split_instant(text: str) -> Sequence[str]:
    """The text; where it is a date with a time, its date too."""
    found = _INSTANT.fullmatch(name_key(text))
    return (text, found[1]) if found else (text,)


def _make_month_day_keys(days: Sequence[str]) -> Iterator[str]:
    for key in days:
        if found := _DAY.fullmatch(key):
            yield f"#monthday{found[1]}"


def _parse_month_days(text: str) -> Iterator[str]:
    if found := _DAY_OF_MONTH.fullmatch(name_key(text)):
        month = MONTHS.index(found["month"] or found["month2"]) + 1
        yield f"#monthday{month:02}{int(found['day'] or found['day2']):02}"


def _parse_short_years(text: str) -> Iterator[str]:
    """The keys of a day with a year of two digits, such as `4/8/17`, with day or month first."""
    if found := re.fullmatch(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{2})", name_key(text)):
        century = "19" if int(found[4]) > 50 else "20"
        yield from make_spelling_keys(f"{found[1]}/{found[3]}/{century}{found[4]}")[1:]


def _make_time_keys(text: str, *, both_halves: bool) -> Iterator[str]:
    """The keys of a time of day: `10:26 PM` has that of 22:26.

    `both_halves`: a time without AM or PM, such as `10:26`, has the keys of both.
    """
    found = _TIME.fullmatch(name_key(text))
    if not found or not (found["minute"] or found["half"]):
        return
    hour, minute, half = int(found["hour"]), found["minute"] or "00", found["half"]
    if hour > 23 or int(minute) > 59 or (half and not 1 <= hour <= 12):
        return
    if half:
        yield _write_time_key(hour % 12 + (12 if half[0] == "p" else 0), minute, found["second"])
        return
    yield _write_time_key(hour, minute, found["second"])
    if both_halves and 1 <= hour < 12:
        yield _write_time_key(hour + 12, minute, found["second"])


def _write_time_key(hour: int, minute: str, second: str | None) -> str:
    return f"#time{hour:02}{minute}" + (second if second and second != "00" else "")


def _make_singular_keys(text: str) -> tuple[str, ...]:
    """The keys of what a text may be the plural of, likeliest first; of short names too
    (`Meas`)."""
    key = "".join(bare_words(text))
    if not key.endswith("s") or len(key) <= _LEAST_SINGULAR:
        return ()
    es = (key[:-2],) if key.endswith("es") and len(key) > 1 + _LEAST_SINGULAR else ()
    return tuple(dict.fromkeys((key[:-1], *make_singular_keys(text), *es)))
