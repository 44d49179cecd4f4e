"""The phrases by which questions speak of properties: how long, longer than, the longest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from trellis.domain.graphs.schema import PropertyKind
from trellis.lexicon.names import read_name, spell_out, strip_endings
from trellis.linking.values.units import UNITS, split_unit

Texts = tuple[str, ...]

_WHOLE_NUMBER = re.compile(r"[1-9]\d{0,6}|0")  # without the leading zeros of codes
_YEARS = frozenset(
    ("year", "date", "time", "since", "founded", "dissolved", "born", "died", "created", "released")
)
_LIKE_YEARS, _LEAST_YEARS = range(1_000, 2_101), 2
_NUMBERS = ("INTEGER", "FLOAT")
_TIMES = ("DATE", "LOCAL DATETIME", "ZONED DATETIME", "LOCAL TIME", "ZONED TIME")


@dataclass(frozen=True, slots=True)
class PropertyPhrases:
    """The phrases for a property of a thing, `{}` for the thing, or for the value compared with.

    `nouns`: nouns that fit `the NOUN of X`. `asks`: whole questions for the value. `units`: words
    behind a number. `things`: what a number counts. `more` and `less`: comparatives, `most` and
    `least`: superlatives. `exceeds` and `trails`: verb phrases with another thing. `above`,
    `below`, `at_least`, `at_most` and `equal`: phrases behind a noun with a value. `which`: whole
    questions for the thing, `{n}` for its noun. `tops` and `bottoms`: phrases behind a noun.
    `between`: questions for a property of the relationship between two things, the second one
    `{other}`.
    """

    nouns: Texts = ()
    asks: Texts = ()
    units: Texts = ()
    things: Texts = ()
    more: Texts = ()
    less: Texts = ()
    most: Texts = ()
    least: Texts = ()
    exceeds: Texts = ()
    trails: Texts = ()
    above: Texts = ()
    below: Texts = ()
    at_least: Texts = ()
    at_most: Texts = ()
    equal: Texts = ()
    which: Texts = ()
    tops: Texts = ()
    bottoms: Texts = ()
    between: Texts = ()

    @classmethod
    def parse(cls, entry: Mapping[str, Any]) -> PropertyPhrases:
        """The phrases of an entry of a wording file; unknown keys are ignored."""
        known = {each.name: tuple(entry.get(each.name, ())) for each in fields(cls)}
        return cls(**{**known, "equal": tuple(entry.get("is", ()))})

    def join_phrases(self, other: PropertyPhrases) -> PropertyPhrases:
        """These phrases and another's; where these have some of a kind, only these."""
        return PropertyPhrases(
            **{
                each.name: getattr(self, each.name) or getattr(other, each.name)
                for each in fields(self)
            }
        )


class PropertyLexicon:
    """The phrases of common properties by their names in words."""

    def __init__(self, entries: Iterable[Mapping[str, Any]]) -> None:
        self._by_name = {
            strip_endings(name): PropertyPhrases.parse(entry)
            for entry in entries
            for name in entry["names"]
        }

    def find_phrases(self, kind: PropertyKind) -> PropertyPhrases:
        """The phrases of a property by its name, with those that its name alone gives."""
        words, unit = split_unit(read_name(kind.name).words)
        units = UNITS[unit][:4] if unit else ()
        derived = _derive_phrases(" ".join(words), kind, units)
        known = self._find_known(kind)
        if known is None:
            return derived
        own = () if derived.nouns[0].endswith("ed") else derived.nouns[:1]  # `founded`
        nouns = tuple(dict.fromkeys((*own, *known.nouns)))
        return replace(known.join_phrases(derived), nouns=nouns, units=units or known.units)

    def knows_property(self, kind: PropertyKind) -> bool:
        """Whether a property has phrases beside those that its name gives."""
        return self._find_known(kind) is not None

    def find_superlative(self, kind: PropertyKind, *, is_most: bool) -> str:
        """What has the most or the least of a property, by its name as a whole: `tallest`; empty
        where that is not known."""
        words, _ = split_unit(read_name(kind.name).words)
        phrases = self._find_first(" ".join(words)) or PropertyPhrases()
        return next(iter(phrases.most if is_most else phrases.least), "")

    def _find_known(self, kind: PropertyKind) -> PropertyPhrases | None:
        """The phrases of the lexicon for a name, without its unit, or for its last word."""
        words, _ = split_unit(read_name(kind.name).words)
        return self._find_first(" ".join(words), read_name(kind.name).core, *words[-1:])

    def _find_first(self, *names: str) -> PropertyPhrases | None:
        """The phrases of the first of some names that the lexicon has."""
        keys = map(strip_endings, names)
        return next((self._by_name[key] for key in keys if key in self._by_name), None)


def is_ordered(kind: PropertyKind) -> bool:
    """Whether values of a property are numbers or times, which can be compared."""
    return is_number(kind) or is_time(kind)


def is_number(kind: PropertyKind) -> bool:
    """Whether values of a property are numbers, which may be stored as texts."""
    return kind.type in _NUMBERS or (kind.type == "STRING" and bool(list_numbers(kind)))


def list_numbers(kind: PropertyKind) -> list[float]:
    """The examples of a property as numbers; none where one of its texts is no whole number."""
    if kind.type != "STRING":
        return [each for each in kind.examples if isinstance(each, int | float)]
    texts = [str(each) for each in kind.examples]
    is_numeric = all(_WHOLE_NUMBER.fullmatch(text) for text in texts)
    return [int(text) for text in texts] if is_numeric and not kind.unique else []


def is_year(kind: PropertyKind) -> bool:
    """Whether values of a property are times or years: later and earlier, not more and less."""
    return is_time(kind) or not _YEARS.isdisjoint(read_name(kind.name).words)


def may_be_year(kind: PropertyKind) -> bool:
    """The same, also of one whose values are all as years are, whatever it is called."""
    values = [value for value in (*kind.values, *kind.examples) if type(value) is int]
    return is_year(kind) or (len(values) >= _LEAST_YEARS and all(v in _LIKE_YEARS for v in values))


def is_time(kind: PropertyKind) -> bool:
    return kind.type in _TIMES


def _derive_phrases(words: str, kind: PropertyKind, units: Texts) -> PropertyPhrases:
    """Phrases from the words of a name alone, first with its abbreviations spelled out."""
    nouns = tuple(dict.fromkeys((spell_out(words), words)))
    equal = tuple(f"with {noun} {{}}" for noun in nouns)
    texts = PropertyPhrases(nouns=nouns, units=units, equal=equal)
    return texts.join_phrases(_derive_time_phrases(words)) if is_time(kind) else texts


def _derive_time_phrases(words: str) -> PropertyPhrases:
    """Phrases for days and times; a name may be a noun (`birth date`) or a participle (`hired`)."""
    return PropertyPhrases(
        more=("later", "more recent", "newer"),
        less=("earlier", "older"),
        most=("latest", "most recent", "newest", "last"),
        least=("earliest", "oldest", "first"),
        above=(
            f"with a {words} after {{}}",
            f"whose {words} is after {{}}",
            f"{words} after {{}}",
            f"{words} later than {{}}",
            "after {}",
        ),
        below=(
            f"with a {words} before {{}}",
            f"whose {words} is before {{}}",
            f"{words} before {{}}",
            f"{words} earlier than {{}}",
            "before {}",
        ),
        at_least=(f"{words} since {{}}", f"{words} on or after {{}}", "since {}", "from {} on"),
        at_most=(f"{words} until {{}}", f"{words} on or before {{}}", "until {}", "up to {}"),
        tops=(
            f"with the latest {words}",
            f"with the most recent {words}",
            f"{words} last",
            f"{words} most recently",
        ),
        bottoms=(
            f"with the earliest {words}",
            f"with the oldest {words}",
            f"{words} first",
            f"{words} earliest",
        ),
    )
