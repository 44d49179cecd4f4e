"""A made graph of any size as a folder of CSV files: skewed degrees, one hub, names of words."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.made.names import make_names

LABELS = ("Place", "Person", "Person", "Company", "Work")
"""The label of node i is that of i modulo five."""

_PLACE, _PERSONS, _COMPANY, _WORK = (0,), (1, 2), (3,), (4,)
_TYPES = (
    ("LIVES_IN", _PERSONS, _PLACE),
    ("BORN_IN", _PERSONS, _PLACE),
    ("KNOWS", _PERSONS, _PERSONS),
    ("PARENT_OF", _PERSONS, _PERSONS),
    ("MARRIED_TO", _PERSONS, _PERSONS),
    ("WORKS_FOR", _PERSONS, _COMPANY),
    ("FOUNDED", _PERSONS, _COMPANY),
    ("WROTE", _PERSONS, _WORK),
    ("PLAYED_IN", _PERSONS, _WORK),
    ("LIKES", _PERSONS, _WORK),
    ("BASED_IN", _COMPANY, _PLACE),
    ("OWNS", _COMPANY, _COMPANY),
    ("PUBLISHED", _COMPANY, _WORK),
    ("SET_IN", _WORK, _PLACE),
    ("FOLLOWS", _WORK, _WORK),
    ("NEAR", _PLACE, _PLACE),
)
_EDGES_OF_A_NODE = 5
_HUB_SHARE = 10  # one node of so many lives in the hub
_SKEW = 3  # the node at share s of all is drawn with a density of s ** (1 / 3 - 1)
_CHUNK = 100_000


@dataclass(frozen=True, slots=True)
class MadeGraph:
    """How many nodes; there are five times as many relationships, of 16 types.

    Node 0, a place, is the hub: a tenth of all nodes has a relationship to it.
    """

    nodes: int

    @property
    def edges(self) -> int:
        return _EDGES_OF_A_NODE * self.nodes

    def write_files(self, folder: Path) -> None:
        """Write `made.nodes.all.csv` and a file of relationships for each type."""
        folder.mkdir(parents=True, exist_ok=True)
        self._write_nodes(folder / "made.nodes.all.csv")
        random = np.random.default_rng(1)
        hub = self.nodes // _HUB_SHARE
        usual = (self.edges - hub) // len(_TYPES)
        for number, (name, starts, ends) in enumerate(_TYPES):
            rest = self.edges - hub - usual * len(_TYPES) if number == 0 else 0
            drawn = [self._draw_nodes(of, usual + rest, random) for of in (starts, ends)]
            if number == 0:
                some = random.choice(2 * (self.nodes // len(LABELS)), hub, replace=False)
                drawn[0] = np.concatenate([5 * (some // 2) + 1 + some % 2, drawn[0]])
                drawn[1] = np.concatenate([np.zeros(hub, np.int64), drawn[1]])
            _write_edges(folder / f"made.relationships.{name}.csv", *drawn)

    def _write_nodes(self, path: Path) -> None:
        names, years = make_names(self.nodes), np.random.default_rng(2)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["id:ID", "name", "year:int", ":LABEL"])
            for first in range(0, self.nodes, _CHUNK):
                drawn = years.integers(1900, 2027, _CHUNK).tolist()
                some = enumerate(islice(names, min(_CHUNK, self.nodes - first)), first)
                writer.writerows(
                    (i, name, drawn[i - first], LABELS[i % len(LABELS)]) for i, name in some
                )

    def _draw_nodes(
        self, remainders: tuple[int, ...], count: int, random: np.random.Generator
    ) -> NDArray[np.int64]:
        """Nodes of one label: few of them often, most of them seldom."""
        fives = self.nodes // len(LABELS)
        places = (fives * random.random(count) ** _SKEW).astype(np.int64)
        drawn: NDArray[np.int64] = len(LABELS) * places + random.choice(remainders, count)
        return drawn


def _write_edges(path: Path, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(":START_ID,:END_ID\n")
        file.writelines(_format_lines(starts, ends))


def _format_lines(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Iterator[str]:
    for at in range(0, len(starts), _CHUNK):
        pairs = zip(starts[at : at + _CHUNK].tolist(), ends[at : at + _CHUNK].tolist(), strict=True)
        yield "".join(f"{start},{end}\n" for start, end in pairs)
