"""Triples: `head<TAB>relation<TAB>tail` or `head|relation|tail`, a line each.

Labels may follow: two more columns that start with a colon (of the head, of the tail; several as
`:A:B`, either may be empty), lines `name<TAB>:Label`, or a types file of `name<TAB>label` lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.files import read_lines
from trellis.graph.loading.repeats import RepeatedRows
from trellis.graph.loading.rows import BadRows, LoadReport, NodeRow, RelationshipRow, shorten_key

ENTITY = "Entity"


@dataclass(frozen=True, slots=True)
class _ParsedLine:
    """One line: names with their labels, and the relation between the two, if it is a triple."""

    names: tuple[tuple[str, tuple[str, ...]], ...]
    relation: str | None = None


class TriplesSource:
    """A file of triples as `(:Entity {id, name})` nodes, one relationship type a relation."""

    def __init__(self, path: Path, types: Path | None = None) -> None:
        self._path = path
        self._types = types
        self._separator = _detect_separator(path)
        self._repeated: RepeatedRows | None = None

    def survey_rows(self, bad_rows: BadRows) -> LoadReport:
        names: set[str] = set()
        triples = RepeatedRows()
        for number, line in read_lines(self._path):
            parsed = _parse_line(line, self._separator)
            if isinstance(parsed, str):
                bad_rows.add(self._path, number, parsed)
                continue
            names.update(name for name, _ in parsed.names)
            if parsed.relation is not None:
                triples.add((parsed.names[0][0], parsed.relation, parsed.names[1][0]))
        self._check_types(names, bad_rows)
        self._repeated = triples
        return LoadReport(len(names), triples.count_distinct())

    def read_nodes(self) -> Iterator[NodeRow]:
        labels: dict[str, tuple[str, ...]] = {}
        for parsed in self._parse_lines():
            for name, more in parsed.names:
                labels[name] = labels.get(name, ()) + more
        for name, label in self._read_types():
            labels[name] = (*labels.get(name, ()), label)
        for name, some in labels.items():
            yield NodeRow(
                shorten_key(name), tuple(sorted({ENTITY, *some})), {"id": name, "name": name}
            )

    def read_relationships(self) -> Iterator[RelationshipRow]:
        """All triples; after a survey each once."""
        seen: set[tuple[str, str, str]] = set()
        for parsed in self._parse_lines():
            if parsed.relation is None:
                continue
            (head, _), (tail, _) = parsed.names
            triple = head, parsed.relation, tail
            if self._repeated is not None and self._repeated.is_repeated(triple):
                if triple in seen:
                    continue
                seen.add(triple)
            yield RelationshipRow(parsed.relation, shorten_key(head), shorten_key(tail))

    def _parse_lines(self) -> Iterator[_ParsedLine]:
        for _, line in read_lines(self._path):
            if not isinstance(parsed := _parse_line(line, self._separator), str):
                yield parsed

    def _read_types(self) -> Iterator[tuple[str, str]]:
        for _, line in read_lines(self._types) if self._types else ():
            name, _, label = line.partition("\t")
            yield name, label.lstrip(":")

    def _check_types(self, names: set[str], bad_rows: BadRows) -> None:
        for number, line in read_lines(self._types) if self._types else ():
            name, tab, label = line.partition("\t")
            if not tab or not label.strip(": "):
                bad_rows.add(self._types or self._path, number, "is not `name<TAB>label`")
            elif name not in names:
                bad_rows.add(self._types or self._path, number, f"'{name}' is in no triple")


def _detect_separator(path: Path) -> str:
    """A tab, or else a bar: what the first line has."""
    for _, line in read_lines(path):
        if "\t" in line or "|" in line:
            return "\t" if "\t" in line else "|"
        raise FileFormatError(
            f"{path} line 1 has neither tab nor '|'", "a triple is head<TAB>relation<TAB>tail"
        )
    raise FileFormatError(f"{path} is empty", "a triple is head<TAB>relation<TAB>tail, one a line")


def _parse_line(line: str, separator: str) -> _ParsedLine | str:
    """The line's meaning, or what is wrong with it."""
    columns = line.split(separator)
    if len(columns) == 2 and columns[0].strip() and columns[1].startswith(":"):
        return _ParsedLine(((columns[0], _split_labels(columns[1])),))
    if not 3 <= len(columns) <= 5:
        return f"has {len(columns)} columns, not head, relation, tail"
    head, relation, tail, *more = columns
    if not (head.strip() and relation.strip() and tail.strip()):
        return "has an empty head, relation or tail"
    if any(text and not text.startswith(":") for text in more):
        return "has a column after the tail that is not a `:Label`"
    of_head, of_tail = (_split_labels(text) for text in (*more, "", "")[:2])
    return _ParsedLine(((head, of_head), (tail, of_tail)), relation)


def _split_labels(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(":") if part.strip())
