"""How a path is read: where it begins and what it goes along, in plain English."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import PathQuery, RelationPath, Step
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
        ([path("1", "IN_COUNTRY", "HAS_CAPITAL")], "the capital of the country that Mombasa is in"),
        ([path("2", "HAS_CAPITAL")], "the capital of France"),
        ([path("2", "USES_CURRENCY")], "the currency that France uses"),
        ([path("2", "BORDERS")], "what France borders"),
        ([path("2", "HAS_COAST_ON")], "what France has coast on"),
        ([path("2", "directed_by")], "what France is directed by"),
        ([path("2", "^FLOWS_THROUGH")], "what flows through France"),
        ([path("2", "^IN_COUNTRY")], "what is in country France"),
        ([path("2", "^FALLS_ON_RIVER")], "what falls on river France"),
        ([path("2", "^USES_CURRENCY")], "what uses France as currency"),
        ([path("2", "^HAS_CAPITAL")], "what has France as capital"),
        ([path("2", "^capital")], "what France is the capital of"),
        ([path("2", "^BORDERS", "HAS_CAPITAL")], "the capital of what borders France"),
        (
            [path("2", "^BORDERS", "IN_CONTINENT")],
            "what borders France, and the continent that each is in",
        ),
        (
            [path("2", "IN_CONTINENT", "^IN_CONTINENT")],
            "what is in the continent that France is in",
        ),
        ([path("2", "^BORDERS"), path("3", "^BORDERS")], "what borders both France and Italy"),
        (
            [path("2", "capital"), path("3", "^BORDERS")],
            "what is both the capital of France and what borders Italy",
        ),
        (
            [path(each, "BORDERS") for each in "123"],
            "what all of Mombasa, France and Italy border",
        ),
        (
            [path("1", "IN_COUNTRY", "HAS_CAPITAL", nodes=(("4", "5"), ("9",)))],
            "the capital of the country that Mombasa is in (Kenya or Kenia)",
        ),
        ([path("1")], "Mombasa"),
        ([path("6", "BORDERS")], 'what "out, then in" borders'),
    ],
)
def test_a_path_is_said_in_plain_english(paths: list[RelationPath], reading: str) -> None:
    assert describe_paths([PathQuery(tuple(paths))], NAMES) == reading


def test_all_meanings_of_a_sentence_are_said() -> None:
    meanings = [PathQuery((path(anchor, "BORDERS"),)) for anchor in ("2", "3", "2")]
    assert describe_paths(meanings, NAMES) == "what France borders, or what Italy borders"
