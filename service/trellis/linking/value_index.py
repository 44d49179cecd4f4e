"""Remembered values of a graph, found by key or by words; built once for a graph."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile
from math import log

from trellis.domain.links import StoredValue, Worded
from trellis.linking.literals import stored_keys
from trellis.linking.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words

_LISTED = 50  # values of a property up to which their words are compared
_LEAST_STEM, _SAME_STEM = 4, 0.6
_FUNCTION_WEIGHT = 0.3
_WORDS = {"not": "no", "unable": "cannot", "cant": "cannot", "couldnt": "cannot", "without": "no"}


class ValueIndex:
    """Values by the keys of `stored_keys`, and those of properties with few by their words.

    `values` are all of their properties, `examples` some. `searched`: properties that have too
    many values to be remembered, and are searched by text.
    """

    def __init__(
        self,
        values: Iterable[StoredValue],
        examples: Iterable[StoredValue] = (),
        searched: Sequence[str] = (),
    ) -> None:
        self.searched: tuple[str, ...] = tuple(searched)
        self._by_key: dict[str, list[StoredValue]] = defaultdict(list)
        of_property: dict[tuple[str, str], list[StoredValue]] = defaultdict(list)
        whole = dict.fromkeys(values)
        for stored in whole:
            of_property[stored.label, stored.property].append(stored)
        for stored in whole | dict.fromkeys(examples):
            for key in stored_keys(stored.value):
                self._by_key[key].append(stored)
        self._weights: dict[str, list[tuple[StoredValue, float]]] = defaultdict(list)
        self._stems: dict[str, list[str]] = defaultdict(list)
        for those in of_property.values():
            if len(those) <= _LISTED:
                self._add_words(those)

    def called(self, key: str) -> Sequence[StoredValue]:
        """The values that share a key."""
        return self._by_key.get(key, ())

    def by_words(self, said: Sequence[str], least: float) -> list[Worded]:
        """The values of which at least this share was said, in any order, by words of one stem."""
        places: dict[str, int] = {}
        for place, word in enumerate(said):
            for other in self._stems.get(word[:_LEAST_STEM], ()):
                if alike(word, other):
                    places.setdefault(other, place)
        shares: dict[StoredValue, float] = defaultdict(float)
        found: dict[StoredValue, list[int]] = defaultdict(list)
        for word, place in places.items():
            for stored, weight in self._weights[word]:
                shares[stored] += weight
                found[stored].append(place)
        return [
            Worded(stored, min(1.0, share), tuple(sorted(found[stored])))
            for stored, share in shares.items()
            if share >= least
        ]

    def _add_words(self, values: Sequence[StoredValue]) -> None:
        """A word that many of the values have says little of any; grammar says less."""
        texts = [(one, words_of(one.value)) for one in values if isinstance(one.value, str)]
        held = Counter(word for _, words in texts for word in set(words))
        for one, words in texts:
            weights = {word: _weight(word, held[word], len(texts)) for word in words}
            total = sum(weights.values())
            for word, weight in weights.items():
                if word not in self._weights:
                    self._stems[word[:_LEAST_STEM]].append(word)
                self._weights[word].append((one, weight / total))


def words_of(text: str) -> tuple[str, ...]:
    """The words that are compared: bare, ways to say no as one."""
    return tuple(_WORDS.get(word, word) for word in bare_words(text))


def alike(one: str, other: str) -> bool:
    """Whether two words have one stem: the same but for their ends, and no numbers."""
    if one == other or not (one.isalpha() and other.isalpha()):
        return one == other
    shared = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    )
    return shared >= max(_LEAST_STEM, _SAME_STEM * max(len(one), len(other)))


def _weight(word: str, held: int, values: int) -> float:
    weight = log(1 + values / held)
    return weight * _FUNCTION_WEIGHT if word in FUNCTION_WORDS else weight
