"""How names compare: everywhere the same."""

from __future__ import annotations

import unicodedata


def name_key(name: str) -> str:
    """Unicode NFKC, case folding, underscores as spaces, runs of white space as one, trimmed."""
    folded = unicodedata.normalize("NFKC", name).casefold().replace("_", " ")
    return " ".join(folded.split())


def report_key(name: str) -> str:
    """How evaluation compares names: NFKC, case folding and trimming, nothing else."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def bare_words(text: str) -> tuple[str, ...]:
    """The words of a text without case, accents and marks."""
    folded = unicodedata.normalize("NFKD", name_key(text))
    kept = (char for char in folded if not unicodedata.combining(char))
    return tuple("".join(char if char.isalnum() else " " for char in kept).split())
