"""Words of questions and moves, and which are alike: the same, of one stem, or begun alike."""

from __future__ import annotations

import re
from functools import lru_cache
from zlib import crc32

_WORD = re.compile(r"[^\W_]+|[<>=]+|[^\w\s]")
_ENDINGS = tuple(
    """ations ation ments ment ings ing ions ion ers ors ies ied ier iest est er or ed es ly al s
    e y""".split()  # noqa: SIM905
)
_LEAST_STEM, _BEGINNING = 3, 4


def split_words(text: str) -> list[str]:
    """The words of a text in lower case; marks and comparisons count as words."""
    return _WORD.findall(text.lower())


def stem_word(word: str) -> str:
    """A word without its ending, and without the letter that it doubles before one."""
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            stem = word[: -len(ending)]
            is_doubled = len(stem) > _LEAST_STEM and stem[-1] == stem[-2] and stem[-1] not in "ls"
            return stem[:-1] if is_doubled else stem
    return word


@lru_cache(maxsize=1 << 17)
def hash_word(word: str) -> tuple[int, int, int]:
    """Three numbers of a word, equal where two words are equal, have one stem, or begin alike.

    None is 0, which stands for no word.
    """
    beginning = word[:_BEGINNING] if len(word) >= _BEGINNING and word.isalpha() else word
    return _hash(word, 1), _hash(stem_word(word), 2), _hash(beginning, 3)


def _hash(text: str, salt: int) -> int:
    return (crc32(text.encode("utf-8", "surrogatepass"), salt) & 0x7FFFFFFF) | 1
