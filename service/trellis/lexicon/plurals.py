"""Plurals and articles of English nouns, as far as names of labels need them."""

from __future__ import annotations

HISSING = ("s", "x", "z", "ch", "sh")
"""Endings behind which a plural or a verb in the third person takes `es`."""

_IRREGULAR = {"child": "children", "man": "men", "person": "persons", "woman": "women"}
_ALREADY = ("series", "species", "news", "staff", "equipment", "people", "children", "men", "women")


def make_plural(phrase: str) -> str:
    """A noun phrase in the plural, which is that of its last word."""
    before, space, word = phrase.rpartition(" ")
    return f"{before}{space}{_IRREGULAR.get(word) or _inflect_noun(word)}"


def add_article(noun: str) -> str:
    """`a river`, `an officer`."""
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase has the form of a plural already: `orders`, and not `bus`."""
    word = phrase.rpartition(" ")[2].lower()
    return word in _ALREADY or word in _IRREGULAR.values() or _has_plural_ending(word)


def _has_plural_ending(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _inflect_noun(word: str) -> str:
    if word in _ALREADY:
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(HISSING) else f"{word}s"
