"""How any name goes into Cypher."""

from __future__ import annotations


def quoted(name: str) -> str:
    """`name` as a Cypher identifier: in backticks, those inside doubled.

    Cypher reads unicode escapes before it reads anything else, so that a name with a backslash,
    `u0060` behind it, would end the identifier: backslashes are written as escapes themselves.
    """
    return "`" + name.replace("\\", "\\u005c").replace("`", "``") + "`"


def labelled(labels: tuple[str, ...]) -> str:
    """`:A:B` with every label quoted; empty without labels."""
    return "".join(f":{quoted(label)}" for label in labels)
