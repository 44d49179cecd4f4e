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
