"""A folder of `*.nodes.*.csv[.gz]` and `*.relationships.*.csv[.gz]` files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.headers import Role
from trellis.graph.loading.rows import BadRows, NodeRow, RelationshipRow, Survey
from trellis.graph.loading.tables import Record, records

_NODE: tuple[Role, ...] = ("id",)
_RELATIONSHIP: tuple[Role, ...] = ("start", "end")


class FolderSource:
    """A property graph in files with Neo4j import headers.

    A node is its group and id. Equal relationship rows are parallel relationships: each stays,
    told apart by a digest of the row and of how many equal ones came before it. A file without
    `:LABEL` or `:TYPE` takes the label or type from its own name.
    """

    def __init__(self, folder: Path) -> None:
        self._nodes = _files(folder, "nodes")
        self._relationships = _files(folder, "relationships")
        if not self._nodes:
            raise FileFormatError(
                f"{folder} holds no *.nodes.*.csv or *.nodes.*.csv.gz",
                "give a file of triples, or a folder of CSV files with Neo4j import headers",
            )

    def survey(self, bad: BadRows) -> Survey:
        keys: set[str] = set()
        for file in self._nodes:
            for record in records(file, _NODE):
                if wrong := record.wrong or _wrong_node(record, keys):
                    bad.add(file, record.line, wrong)
                else:
                    keys.add(record.ids["id"])
        count = 0
        for file in self._relationships:
            for record in records(file, _RELATIONSHIP):
                count += 1
                if wrong := record.wrong or _wrong_relationship(record, file, keys):
                    bad.add(file, record.line, wrong)
        return Survey(len(keys), count)

    def nodes(self) -> Iterator[NodeRow]:
        for file in self._nodes:
            own = (_own_name(file),)
            for record in records(file, _NODE):
                labels = tuple(sorted(set(record.labels or own)))
                yield NodeRow(record.ids["id"], labels, record.properties or {})

    def relationships(self) -> Iterator[RelationshipRow]:
        seen: Counter[int] = Counter()
        for file in self._relationships:
            for record in records(file, _RELATIONSHIP):
                kind = record.type or _own_name(file)
                start, end = record.ids["start"], record.ids["end"]
                digest = _digest(kind, start, end, sorted((record.properties or {}).items()))
                seen[digest] += 1
                key = digest if seen[digest] == 1 else _digest(digest, seen[digest])
                yield RelationshipRow(kind, start, end, record.properties or {}, key)


def _files(folder: Path, kind: str) -> list[Path]:
    patterns = (f"*.{kind}.*.csv", f"*.{kind}.*.csv.gz", f"{kind}.*.csv", f"{kind}.*.csv.gz")
    return sorted({file for pattern in patterns for file in folder.glob(pattern)})


def _own_name(file: Path) -> str:
    """`x.nodes.Person.csv.gz` is of `Person`."""
    return file.name.removesuffix(".gz").removesuffix(".csv").rpartition(".")[2]


def _wrong_node(record: Record, keys: set[str]) -> str:
    if "id" not in record.ids:
        return "has no :ID"
    if record.ids["id"] in keys:
        return f"id {_shown(record.ids['id'])} was given before"
    return ""


def _wrong_relationship(record: Record, file: Path, keys: set[str]) -> str:
    for role in _RELATIONSHIP:
        if role not in record.ids:
            return f"has no :{role.upper()}_ID"
        if record.ids[role] not in keys:
            return f"node {_shown(record.ids[role])} is in no nodes file"
    return "" if record.type or _own_name(file) else "has no :TYPE"


def _shown(key: str) -> str:
    group, _, identity = key.partition("\t")
    return f"'{identity}' of group {group}" if group else f"'{identity}'"


def _digest(*parts: object) -> int:
    """63 bits that are the same in every run."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest()) >> 1
