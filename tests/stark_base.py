"""A small knowledge base in the layout of STaRK's processed folders, with questions about it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import torch

KINDS = ("disease", "gene/protein", "drug")
RELATIONS = ("indication", "side effect", "ppi")
FEVER = "Night fever is an illness of the marshes with shivering after dusk and yellow eyes."
RASH = "Reed rash is an itching of the skin that red dots on the elbows announce."
COUGH = "Mill cough is a dry bark of the lungs that bakers get from flour dust."
WILLOW = "Willowine is a bitter powder from bark that lowers the heat of the body."
MARSHOL = "Marshol is a green oil from reeds that calms burning and itching skin."
LUNGA = "Lunga is a syrup of honey and thyme that loosens phlegm of smokers."
TWINS = "A copy of some other thing of which nobody knows what it is good for."

NODES: dict[int, dict[str, Any]] = {
    0: {"id": "MO:1", "type": "disease", "name": "night fever", "details": {"summary": FEVER}},
    1: {"id": "MO:2", "type": "disease", "name": "reed rash", "details": {"summary": RASH}},
    2: {"id": "MO:3", "type": "disease", "name": "mill cough", "details": {"summary": COUGH}},
    3: {
        "id": "7",
        "type": "gene/protein",
        "name": "SHIV1",
        "details": {
            "name": "shivering factor",
            "alias": ["SH1", "SHV"],
            "genomic_pos": {"chr": "2", "strand": -1},
            "taxid": 9606,
            "_score": 17.5,
            "hgnc_id": "12",
            "weight": float("nan"),
        },
    },
    4: {"id": "8", "type": "gene/protein", "name": np.str_("ELB2"), "details": {}},
    5: {"id": "D1", "type": "drug", "name": "Willowine", "details": {"summary": WILLOW}},
    6: {"id": "D2", "type": "drug", "name": "Marshol", "details": {"summary": MARSHOL}},
    7: {"id": "D3", "type": "drug", "name": "Lunga", "details": {"summary": LUNGA}},
    8: {"id": "D4", "type": "drug", "name": "Twin", "details": {"summary": TWINS}},
    9: {"id": "D5", "type": "drug", "name": "Twin", "details": {"summary": TWINS[2:]}},
}
TYPES = (0, 0, 0, 1, 1, 2, 2, 2, 2, 2)
EDGES = (
    *((5, 0, 0), (6, 1, 0), (7, 2, 0), (8, 2, 0)),
    *((0, 5, 0), (1, 6, 0), (2, 7, 0), (2, 8, 0)),  # as PrimeKG has them: both ways
    *((5, 1, 1), (5, 1, 1)),
    *((3, 4, 2), (4, 3, 2)),
)

QUESTIONS = """id,query,answer_ids
4,"Which drug is a bitter powder from bark, that lowers the heat?",[5]
7,Which drug is a syrup of honey and thyme that loosens phlegm?,[7]
9,Which disease has red dots on the elbows?,"[1, 1]"
12,Which drug is a copy of some other thing of which nobody knows its good?,"[8]"
"""


def write_base(folder: Path, **changed: Any) -> Path:
    """Write a processed folder; `changed`: other contents of a file, or None for no file."""
    folder.mkdir(parents=True)
    files: dict[str, Any] = {
        "node_info": NODES,
        "node_type_dict": dict(enumerate(KINDS)),
        "edge_type_dict": dict(enumerate(RELATIONS)),
        "node_types": torch.tensor(TYPES),
        "edge_index": torch.tensor([edge[:2] for edge in EDGES]).T,
        "edge_types": torch.tensor([edge[2] for edge in EDGES]),
        **changed,
    }
    for name, content in files.items():
        if isinstance(content, torch.Tensor):
            torch.save(content, folder / f"{name}.pt")
        elif content is not None:
            (folder / f"{name}.pkl").write_bytes(pickle.dumps(content))
    return folder


def write_questions(folder: Path, text: str = QUESTIONS) -> Path:
    """Write a table of questions and its splits; gives the table."""
    for name, ids in (("val", "9"), ("test", "7\n4\n12\n")):
        (folder / "split").mkdir(parents=True, exist_ok=True)
        (folder / "split" / f"{name}.index").write_text(ids)
    table = folder / "stark_qa" / "stark_qa.csv"
    table.parent.mkdir()
    table.write_text(text)
    human = table.with_name("stark_qa_human_generated_eval.csv")
    human.write_text("id,query,answer_ids,answer_ids_source\n0,Who?,[1],[1]\n")
    return table
