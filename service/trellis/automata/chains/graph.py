"""A graph as append-only arrays: what it has grown by is added behind, and nothing is rebuilt.

A node keeps its number, and so does an entry. A value of `ChainGraph` is a view of the shared
arrays up to its version, so that what was computed over an earlier view holds over a later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from trellis.automata.paths.segments import measure_longest
from trellis.domain.graphs.graph import Neighbourhood, NodeId, Step

_NEVER = np.iinfo(np.int32).max
_FIRST_ROOM = 64

Number = TypeVar("Number", bound=np.integer[Any])


@dataclass(frozen=True, eq=False)
class ChainDelta:
    """What a graph grows by: new nodes, new relation types, and the rows of some nodes.

    `rows` [r]: the numbers of the nodes whose relationships these are, each once; `sizes` [r]: how
    many each has. `targets`, `keys` [m]: of each entry the number of the other node, and
    `2 * type + reversed`, types numbered as they came to the graph. `names`: those of the new
    nodes; empty where they are not said.
    """

    nodes: tuple[NodeId, ...]
    names: tuple[str, ...]
    relation_types: tuple[str, ...]
    rows: NDArray[np.int32]
    sizes: NDArray[np.int32]
    targets: NDArray[np.int32]
    keys: NDArray[np.int32]


class _Arrays:
    """The arrays that all views of one graph share.

    `version`: of the view that came last. `since`: for each node the version that brought its row.
    """

    def __init__(self) -> None:
        self.version = 0
        self.nodes: list[NodeId] = []
        self.names: list[str] = []
        self.relation_types: list[str] = []
        self.number: dict[NodeId, int] = {}
        self.number_of_type: dict[str, int] = {}
        self.starts: NDArray[np.int64] = np.zeros(_FIRST_ROOM, np.int64)
        self.sizes: NDArray[np.int64] = np.zeros(_FIRST_ROOM, np.int64)
        self.since: NDArray[np.int32] = np.full(_FIRST_ROOM, _NEVER, np.int32)
        self.targets: NDArray[np.int32] = np.zeros(_FIRST_ROOM, np.int32)
        self.keys: NDArray[np.int32] = np.zeros(_FIRST_ROOM, np.int32)

    def reserve_room(self, nodes: int, entries: int) -> None:
        """Make the arrays twice as long where they are too short: a copy for each doubling."""
        if nodes > len(self.since):
            room = max(nodes, 2 * len(self.since))
            self.starts = _lengthen(self.starts, room, 0)
            self.sizes = _lengthen(self.sizes, room, 0)
            self.since = _lengthen(self.since, room, _NEVER)
        if entries > len(self.keys):
            room = max(entries, 2 * len(self.keys))
            self.targets = _lengthen(self.targets, room, 0)
            self.keys = _lengthen(self.keys, room, 0)


class ChainGraph:
    """A view of a growing graph; it never changes. It is the `Relationships` of a walker.

    `longest_name`, `longest_type`: the bytes of the longest in UTF-8.
    """

    def __init__(self) -> None:
        self._arrays = _Arrays()
        self._version = self._nodes = self._entries = self._types = 0
        self.longest_name = self.longest_type = 0

    def __len__(self) -> int:
        return self._nodes

    @property
    def entries(self) -> int:
        """How many entries all rows have."""
        return self._entries

    @property
    def types(self) -> int:
        """How many relation types there are."""
        return self._types

    @property
    def targets(self) -> NDArray[np.int32]:
        """Of each entry the number of the node that it leads to."""
        return self._arrays.targets

    @property
    def keys(self) -> NDArray[np.int32]:
        """Of each entry `2 * type + reversed`."""
        return self._arrays.keys

    @property
    def is_latest(self) -> bool:
        """Whether the arrays have not grown since."""
        return self._arrays.version == self._version

    def find_number(self, node: NodeId) -> int | None:
        """The number of a node; None where the graph does not have it."""
        number = self._arrays.number.get(node)
        return number if number is not None and number < self._nodes else None

    def id_of(self, number: int) -> NodeId:
        return self._arrays.nodes[number]

    def name_of(self, number: int) -> str:
        return self._arrays.names[number]

    def step_of_key(self, key: int) -> Step:
        return Step(self._arrays.relation_types[key >> 1], bool(key & 1))

    def find_rows(self, nodes: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first entry of each node's row, and how many it has: none where it was not read."""
        there = self.have_rows(nodes)
        arrays = self._arrays
        return np.where(there, arrays.starts[nodes], 0), np.where(there, arrays.sizes[nodes], 0)

    def have_rows(self, nodes: NDArray[np.int32]) -> NDArray[np.bool_]:
        """For each node whether its relationships have been read."""
        there: NDArray[np.bool_] = self._arrays.since[nodes] <= self._version
        return there

    def iterate_triples(self) -> Iterator[tuple[int, str, int]]:
        """The triples that have been read, each once, those of nodes that came sooner first."""
        nodes = np.arange(self._nodes, dtype=np.int32)
        starts, sizes = self.find_rows(nodes)
        there = self.have_rows(nodes)
        for node, start, size in zip(nodes.tolist(), starts.tolist(), sizes.tolist(), strict=True):
            for entry in range(start, start + size):
                other, step = int(self.targets[entry]), self.step_of_key(int(self.keys[entry]))
                if step.reversed and not there[other]:
                    yield other, step.relation, node
                elif not step.reversed:
                    yield node, step.relation, other

    def make_delta(self, asked: Sequence[NodeId], read: Neighbourhood) -> ChainDelta:
        """What the graph grows by where the rows of `asked` have been read.

        A node that was asked for and is not there any more has no relationships.
        """
        new = [node for node in read.nodes if self.find_number(node) is None]
        number = {node: self._nodes + i for i, node in enumerate(new)}
        found = {node: self._find(node, number) for node in (*read.nodes, *asked)}
        numbers = np.array([found[node] for node in read.nodes], np.int32)
        full = np.flatnonzero(read.levels < read.hops)
        full = full[~self._have_known_rows(numbers[full])]
        starts, sizes = read.find_rows(full.astype(np.int32))
        places = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        gone = self._list_gone(asked, found, numbers[full])
        types, keys = self._number_keys(read, places)
        names = dict(zip(read.nodes, read.names, strict=False))
        return ChainDelta(
            tuple(new),
            tuple(names[node] for node in new) if read.names else (),
            types,
            np.concatenate((numbers[full], gone)),
            np.concatenate((sizes, np.zeros(len(gone), np.int64))).astype(np.int32),
            numbers[read.targets[places]] if len(places) else np.empty(0, np.int32),
            keys,
        )

    def extended(self, delta: ChainDelta) -> ChainGraph:
        """The graph with a delta that was made for it; work is linear in the delta.

        Where another view has grown from this one already, the arrays are copied first.
        """
        if not self.is_latest:
            return self._copy().extended(delta)
        view = ChainGraph()
        arrays = view._arrays = self._arrays
        arrays.version += 1
        nodes = self._nodes + len(delta.nodes)
        entries = self._entries + len(delta.targets)
        arrays.reserve_room(nodes, entries)
        for number, node in enumerate(delta.nodes, self._nodes):
            arrays.number[node] = number
        for number, kind in enumerate(delta.relation_types, self._types):
            arrays.number_of_type[kind] = number
        arrays.nodes += delta.nodes
        arrays.names += delta.names
        arrays.relation_types += delta.relation_types
        arrays.targets[self._entries : entries] = delta.targets
        arrays.keys[self._entries : entries] = delta.keys
        sizes = delta.sizes.astype(np.int64)
        arrays.starts[delta.rows] = self._entries + np.cumsum(sizes) - sizes
        arrays.sizes[delta.rows] = sizes
        arrays.since[delta.rows] = arrays.version
        view._version, view._nodes, view._entries = arrays.version, nodes, entries
        view._types = self._types + len(delta.relation_types)
        view.longest_name = max(self.longest_name, measure_longest(delta.names))
        view.longest_type = max(self.longest_type, measure_longest(delta.relation_types))
        return view

    def _find(self, node: NodeId, new: dict[NodeId, int]) -> int:
        number = self.find_number(node)
        return new.get(node, -1) if number is None else number

    def _have_known_rows(self, numbers: NDArray[np.int32]) -> NDArray[np.bool_]:
        known = numbers < self._nodes
        there = np.zeros(len(numbers), np.bool_)
        there[known] = self.have_rows(numbers[known])
        return there

    def _list_gone(
        self, asked: Sequence[NodeId], found: dict[NodeId, int], read: NDArray[np.int32]
    ) -> NDArray[np.int32]:
        """The nodes that were asked for and have neither been read now nor before."""
        there = set(read.tolist())
        numbers = [found[node] for node in dict.fromkeys(asked)]
        missing = np.array([n for n in numbers if n >= 0 and n not in there], np.int32)
        return missing[~self._have_known_rows(missing)]

    def _number_keys(
        self, read: Neighbourhood, places: NDArray[np.int64]
    ) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """The relation types that are new, and the keys of some entries."""
        known = self._arrays.number_of_type
        new: dict[str, int] = {}
        types = read.types[places]
        numbers = np.zeros(len(read.relation_types), np.int32)
        for kind in np.unique(types).tolist():
            name = read.relation_types[kind]
            at = known.get(name, self._types)
            numbers[kind] = at if at < self._types else new.setdefault(name, self._types + len(new))
        keys = 2 * numbers[types] + read.directions[places]
        return tuple(new), keys.astype(np.int32)

    def _copy(self) -> ChainGraph:
        """The same graph in arrays of its own."""
        view, old = ChainGraph(), self._arrays
        arrays = view._arrays
        arrays.nodes = old.nodes[: self._nodes]
        arrays.names = old.names[: self._nodes]
        arrays.relation_types = old.relation_types[: self._types]
        arrays.number = {node: i for i, node in enumerate(arrays.nodes)}
        arrays.number_of_type = {kind: i for i, kind in enumerate(arrays.relation_types)}
        arrays.starts, arrays.sizes = old.starts.copy(), old.sizes.copy()
        arrays.since = np.where(old.since <= self._version, old.since, _NEVER)
        arrays.targets, arrays.keys = old.targets.copy(), old.keys.copy()
        arrays.version = view._version = self._version
        view._nodes, view._entries, view._types = self._nodes, self._entries, self._types
        view.longest_name, view.longest_type = self.longest_name, self.longest_type
        return view


def _lengthen(array: NDArray[Number], room: int, fill: int) -> NDArray[Number]:
    longer: NDArray[Number] = np.full(room, fill, array.dtype)
    longer[: len(array)] = array
    return longer
