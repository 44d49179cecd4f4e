"""Tables of queries and what is said for each."""

from __future__ import annotations


def read_pairs(table: str) -> dict[str, str]:
    """Texts at the margin, each with the text that is indented below it; both may take lines."""
    pairs: dict[str, str] = {}
    first = ""
    for line in table.strip().splitlines():
        if line.startswith(" "):
            pairs[first] = f"{pairs.get(first, '')} {line.strip()}".strip()
        elif first in pairs:
            first = line
        else:
            first = f"{first} {line}".strip()
    return pairs
