"""How names are compared, everywhere in the same way."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
"""Letters that Unicode does not decompose, with what people type in their place."""

_INNER_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ](?=\w)")
"""An apostrophe inside a word, which people often leave out: `Schindlers List`, `Cote dIvoire`."""

_ARTICLE_FIRST = re.compile(r"(the|an?) (.+)", re.IGNORECASE)
_ARTICLE_LAST = re.compile(r"(.+), (the|an?)", re.IGNORECASE)


def name_key(name: str) -> str:
    """The key of a name: NFKC, case folding, spaces for underscores, single spaces, trimmed."""
    folded = unicodedata.normalize("NFKC", name).casefold().replace("_", " ")
    return " ".join(folded.split())


def put_article_last(name: str) -> str:
    """`Ninth Gate, The` for `The Ninth Gate`, as catalogues have it; empty without an article."""
    found = _ARTICLE_FIRST.fullmatch(name)
    return f"{found[2]}, {found[1]}" if found else ""


def put_article_first(name: str) -> str:
    """`The Ninth Gate` for `Ninth Gate, The`; empty for other names."""
    found = _ARTICLE_LAST.fullmatch(name)
    return f"{found[2]} {found[1]}" if found else ""


def report_key(name: str) -> str:
    """The key by which evaluation compares names: NFKC, case folding and trimming, nothing else."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


@lru_cache(maxsize=1 << 15)
def bare_words(text: str) -> tuple[str, ...]:
    """The words of a text without case, accents and punctuation; vowel signs of scripts are
    kept.

    Remembered, because every question is compared with the same values of the graph.
    """
    plain = _INNER_APOSTROPHE.sub("", remove_accents(text))
    return tuple("".join(char if _is_word_character(char) else " " for char in plain).split())


def remove_accents(text: str) -> str:
    """The key of a text as `name_key` makes it, without accents."""
    apart = unicodedata.normalize("NFKD", name_key(text)).translate(_PLAIN_LETTERS)
    return "".join(char for char in apart if not unicodedata.combining(char))


def _is_word_character(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"
