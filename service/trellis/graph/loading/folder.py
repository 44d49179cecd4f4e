"""A folder of `*.nodes.*.csv[.gz]` and `*.relationships.*.csv[.gz]` files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from hashlib import blake2b
from pathlib import Path

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.headers import Role
from trellis.graph.loading.repeats import RepeatedRows
from trellis.graph.loading.rows import BadRows, NodeRow, RelationshipRow, Survey
from trellis.graph.loading.tables import TableRow, read_records

_NODE: tuple[Role, ...] = ("id",)
_RELATIONSHIP: tuple[Role, ...] = ("start", "end")


class FolderSource:
    """A property graph in files with Neo4j import headers.

    A node is its group and id. Equal relationship rows are parallel relationships: each stays,
    told apart by a digest of the row and of how many equal ones came before it. A file without
    `:LABEL` or `:TYPE` takes the label or type from its own name.
    """

    def __init__(self, folder: Path) -> None:
        self._node_files = _find_files(folder, "nodes")
        self._relationship_files = _find_files(folder, "relationships")
        self._repeated: RepeatedRows | None = None
        if not self._node_files:
            raise FileFormatError(
                f"{folder} holds no *.nodes.*.csv or *.nodes.*.csv.gz",
                "give a file of triples, or a folder of CSV files with Neo4j import headers",
            )

    def survey_rows(self, bad_rows: BadRows) -> Survey:
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
        return Survey(len(keys), count)

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


def _find_files(folder: Path, kind: str) -> list[Path]:
    patterns = (f"*.{kind}.*.csv", f"*.{kind}.*.csv.gz", f"{kind}.*.csv", f"{kind}.*.csv.gz")
    return sorted({file for pattern in patterns for file in folder.glob(pattern)})


def _name_from_file(file: Path) -> str:
    """`x.nodes.Person.csv.gz` is of `Person`."""
    return file.name.removesuffix(".gz").removesuffix(".csv").rpartition(".")[2]


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
