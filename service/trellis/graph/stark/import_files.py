"""Writes a knowledge base as a folder of CSV files that `trellis load` reads."""

from __future__ import annotations

import csv
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import ServiceError
from trellis.domain.reasons import with_reason
from trellis.graph.stark.processed_folder import KnowledgeBase
from trellis.graph.stark.properties import choose_type, clean_name, list_properties

_PART = "___"  # between the type of a node, a relation and the type of the other


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """How much was written."""

    nodes: int
    relationships: int


def write_import_files(base: KnowledgeBase, folder: Path) -> WrittenFiles:
    """Write all files, whole or not at all; ServiceError if that cannot be done, or if the folder
    is there. A node's `:ID` is its number in the knowledge base."""
    if folder.exists():
        raise ServiceError(f"{folder} is there already", "name another --out")
    part = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for name, kinds in _group_kinds(base.node_names).items():
            _write_nodes(base, np.flatnonzero(np.isin(base.node_types, kinds)), name, part)
        written = sum(_write_relationships(*each, part) for each in _group_edges(base))
        part.rename(folder)
    except OSError as error:
        problem = with_reason(f"{folder} cannot be written", error)
        raise ServiceError(problem, "name another --out") from error
    return WrittenFiles(len(base.nodes), written)


def _write_nodes(base: KnowledgeBase, rows: NDArray[np.intp], name: str, folder: Path) -> None:
    """Write the nodes of a type. They are gone through twice: the header has the types of all."""
    if not rows.size:
        return
    kinds = _find_columns(base, rows)
    header = [":ID", *(f"{column}:{kind}" for column, kind in kinds.items())]
    _write_table(folder / f"nodes.{name}.csv", header, _list_rows(base, rows, kinds))


def _find_columns(base: KnowledgeBase, rows: NDArray[np.intp]) -> dict[str, str]:
    """The properties of some nodes, each with its type."""
    examples: dict[str, dict[type, Any]] = defaultdict(dict)
    for row in rows.tolist():
        for column, value in list_properties(base.nodes[row]).items():
            examples[column].setdefault(type(value), value)
    return {column: choose_type(values.values()) for column, values in examples.items()}


def _list_rows(
    base: KnowledgeBase, rows: NDArray[np.intp], columns: Mapping[str, str]
) -> Iterator[Sequence[object]]:
    for row in rows.tolist():
        values = list_properties(base.nodes[row])
        yield [row, *(values.get(column, "") for column in columns)]


def _group_kinds(names: Mapping[int, str]) -> Mapping[str, list[int]]:
    """The types that have one name once it is cleaned."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for kind, name in names.items():
        kinds[clean_name(name)].append(kind)
    return kinds


def _group_edges(base: KnowledgeBase) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """The relations by name, each [2, m] without repeats. One whose every edge is there in both
    directions has none of its own: of each two edges the first is kept."""
    relations = {kind: _name_relation(name) for kind, name in base.edge_names.items()}
    for name, kinds in _group_kinds(relations).items():
        edges = base.edges[:, np.isin(base.edge_types, kinds)]
        if edges.size:
            yield name, _drop_repeats(edges, len(base.nodes))


def _drop_repeats(edges: NDArray[np.int64], nodes: int) -> NDArray[np.int64]:
    there, back = edges[0] * nodes + edges[1], edges[1] * nodes + edges[0]
    is_undirected = np.array_equal(np.unique(there), np.unique(back))
    keys = np.minimum(there, back) if is_undirected else there
    _, first = np.unique(keys, return_index=True)
    return edges[:, np.sort(first)]


def _name_relation(name: str) -> str:
    """`writes` of `author___writes___paper`."""
    parts = name.split(_PART)
    return parts[1] if len(parts) == 3 else name


def _write_relationships(name: str, edges: NDArray[np.int64], folder: Path) -> int:
    header = [":START_ID", ":END_ID"]
    _write_table(folder / f"relationships.{name}.csv", header, edges.T.tolist())
    return int(edges.shape[1])


def _write_table(
    path: Path, header: Sequence[str], rows: Iterator[Sequence[object]] | list[Any]
) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        table = csv.writer(file)
        table.writerow(header)
        table.writerows(rows)
