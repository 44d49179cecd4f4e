"""Keys of names, which are the same for all spellings of one name.

A squeezed key consists of letters and digits alone: it drops case, accents, punctuation and spaces,
writes `&` as `and` and small numbers in digits. So `Schindlers List`, `Spiderman`, `Rocky 2` and
`1234` find `Schindler's List`, `Spider-Man`, `Rocky II` and `1,234`. A date also has a key for each
day that it may mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trellis.domain.grammar_words import NUMBERS
from trellis.linking.text import bare_words, name_key
from trellis.linking.values.dates import read_days

_ROMAN = "- - ii iii iv - vi vii viii ix - xi xii xiii xiv xv xvi xvii xviii xix xx".split()  # noqa: SIM905
_DIGITS = {word: str(n) for words in ((*NUMBERS, "twenty"), _ROMAN) for n, word in enumerate(words)}
_AND = str.maketrans({"&": " and ", "+": " and "})
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_POINT_LETTER = "ˑ"  # a letter to Unicode that no name has; it keeps 1.5 apart from 15

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
    return (f"day{day.isoformat().replace('-', '')}" for day in read_days(name_key(text)))
