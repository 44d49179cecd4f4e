"""How made graphs write the names of their labels, relationship types and properties.

People name things by habit: `ACTED_IN`, `actedIn`, `hasActor`, `film__actor`, `ACTD`. A habit holds
for a whole graph, but for a few names that somebody else added.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

_VOWELS = frozenset("aeiou")
_LEAST_ABBREVIATED = 6  # letters of a word that is written without its vowels
_STRAY = 0.05  # probability that a name is written by another habit
_TYPE_STYLES = {"upper": 0.6, "camel": 0.15, "snake": 0.13, "pascal": 0.05, "lower": 0.07}
_LABEL_STYLES = {"pascal": 0.8, "upper": 0.06, "snake": 0.06, "lower": 0.08}
_PROPERTY_STYLES = {"camel": 0.5, "snake": 0.38, "lower": 0.07, "pascal": 0.05}


@dataclass(frozen=True, slots=True)
class NamingHabit:
    """How one graph writes its names.

    `labels`, `types`, `properties`: the style of each. `abbreviates`: the probability that a name
    loses its vowels. `namespace`: what stands before the names of relationship types, or nothing.
    """

    labels: str
    types: str
    properties: str
    abbreviates: float = 0.0
    namespace: str = ""

    def name_label(self, words: str, choice: random.Random) -> str:
        return write_name(words, _stray(self.labels, _LABEL_STYLES, choice))

    def name_type(self, words: str, choice: random.Random) -> str:
        words = shorten_words(words) if choice.random() < self.abbreviates else words
        name = write_name(words, _stray(self.types, _TYPE_STYLES, choice))
        return f"{self.namespace}{name}"

    def name_property(self, words: str, choice: random.Random) -> str:
        words = shorten_words(words) if choice.random() < self.abbreviates else words
        return write_name(words, _stray(self.properties, _PROPERTY_STYLES, choice))


def draw_habit(choice: random.Random) -> NamingHabit:
    """The habit of one graph."""
    abbreviates = choice.choice((0.0, 0.0, 0.0, 0.0, 0.1, 0.4))
    has_namespace = choice.random() < 0.05
    namespace = choice.choice(("ns__", "schema__", "app_", "base/")) if has_namespace else ""
    labels, types = _draw(_LABEL_STYLES, choice), _draw(_TYPE_STYLES, choice)
    return NamingHabit(labels, types, _draw(_PROPERTY_STYLES, choice), abbreviates, namespace)


def write_name(words: str, style: str) -> str:
    """Words as one name in a style: `acted in` as `ACTED_IN`, `actedIn`, `acted_in`."""
    parts = words.split()
    if style == "upper":
        return "_".join(parts).upper()
    if style == "snake":
        return "_".join(parts)
    if style == "lower":
        return words
    pascal = "".join(part[:1].upper() + part[1:] for part in parts)
    return pascal if style == "pascal" else pascal[:1].lower() + pascal[1:]


def shorten_words(words: str) -> str:
    """Long words without the vowels behind their first letter: `department` as `dprtmnt`."""
    return " ".join(
        word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS)
        if len(word) >= _LEAST_ABBREVIATED
        else word
        for word in words.split()
    )


def _stray(style: str, styles: dict[str, float], choice: random.Random) -> str:
    return _draw(styles, choice) if choice.random() < _STRAY else style


def _draw(styles: dict[str, float], choice: random.Random) -> str:
    return choice.choices(list(styles), list(styles.values()))[0]
