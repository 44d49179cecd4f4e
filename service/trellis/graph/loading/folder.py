"""A folder of CSV files, plain or compressed (`.gz`), each of nodes or of relationships.

Which of both a file holds is told by its name (`*.nodes.*.csv`, `*.relationships.*.csv`), else by
its header.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.headers import Role
from trellis.graph.loading.repeats import RepeatedRows
from trellis.graph.loading.rows import BadRows, LoadReport, NodeRow, RelationshipRow
from trellis.graph.loading.tables import TableRow, read_header, read_records

_FileKind = Literal["nodes", "relationships"]

_SUFFIX = re.compile(r"\.csv(\.gz)?$", re.IGNORECASE)
_KINDS: tuple[_FileKind, ...] = ("nodes", "relationships")
_MOST_LISTED = 5  # files that an error names
_REMEDY_FOLDER = "give a file of triples, or a folder of CSV files with Neo4j import headers"
_NODE: tuple[Role, ...] = ("id",)
_RELATIONSHIP: tuple[Role, ...] = ("start", "end")


class FolderSource:
    """A property graph in files with Neo4j import headers.

    A node is its group and id. Equal relationship rows are parallel relationships: each stays,
    told apart by a digest of the row and of how many equal ones came before it. A file without
    `:LABEL` or `:TYPE` takes the label or type from its own name.
    """

    def __init__(self, folder: Path) -> None:
        """Raises FileFormatError for a file that is of neither kind, or where none is of nodes."""
        kinds = {file: _find_kind(file) for file in _list_tables(folder)}
        self._node_files = [file for file, kind in kinds.items() if kind == "nodes"]
        self._relationship_files = [file for file in kinds if file not in self._node_files]
        self._repeated: RepeatedRows | None = None
        if not self._node_files:
            raise FileFormatError(_describe_nodeless(folder, kinds), _REMEDY_FOLDER)

    def survey_rows(self, bad_rows: BadRows) -> LoadReport:
        keys: set[str] = set()
        for file in self._node_files:
            for record in read_records(file, _NODE):
                if wrong := record.problem or _find_node_problem(record, keys):
                    bad_rows.add(file, record.line, wrong)
                else:
                    keys.add(record.ids["id"])
        count, rows = 0, RepeatedRows()
        for file in self._relationship_files:
            own = _name_from_file(file)
            for record in read_records(file, _RELATIONSHIP):
                count += 1
                if wrong := record.problem or _find_relationship_problem(record, own, keys):
                    bad_rows.add(file, record.line, wrong)
                else:
                    rows.add(_fingerprint_relationship(record, own))
        rows.count_distinct()
        self._repeated = rows
        return LoadReport(len(keys), count)

    def read_nodes(self) -> Iterator[NodeRow]:
        for file in self._node_files:
            own = (_name_from_file(file),)
            for record in read_records(file, _NODE):
                labels = tuple(sorted(set(record.labels or own)))
                yield NodeRow(record.ids["id"], labels, record.properties)

    def read_relationships(self) -> Iterator[RelationshipRow]:
        """All relationships; without a survey before, a digest of each stays in memory."""
        seen: Counter[int] = Counter()
        for file in self._relationship_files:
            own = _name_from_file(file)
            for record in read_records(file, _RELATIONSHIP):
                kind, start, end = record.type or own, record.ids["start"], record.ids["end"]
                key = digest = _hash_parts(kind, start, end, sorted(record.properties.items()))
                if self._repeated is None or self._repeated.is_repeated(
                    _fingerprint_relationship(record, own)
                ):
                    seen[digest] += 1
                    key = digest if seen[digest] == 1 else _hash_parts(digest, seen[digest])
                yield RelationshipRow(kind, start, end, record.properties, key)


def _list_tables(folder: Path) -> list[Path]:
    """The CSV files of a folder, hidden ones left out."""
    return sorted(
        file
        for file in folder.iterdir()
        if _SUFFIX.search(file.name) and not file.name.startswith(".")
    )


def _find_kind(file: Path) -> _FileKind:
    """What a file holds; FileFormatError where neither its name nor its header says."""
    parts = file.name.split(".")[:-1]
    for kind in _KINDS:
        if kind in parts:
            return kind
    roles = {column.role for column in read_header(file)}
    if roles & {"start", "end"}:
        return "relationships"
    if "id" in roles:
        return "nodes"
    raise FileFormatError(
        f"{file.name}:1: the header has neither :ID nor :START_ID and :END_ID",
        "name one column of a file of nodes `:ID`, and two of a file of relationships `:START_ID` "
        "and `:END_ID`, or take the file out of the folder",
    )


def _describe_nodeless(folder: Path, tables: Collection[Path]) -> str:
    """That a folder has no file of nodes, and what it has."""
    if tables:
        return f"{folder} holds files of relationships alone"
    others = sorted(file.name for file in folder.iterdir() if not file.name.startswith("."))
    listed = f", but {', '.join(others[:_MOST_LISTED])}" if others else ""
    return f"{folder} holds no CSV file{listed}"


def _name_from_file(file: Path) -> str:
    """`x.nodes.Person.csv.gz` is of `Person`."""
    return _SUFFIX.sub("", file.name).rpartition(".")[2]


def _find_node_problem(record: TableRow, keys: set[str]) -> str:
    if "id" not in record.ids:
        return "has no :ID"
    if record.ids["id"] in keys:
        return f"id {_format_key(record.ids['id'])} was given before"
    return ""


def _find_relationship_problem(record: TableRow, own_type: str, keys: set[str]) -> str:
    for role in _RELATIONSHIP:
        if role not in record.ids:
            return f"has no :{role.upper()}_ID"
        if record.ids[role] not in keys:
            return f"node {_format_key(record.ids[role])} is in no nodes file"
    return "" if record.type or own_type else "has no :TYPE"


def _fingerprint_relationship(record: TableRow, own_type: str) -> Hashable:
    """What equal rows have in common, fast to make."""
    ids, properties = record.ids, record.properties
    told = repr(sorted(properties.items())) if properties else ""
    return record.type or own_type, ids["start"], ids["end"], told


def _format_key(key: str) -> str:
    group, _, identity = key.partition("\t")
    return f"'{identity}' of group {group}" if group else f"'{identity}'"


def _hash_parts(*parts: object) -> int:
    """63 bits that are the same in every run."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest()) >> 1
