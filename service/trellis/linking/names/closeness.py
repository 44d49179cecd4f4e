"""How similar two names are in spelling."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import Indel

from trellis.linking.text import bare_words

_SAME_WORD = 0.8
_PART = 0.65
_AS_SAID = 0.4  # added share of the rest up to 1, where each word is in the name letter by letter
_OTHER_WORD = 0.8  # factor where a word is another one, though the rest of the name is the same
_LIKE = 0.55  # likeness of a misspelt word
_SHORT = 3  # letters of a word that may be short for another
_MOST_CACHED = 10_000


def measure_closeness(text: str, name: str) -> float:
    """Likeness of spelling in [0, 1]; 1: the same up to case, accents and punctuation.

    It is the share of letters that both have in the same order. A text whose words are part of a
    name (`Einstein` of `Albert Einstein`) scores at least 0.65 times the likeness of its worst
    word. The score grows with the share of the name that it covers, and again where every word is
    exact. A number is not misspelt: where the name has numbers, those of the text are among them.
    Where both have as many words, none is another word: Mount Doom is not Mount Hood.
    """
    a, b = _split_bare_words(text), _split_bare_words(name)
    if not a or not b or _has_other_numbers(a, b):
        return 0.0
    whole = _ratio(" ".join(a), " ".join(b))
    if len(a) == len(b) > 1 and _has_other_word(a, b):
        whole *= _OTHER_WORD
    return max(whole, _measure_part(a, b)) if len(a) < len(b) else whole


def _measure_part(a: Sequence[str], b: Sequence[str]) -> float:
    likeness = [max(_ratio(word, other) for other in b) for word in a]
    if min(likeness) < _SAME_WORD:
        return 0.0
    said = min(1.0, sum(map(len, a)) / sum(map(len, b)))
    part = (_PART + (1 - _PART) * said) * min(likeness)
    return part + (1 - part) * _AS_SAID if min(likeness) == 1 else part


def _has_other_numbers(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether a text says a number that a name with numbers does not have: `100000`, `V-1000`."""
    named = {int(word) for word in b if word.isdecimal()}
    return bool(named) and any(word.isdecimal() and int(word) not in named for word in a)


def _has_other_word(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether a word of a text, and no short one as `Mt`, is hardly like any of a name."""
    return any(len(word) > _SHORT and max(_ratio(word, other) for other in b) < _LIKE for word in a)


def _ratio(a: str, b: str) -> float:
    return Indel.normalized_similarity(a, b)


@lru_cache(_MOST_CACHED)
def _split_bare_words(text: str) -> tuple[str, ...]:
    return bare_words(text)
