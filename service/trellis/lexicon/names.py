"""Reads names of relations and labels as words: `PLACE_OF_BIRTH`, `birthPlace`, `person/birth`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from trellis.domain.grammar_words import ARTICLES, BEING, HAVING
from trellis.domain.identifiers import split_identifier, split_namespaces

_INVERSE = frozenset(("inverse", "inv", "reverse", "reversed"))
_LEADING = frozenset((*BEING, *HAVING, *ARTICLES, "be"))


PREPOSITIONS = frozenset(
    """about across against along around as at during for from in into near of on onto over through
    to under with within""".split()  # noqa: SIM905
)
"""Prepositions that the name of a relation may end in."""

_ABBREVIATIONS = {
    "acct": "account",
    "addr": "address",
    "amt": "amount",
    "avg": "average",
    "cat": "category",
    "cnt": "count",
    "dept": "department",
    "desc": "description",
    "dest": "destination",
    "dob": "date of birth",
    "emp": "employee",
    "lang": "language",
    "lat": "latitude",
    "lng": "longitude",
    "loc": "location",
    "lon": "longitude",
    "max": "maximum",
    "mgr": "manager",
    "min": "minimum",
    "nbr": "number",
    "no": "number",
    "nr": "number",
    "num": "number",
    "org": "organisation",
    "pct": "percentage",
    "pop": "population",
    "qty": "quantity",
    "reg": "registration",
    "ref": "reference",
    "tel": "telephone number",
    "temp": "temperature",
    "yr": "year",
}
"""Words by which names are shortened, and what people say."""

NAMELESS = frozenset(("entity", "node", "thing", "resource", "object"))
"""Nouns that say nothing of what sort of thing they name."""

_MOST_KEPT = 1 << 14  # names that are kept as words


@dataclass(frozen=True, slots=True)
class NameWords:
    """A name as words, of a name with namespaces those of its last part.

    `inverse`: whether it marks the inverse of another relation. `holder`: the words of the
    namespace right before it, which tells the kind of node that has such a relation or property.
    """

    words: tuple[str, ...]
    inverse: bool = False
    holder: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def core(self) -> str:
        """The words without the auxiliaries and articles before them, such as `has` and `is`."""
        words = list(self.words)
        while len(words) > 1 and words[0] in _LEADING:
            words.pop(0)
        return " ".join(words)

    @property
    def noun(self) -> str:
        """The core without a preposition before it: `genre` of `in genre`."""
        first, _, rest = self.core.partition(" ")
        return rest if rest and first in PREPOSITIONS else self.core


@lru_cache(_MOST_KEPT)
def read_name(name: str) -> NameWords:
    """The words of a name in lower case, without its inverse mark."""
    *before, last = split_namespaces(name)
    words = split_identifier(last)
    inverse = len(words) > 1 and words[-1] in _INVERSE
    holder = split_identifier(before[-1]) if before else ()
    return NameWords((words[:-1] if inverse else words) or (name.lower(),), inverse, holder)


def spell_out(text: str) -> str:
    """The words of a name with abbreviations spelled out: `badge number` of `badge no`."""
    return " ".join(_ABBREVIATIONS.get(word, word) for word in text.split())


def tells_kind(label: str) -> bool:
    """Whether a label says what sort of thing its nodes are, as `Entity` does not."""
    return read_name(label).text not in NAMELESS


def strip_endings(phrase: str) -> str:
    """A phrase for comparison: without endings of plurals and of verbs in the third person."""
    return " ".join(_strip_ending(word) for word in phrase.split())


def _strip_ending(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "su" else word
