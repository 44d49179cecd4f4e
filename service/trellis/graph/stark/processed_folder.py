"""Reads a processed folder of STaRK: nodes with what is known of them, and typed relations.

    node_info.pkl        {node: {key: value}}
    node_types.pt        [n] the type of each node
    node_type_dict.pkl   {type: name}
    edge_index.pt        [2, m] from which node to which
    edge_types.pt        [m] the type of each relation
    edge_type_dict.pkl   {type: name}

The academic one comes without the two files of names: its loader holds them.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import FileFormatError, ServiceError
from trellis.graph.stark.plain_pickles import read_plain_pickle

_ACADEMIC_NODES = ("author", "institution", "field_of_study", "paper")
_ACADEMIC_EDGES = (
    "author___affiliated_with___institution",
    "paper___cites___paper",
    "paper___has_topic___field_of_study",
    "author___writes___paper",
)
_REMEDY = (
    "give a folder with node_info.pkl, node_types.pt, edge_index.pt and edge_types.pt "
    "(of products, the one below `processed/cache`)"
)
_DAMAGED = "process or copy the knowledge base again"
_BROKEN = (pickle.UnpicklingError, OSError, RuntimeError, ValueError, EOFError, LookupError)


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """A knowledge base. Nodes are numbered from 0.

    `nodes`: what is known of each node. `node_types` [n] and `edge_types` [m] index the names.
    `edges` [2, m]: the nodes that each relation goes from and to.
    """

    nodes: Mapping[int, Mapping[str, Any]]
    node_types: NDArray[np.int64]
    node_names: Mapping[int, str]
    edges: NDArray[np.int64]
    edge_types: NDArray[np.int64]
    edge_names: Mapping[int, str]


def read_processed_folder(folder: Path) -> KnowledgeBase:
    """A knowledge base; FileFormatError names the file that is missing, broken, unsafe or at odds
    with the others."""
    if not folder.is_dir():
        raise FileFormatError(f"{folder} is no folder", _REMEDY)
    nodes = _read_nodes(folder / "node_info.pkl")
    node_types = _read_tensor(folder / "node_types.pt")
    edges = _read_tensor(folder / "edge_index.pt")
    edge_types = _read_tensor(folder / "edge_types.pt")
    node_names, edge_names = _read_names(folder, nodes, node_types)
    _check_range(folder / "node_types.pt", node_types, node_names)
    _check_range(folder / "edge_types.pt", edge_types, edge_names)
    if node_types.shape != (len(nodes),) or set(nodes) != set(range(len(nodes))):
        raise FileFormatError(
            f"{folder / 'node_types.pt'} has types of {len(node_types):,} nodes, and node_info.pkl "
            f"has {len(nodes):,} nodes, which should be numbered from 0",
            _DAMAGED,
        )
    if edges.shape != (2, len(edge_types)):
        raise FileFormatError(
            f"{folder / 'edge_index.pt'} has shape {list(edges.shape)}, and edge_types.pt has "
            f"{len(edge_types):,} types",
            _DAMAGED,
        )
    if edges.size and not 0 <= edges.min() <= edges.max() < len(nodes):
        raise FileFormatError(
            f"{folder / 'edge_index.pt'} names nodes that node_info.pkl has not", _DAMAGED
        )
    return KnowledgeBase(nodes, node_types, node_names, edges, edge_types, edge_names)


def _read_nodes(path: Path) -> dict[int, dict[str, Any]]:
    nodes = _read_pickle(path)
    if not all(isinstance(each, dict) and all(map(_is_text, each)) for each in nodes.values()):
        raise FileFormatError(f"{path} should hold a dictionary of each node", _DAMAGED)
    return nodes


def _read_pickle(path: Path) -> dict[int, Any]:
    """A dictionary by numbers."""
    _require(path)
    value = read_plain_pickle(path)
    if not isinstance(value, dict) or not all(type(key) is int for key in value):
        raise FileFormatError(f"{path} should hold a dictionary by numbers", _DAMAGED)
    return value


def _read_tensor(path: Path) -> NDArray[np.int64]:
    _require(path)
    try:
        import torch
    except ImportError as error:
        raise ServiceError("torch is not installed", "pip install 'trellis[local]'") from error
    try:
        value = torch.load(path, map_location="cpu", weights_only=True)
    except _BROKEN as error:  # its reasons advise to read it without this care
        raise FileFormatError(f"{path} is broken, or holds more than a tensor", _DAMAGED) from error
    if not isinstance(value, torch.Tensor):
        raise FileFormatError(f"{path} should hold a tensor", "save it as a tensor")
    numbers: NDArray[np.int64] = value.to(torch.int64).numpy()
    return numbers


def _require(path: Path) -> None:
    if not path.is_file():
        raise FileFormatError(f"{path} is not there", _REMEDY)


def _read_names(
    folder: Path, nodes: Mapping[int, Mapping[str, Any]], types: NDArray[np.int64]
) -> tuple[Mapping[int, str], Mapping[int, str]]:
    """The names of the types of nodes and of relations."""
    files = (folder / "node_type_dict.pkl", folder / "edge_type_dict.pkl")
    if not any(file.exists() for file in files) and _is_academic(nodes, types):
        return dict(enumerate(_ACADEMIC_NODES)), dict(enumerate(_ACADEMIC_EDGES))
    names = [_read_pickle(file) for file in files]
    for file, each in zip(files, names, strict=True):
        if not all(map(_is_text, each.values())):
            raise FileFormatError(f"{file} should hold names", _DAMAGED)
    return names[0], names[1]


def _is_academic(nodes: Mapping[int, Mapping[str, Any]], types: NDArray[np.int64]) -> bool:
    """Whether all nodes say that they are what the academic knowledge base calls them."""
    names = dict(enumerate(_ACADEMIC_NODES))
    return all(
        kind in names and nodes.get(number, {}).get("type") == names[kind]
        for number, kind in enumerate(types.flatten().tolist())
    )


def _check_range(path: Path, types: NDArray[np.int64], names: Mapping[int, str]) -> None:
    if unknown := sorted(set(np.unique(types).tolist()) - set(names)):
        raise FileFormatError(f"{path} has type {unknown[0]}, which has no name", _DAMAGED)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
