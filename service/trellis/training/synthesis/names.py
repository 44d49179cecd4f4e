"""Reading relation and label names: `PLACE_OF_BIRTH`, `birthPlace`, `people/person/birth_place`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trellis.domain.identifiers import split_identifier

_INVERSE = frozenset(("inverse", "inv", "reverse", "reversed"))
_AUXILIARIES = frozenset(("has", "have", "is", "was", "are", "were", "be", "the", "a", "an"))


@dataclass(frozen=True, slots=True)
class NameWords:
    """A relation's name as words; `inverse`: the name says that it is another's inverse."""

    words: tuple[str, ...]
    inverse: bool = False

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def core(self) -> str:
        """The words without what stands before most relation names: `has`, `is`."""
        words = list(self.words)
        while len(words) > 1 and words[0] in _AUXILIARIES:
            words.pop(0)
        return " ".join(words)


def read_name(name: str) -> NameWords:
    """A name's words in lower case; of a path only the last part, inverse marks taken off."""
    last = re.split(r"[/#:.]", name.strip("/#:. "))[-1] or name
    words = list(split_identifier(last))
    inverse = len(words) > 1 and words[-1] in _INVERSE
    return NameWords(tuple(words[:-1] if inverse else words) or (name.lower(),), inverse)


def strip_endings(phrase: str) -> str:
    """A phrase for comparing: endings of plurals and of verbs in the third person taken off."""
    return " ".join(_strip_ending(word) for word in phrase.split())


def _strip_ending(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "su" else word
