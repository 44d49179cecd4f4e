"""Neo4j's import headers: which column is what, and of which type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Role = Literal["id", "label", "start", "end", "type", "property", "ignore"]

_ROLES: dict[str, Role] = {
    "ID": "id",
    "LABEL": "label",
    "START_ID": "start",
    "END_ID": "end",
    "TYPE": "type",
    "IGNORE": "ignore",
}
_KEYWORD = re.compile(r"(?P<word>[A-Z_]+)(\((?P<group>[^)]*)\))?(\{[^}]*\})?$")
_OPTIONS = re.compile(r"\{[^}]*\}$")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a header; `type` as in Neo4j's import, `[]` behind arrays."""

    role: Role
    name: str = ""
    group: str = ""
    type: str = "string"


def parse_column(text: str) -> Column:
    """`name:type`, `name:ID(Group)`, `:LABEL`, …; without a colon a string property."""
    name, colon, kind = text.strip().rpartition(":") if ":" in text else (text.strip(), "", "")
    match = _KEYWORD.fullmatch(kind)
    if match and (role := _ROLES.get(match["word"])):
        return Column(role, name, match["group"] or "")
    if not colon:
        return Column("property" if name else "ignore", name)
    return Column("property" if name else "ignore", name, type=_OPTIONS.sub("", kind).lower())


def find_missing_roles(columns: list[Column], required: tuple[Role, ...]) -> list[Role]:
    """Which of the roles no column has."""
    present = {column.role for column in columns}
    return [role for role in required if role not in present]
