"""How a path is read: where it begins and what it goes along, in plain English."""

from __future__ import annotations

import pytest

from trellis.domain.graph import PathQuery, RelationPath, Step
from trellis.steps.describe.describe_path import describe_paths

NAMES = {
    "1": "Mombasa",
    "2": "France",
    "3": "Italy",
    "4": "Kenya",
    "5": "Kenia",
    "6": "out, then in",
}


def path(anchor: str, *steps: str, nodes: tuple[tuple[str, ...], ...] = ()) -> RelationPath:
    return RelationPath((anchor,), tuple(map(Step.parse, steps)), nodes)


@pytest.mark.parametrize(
    ("paths", "reading"),
    [
        ([path("1", "IN_COUNTRY", "HAS_CAPITAL")], "from Mombasa: in country, then has capital"),
        ([path("2", "^FLOWS_THROUGH")], "from France: what flows through it"),
        ([path("2", "^IN_COUNTRY")], "from France: what is in it as country"),
        ([path("2", "^HAS_CAPITAL")], "from France: what has it as capital"),
        ([path("2", "^capital")], "from France: what it is the capital of"),
        (
            [path("2", "BORDERS"), path("3", "BORDERS")],
            "what both reach: from France: borders; from Italy: borders",
        ),
        (
            [path("1", "IN_COUNTRY", "HAS_CAPITAL", nodes=(("4", "5"), ("9",)))],
            "from Mombasa: in country (Kenya or Kenia), then has capital",
        ),
        ([path("1")], "from Mombasa: itself"),
        ([path("6", "BORDERS")], 'from "out, then in": borders'),
    ],
)
def test_a_path_is_said_in_plain_english(paths: list[RelationPath], reading: str) -> None:
    assert describe_paths([PathQuery(tuple(paths))], NAMES) == reading


def test_all_meanings_of_a_sentence_are_said() -> None:
    meanings = [PathQuery((path(anchor, "BORDERS"),)) for anchor in ("2", "3", "2")]
    assert describe_paths(meanings, NAMES) == "from France: borders, or from Italy: borders"
