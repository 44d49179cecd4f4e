"""Keys of names, which are the same for all spellings of one name.

A squeezed key consists of letters and digits alone: it drops case, accents, punctuation and spaces,
writes `&` as `and` and small numbers in digits. So `Schindlers List`, `Spiderman`, `Rocky 2` and
`1234` find `Schindler's List`, `Spider-Man`, `Rocky II` and `1,234`. A date also has a key for each
day that it may mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trellis.linking.text import bare_words, name_key

_COUNTED = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen twenty""".split()  # noqa: SIM905
_ROMAN = "- - ii iii iv - vi vii viii ix - xi xii xiii xiv xv xvi xvii xviii xix xx".split()  # noqa: SIM905
_DIGITS = {word: str(n) for words in (_COUNTED, _ROMAN) for n, word in enumerate(words)}
_AND = str.maketrans({"&": " and ", "+": " and "})
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_POINT_LETTER = "ˑ"  # a letter to Unicode that no name has; it keeps 1.5 apart from 15

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
_MONTH += r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_WRITTEN = (
    re.compile(rf"{_DAY}[ -](?:of )?{_MONTH}(?:, ?| |-){_YEAR}"),
    re.compile(rf"{_MONTH} {_DAY}(?:, ?| ){_YEAR}"),
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_LEAST_PLURAL = 5


def squeeze_text(text: str) -> str:
    """The squeezed key of a text (see above); empty for punctuation alone."""
    words = bare_words(_POINT.sub(_POINT_LETTER, text).translate(_AND))
    if len(words) > 1:  # `two` alone is a word more often than a name
        words = tuple(_DIGITS.get(word, word) for word in words)
    return "".join(words)


def make_spelling_keys(text: str) -> tuple[str, ...]:
    """The keys under which a name is indexed; names that share a key are spellings of each
    other."""
    return tuple(dict.fromkeys(key for key in (squeeze_text(text), *_make_date_keys(text)) if key))


def make_singular_keys(text: str) -> tuple[str, ...]:
    """The keys of what a text may be the plural of."""
    key = squeeze_text(text)
    if len(key) < _LEAST_PLURAL or not key.endswith("s"):
        return ()
    return (key[:-1], *([key[:-3] + "y"] if key.endswith("ies") else []))


def _make_date_keys(text: str) -> Iterator[str]:
    key = name_key(text)
    for pattern in _WRITTEN:
        if found := pattern.fullmatch(key):
            month = 1 + _MONTHS.index(found["month"][:3])
            yield from _write_date_key(found["year"], month, int(found["day"]))
    if found := _YEAR_FIRST.fullmatch(key):
        yield from _write_date_key(found[1], int(found[3]), int(found[4]))
    if found := _YEAR_LAST.fullmatch(key):
        yield from _write_date_key(found[4], int(found[3]), int(found[1]))
        yield from _write_date_key(found[4], int(found[1]), int(found[3]))


def _write_date_key(year: str, month: int, day: int) -> Iterator[str]:
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield f"day{year}{month:02}{day:02}"
