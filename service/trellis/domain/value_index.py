"""Remembered values of a graph, found by key or by words; built once for a graph."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import log

from trellis.domain.literals import stored_keys
from trellis.domain.spans import FUNCTION_WORDS
from trellis.domain.text import bare_words
from trellis.domain.value_links import StoredValue

_LISTED = 50  # values of a property up to which their words are compared
_LEAST_STEM, _SAME_STEM = 4, 0.6
_FUNCTION_WEIGHT = 0.3
_WORDS = {"not": "no", "unable": "cannot", "cant": "cannot", "couldnt": "cannot", "without": "no"}


@dataclass(frozen=True, slots=True)
class WordedValue:
    """A value of a property with few, and what each of its words weighs among them (sum 1)."""

    stored: StoredValue
    weights: Mapping[str, float]


class ValueIndex:
    """Values by the keys of `stored_keys`, and those of properties with few by their words.

    `searched`: properties that have too many values to be remembered, and are searched by text.
    """

    def __init__(self, values: Iterable[StoredValue], searched: Sequence[str] = ()) -> None:
        self.searched = tuple(searched)
        self._by_key: dict[str, list[StoredValue]] = defaultdict(list)
        of_property: dict[tuple[str, str], list[StoredValue]] = defaultdict(list)
        for stored in dict.fromkeys(values):
            of_property[stored.label, stored.property].append(stored)
            for key in stored_keys(stored.value):
                self._by_key[key].append(stored)
        few = (those for those in of_property.values() if len(those) <= _LISTED)
        self.worded: tuple[WordedValue, ...] = tuple(one for those in few for one in _worded(those))

    def called(self, key: str) -> Sequence[StoredValue]:
        """The values that share a key."""
        return self._by_key.get(key, ())


def words_of(text: str) -> tuple[str, ...]:
    """The words that are compared: bare, ways to say no as one."""
    return tuple(_WORDS.get(word, word) for word in bare_words(text))


def alike(one: str, other: str) -> bool:
    """Whether two words have one stem: the same but for their ends."""
    if one == other:
        return True
    shared = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    )
    return shared >= max(_LEAST_STEM, _SAME_STEM * max(len(one), len(other)))


def _worded(values: Sequence[StoredValue]) -> list[WordedValue]:
    """A word that many of the values have says little of any; grammar says less."""
    texts = [(one, words_of(one.value)) for one in values if isinstance(one.value, str)]
    held = Counter(word for _, words in texts for word in set(words))
    found = []
    for one, words in texts:
        raw = {word: _weight(word, held[word], len(texts)) for word in words if word.isalpha()}
        total = sum(raw.values())
        if total:
            found.append(WordedValue(one, {word: w / total for word, w in raw.items()}))
    return found


def _weight(word: str, held: int, values: int) -> float:
    weight = log(1 + values / held)
    return weight * _FUNCTION_WEIGHT if word in FUNCTION_WORDS else weight
