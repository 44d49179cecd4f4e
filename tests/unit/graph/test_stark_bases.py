"""STaRK's knowledge bases as graph files, and pickles that hold more than plain values."""

from __future__ import annotations

import os
import pickle
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from stark_base import COUGH, NODES, TYPES, write_base
from trellis.domain.errors import FileFormatError, ServiceError
from trellis.graph.loading.folder import FolderSource
from trellis.graph.loading.rows import BadRows, NodeRow
from trellis.graph.stark.import_files import write_import_files
from trellis.graph.stark.plain_pickles import UnsafePickleError, read_plain_pickle
from trellis.graph.stark.processed_folder import read_processed_folder


class Command:
    """What runs a command where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("touch ran",)


def convert(folder: Path, **changed: Any) -> FolderSource:
    base = read_processed_folder(write_base(folder / "processed", **changed))
    write_import_files(base, folder / "graph")
    source, bad = FolderSource(folder / "graph"), BadRows()
    source.survey_rows(bad)
    bad.raise_if_any()
    return source


def test_nodes_become_rows_with_their_numbers_and_texts(tmp_path: Path) -> None:
    nodes = {row.key.strip(): row for row in convert(tmp_path).read_nodes()}
    assert nodes["2"] == NodeRow(
        "\t2",
        ("disease",),
        {"id": "MO:3", "type": "disease", "name": "mill cough", "summary": COUGH},
    )
    gene = nodes["3"].properties
    assert nodes["3"].labels == ("gene_protein",)
    assert (gene["name"], gene["details_name"]) == ("SHIV1", "shivering factor")
    assert (gene["alias"], gene["genomic_pos"]) == ("SH1\nSHV", "chr: 2; strand: -1")
    assert gene["taxid"] == 9606
    assert not {"_score", "score", "hgnc_id", "weight"} & set(gene)
    assert nodes["4"].properties["name"] == "ELB2"


def test_a_relation_without_direction_is_written_once(tmp_path: Path) -> None:
    rows = convert(tmp_path).read_relationships()
    known = Counter((row.type, row.start.strip(), row.end.strip()) for row in rows)
    assert known == Counter(
        [
            *(("indication", *pair) for pair in (("5", "0"), ("6", "1"), ("7", "2"), ("8", "2"))),
            ("side_effect", "5", "1"),
            ("ppi", "3", "4"),
        ]
    )


def test_the_academic_one_has_its_names_from_its_loader(tmp_path: Path) -> None:
    papers = {0: {"type": "author", "DisplayName": "Ann"}, 1: {"type": "paper", "Year": -1}}
    source = convert(
        tmp_path,
        node_info=papers,
        node_type_dict=None,
        edge_type_dict=None,
        node_types=torch.tensor([0, 3]),
        edge_index=torch.tensor([[0], [1]]),
        edge_types=torch.tensor([3]),
    )
    assert [(row.labels, dict(row.properties)) for row in source.read_nodes()] == [
        (("author",), {"type": "author", "DisplayName": "Ann"}),
        (("paper",), {"type": "paper"}),
    ]
    assert [row.type for row in source.read_relationships()] == ["writes"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"node_info": None}, r"node_info\.pkl is not there"),
        ({"node_type_dict": None}, r"node_type_dict\.pkl is not there"),
        ({"node_type_dict": None, "edge_type_dict": None}, r"node_type_dict\.pkl is not there"),
        ({"edge_types": None}, r"edge_types\.pt is not there"),
        ({"node_info": [1, 2]}, r"node_info\.pkl should hold a dictionary"),
        ({"node_info": {0: "x"}}, r"node_info\.pkl should hold a dictionary of each node"),
        ({"node_info": {1: {}}}, r"node_types\.pt has types of 10 nodes"),
        ({"node_type_dict": {0: "a", 1: "b"}}, r"node_types\.pt has type 2, which has no name"),
        ({"edge_type_dict": {0: 5}}, r"edge_type_dict\.pkl should hold names"),
        ({"edge_index": torch.tensor([[0], [1]])}, r"edge_index\.pt has shape \[2, 1\]"),
        ({"edge_index": torch.full((2, 12), 77)}, r"edge_index\.pt names nodes"),
        ({"node_info": {0: {"name": Decimal(1)}}}, r"node_info\.pkl: it holds decimal\.Decimal"),
        ({"node_info": {0: {"name": Command()}}}, r"node_info\.pkl: it holds posix\.system"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, changed: Any, said: str) -> None:
    folder = write_base(tmp_path / "processed", **changed)
    with pytest.raises(FileFormatError, match=said):
        read_processed_folder(folder)
    with pytest.raises(FileFormatError, match="is no folder"):
        read_processed_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps(NODES)[:-40], b"\x80\x04."])
def test_a_broken_pickle_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.pkl"
    file.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"broken\.pkl is a broken pickle"):
        read_plain_pickle(file)


@pytest.mark.parametrize("content", [b"", b"no tensor", pickle.dumps(Command(), 2)])
def test_a_tensor_that_is_none_is_named(tmp_path: Path, content: bytes) -> None:
    folder = write_base(tmp_path / "processed")
    (folder / "node_types.pt").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"node_types\.pt is broken, or holds more"):
        read_processed_folder(folder)
    torch.save({"types": torch.tensor(TYPES)}, folder / "node_types.pt")
    with pytest.raises(FileFormatError, match=r"node_types\.pt should hold a tensor"):
        read_processed_folder(folder)


@pytest.mark.parametrize("protocol", range(2, 6))
def test_plain_values_are_read_and_nothing_else_runs(tmp_path: Path, protocol: int) -> None:
    plain: Any = {1: ["a", 2.5, True, None], 2: (1, {"x"}, frozenset("y")), 3: 10**30}
    scalars = {4: np.int64(-7), 5: np.float32(0.5), 6: np.str_("ünï"), 7: np.bool_(True)}
    file = tmp_path / "plain.pkl"
    file.write_bytes(pickle.dumps(plain, protocol))
    assert read_plain_pickle(file) == plain
    if protocol > 2:  # before, bytes are called for
        file.write_bytes(pickle.dumps(scalars, protocol))
        read = read_plain_pickle(file)
        assert read == {4: -7, 5: 0.5, 6: "ünï", 7: True}
        assert {type(value) for value in read.values()} == {int, float, str, bool}
    file.write_bytes(pickle.dumps([Command()], protocol))
    with pytest.raises(UnsafePickleError, match=r"plain\.pkl: it holds"):
        read_plain_pickle(file)
    assert not Path("ran").exists()


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    base = read_processed_folder(write_base(tmp_path / "processed"))
    with pytest.raises(ServiceError, match="is there already"):
        write_import_files(base, tmp_path / "processed")
