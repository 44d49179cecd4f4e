"""A graph's own wording file: JSON with phrases for relations, labels and properties."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from trellis.domain.errors import FileFormatError
from trellis.domain.reasons import with_reason
from trellis.lexicon.property_phrases import PropertyPhrases

Wording = Mapping[str, Mapping[str, Any]]
"""`relations`, `types` and `properties`, as they stand in a file."""

RELATION_KEYS = ("nouns", "asks", "clauses", "some", "none")
"""The lists of phrases of a relation, in either direction."""

PROPERTY_KEYS = {
    "is" if each.name == "equal" else each.name: each.name for each in fields(PropertyPhrases)
}
"""The lists of phrases of a property in a file, and the fields of `PropertyPhrases` they are."""

_REMEDY = "docs/methods-and-models.md describes the wording file"


def read_wording(file: Path) -> Wording:
    """The content of a wording file; FileFormatError where it is none, with the place."""
    try:
        body: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        problem = with_reason(f"the wording file {file} cannot be read", error)
        raise FileFormatError(problem, "give JSON with `relations` and `types`") from error
    if not isinstance(body, dict):
        raise FileFormatError(f"{file} is no JSON object", "give `relations` and `types`")
    for problem in _find_problems(body):
        raise FileFormatError(f"{file}: {problem}", _REMEDY)
    return body


def _find_problems(body: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong in a file, with its place: a text in place of a list would be read as letters.

    Keys that are not known are left alone.
    """
    for part in ("relations", "types", "properties"):
        entries = body.get(part, {})
        if not isinstance(entries, dict):
            yield f"{part} is no object"
            continue
        for name, entry in entries.items():
            yield from _find_entry_problems(part, name, entry)


def _find_entry_problems(part: str, name: str, entry: Any) -> Iterator[str]:
    where = f"{part}.{name}"
    if part == "types":
        yield from _find_list_problems(where, entry)
        return
    if not isinstance(entry, dict):
        yield f"{where} is no object"
        return
    for key in RELATION_KEYS if part == "relations" else PROPERTY_KEYS:
        yield from _find_list_problems(f"{where}.{key}", entry.get(key, []))
    if part == "relations":
        if not isinstance(entry.get("wh", ""), str):
            yield f"{where}.wh is no text"
        if "back" in entry:
            yield from _find_entry_problems(part, f"{name}.back", entry["back"])


def _find_list_problems(where: str, value: Any) -> Iterator[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        yield f"{where} is no list of texts"
