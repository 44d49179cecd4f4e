"""A small family of royals, and questions about it with their gold paths."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from memory_graph import MemoryGraph

PEOPLE = ("anna_smith", "bert_jones", "cara_young", "dave_brown", "emma_green", "finn_black")


def triples() -> list[tuple[str, str, str]]:
    """A ring of parents, and a religion and a city for each: every path exists from everyone."""
    said = []
    for at, person in enumerate(PEOPLE):
        child = PEOPLE[(at + 1) % len(PEOPLE)]
        said.append((child, "parents", person))
        said.append((person, "religion", ("islam", "buddhism")[at % 2]))
        said.append((person, "placeOfBirth", ("rome", "oslo", "lima")[at % 3]))
    return said


def graph() -> MemoryGraph:
    return MemoryGraph.of(triples())


ASKED = (
    ("what is the religion of {} ?", ("religion",)),
    ("where was {} born ?", ("placeOfBirth",)),
    ("who is {} 's father ?", ("parents",)),
    ("where was the father of {} born ?", ("parents", "placeOfBirth")),
    ("what is the faith of {} 's child ?", ("^parents", "religion")),
)


def rows(paths: bool = True) -> list[dict[str, object]]:
    """Every question about everyone, with paths or with answers alone."""
    return [_row(person, text, path, paths) for person in PEOPLE for text, path in ASKED]


def write(file: Path, questions: Sequence[dict[str, object]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in questions), "utf-8")
    return file


def answers(topic: str, path: Sequence[str]) -> list[str]:
    here = {topic}
    for name in path:
        if name.startswith("^"):
            here = {h for h, r, t in triples() if r == name[1:] and t in here}
        else:
            here = {t for h, r, t in triples() if r == name and h in here}
    return sorted(here)


def _row(person: str, text: str, path: tuple[str, ...], paths: bool) -> dict[str, object]:
    row: dict[str, object] = {"question": text.format(person), "topics": [person]}
    row["answers"] = answers(person, path)
    if paths:
        row["paths"] = [{"topic": person, "relations": list(path)}]
    return row
