"""Remembered values of a graph, found by key or by words; built once for a graph."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile
from math import log

from trellis.domain.graphs.links import StoredValue, WordMatch
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.linking.values.literals import stored_keys

_LISTED = 50  # the most values of a property that are found by their words
_LEAST_STEM, _SAME_STEM = 4, 0.6
_ENDINGS = frozenset(("s", "es", "d", "ed", "r", "er", "ers", "rs", "ing", "y", "ly", "n", "en"))
_FUNCTION_WEIGHT = 0.3
_WHOLE = 0.8  # share of a value's words by which it is said, but for words of grammar
_WORDS = {"not": "no", "unable": "cannot", "cant": "cannot", "couldnt": "cannot", "without": "no"}


class ValueIndex:
    """Values by the keys of `stored_keys`; values of properties with few of them also by words.

    `values`: all values of some properties. `examples`: some values of others.
    `searched_properties`: the properties whose values are too many to be remembered, and are
    searched by text.
    """

    def __init__(
        self,
        values: Iterable[StoredValue],
        examples: Iterable[StoredValue] = (),
        searched: Sequence[str] = (),
    ) -> None:
        self.searched_properties: tuple[str, ...] = tuple(searched)
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
        for listed in of_property.values():
            if len(listed) <= _LISTED:
                self._add_words(listed)

    def find_by_key(self, key: str) -> Sequence[StoredValue]:
        """The values that share a key."""
        return self._by_key.get(key, ())

    def find_by_words(self, words: Sequence[str], least_share: float) -> list[WordMatch]:
        """The values of which the words `words` cover at least the share `least_share`, in any
        order.

        Words match where they have the same stem.
        """
        places: dict[str, int] = {}
        for place, word in enumerate(words):
            for other in self._stems.get(word[:_LEAST_STEM], ()):
                if has_same_stem(word, other):
                    places.setdefault(other, place)
        shares: dict[StoredValue, float] = defaultdict(float)
        indices: dict[StoredValue, list[int]] = defaultdict(list)
        for word, place in places.items():
            for stored, weight in self._weights[word]:
                shares[stored] += weight
                indices[stored].append(place)
        matches = [
            WordMatch(stored, min(1.0, share), tuple(sorted(indices[stored])))
            for stored, share in shares.items()
            if share >= least_share
        ]
        return _drop_outdone(matches, words)

    def _add_words(self, values: Sequence[StoredValue]) -> None:
        """Index values by their words; words that many of them have, and grammar, weigh less."""
        texts = [(each, words_of(each.value)) for each in values if isinstance(each.value, str)]
        held = Counter(word for _, words in texts for word in set(words))
        for stored, words in texts:
            weights = {word: _weigh_word(word, held[word], len(texts)) for word in words}
            total = sum(weights.values())
            for word, weight in weights.items():
                if word not in self._weights:
                    self._stems[word[:_LEAST_STEM]].append(word)
                self._weights[word].append((stored, weight / total))


def _drop_outdone(matches: Sequence[WordMatch], words: Sequence[str]) -> list[WordMatch]:
    """The matches without those of which all words are a part of what another value of the same
    property is wholly said by: `Other theft`, where `Theft from the person` is said."""
    telling = {place for place, word in enumerate(words) if word not in FUNCTION_WORDS}
    said = [telling.intersection(match.word_indices) for match in matches]
    whole: dict[tuple[str, str], list[set[int]]] = defaultdict(list)
    for match, places in zip(matches, said, strict=True):
        if match.share >= _WHOLE:
            whole[match.stored.label, match.stored.property].append(places)
    return [
        match
        for match, places in zip(matches, said, strict=True)
        if match.share >= _WHOLE
        or not any(places < those for those in whole[match.stored.label, match.stored.property])
    ]


def words_of(text: str) -> tuple[str, ...]:
    """The bare words by which values are compared; words of negation are made the same."""
    return tuple(_WORDS.get(word, word) for word in bare_words(text))


def has_same_stem(word: str, other: str) -> bool:
    """Whether two words have the same stem, differing in their ends alone; numbers must be
    equal."""
    if word == other or word[:1] != other[:1] or not (word.isalpha() and other.isalpha()):
        return word == other
    shared = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False))
    )
    short, long = sorted((word, other), key=len)
    if shared == len(short) <= _LEAST_STEM:  # `come` is no form of `comedy`
        return long[shared:] in _ENDINGS
    return shared >= max(_LEAST_STEM, _SAME_STEM * max(len(word), len(other)))


def _weigh_word(word: str, values_with_word: int, values: int) -> float:
    weight = log(1 + values / values_with_word)
    return weight * _FUNCTION_WEIGHT if word in FUNCTION_WORDS else weight
