"""What README.md and docs/ show is what the code and the bundled graph say."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from trellis.settings import Settings, write_settings_table

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SETTINGS = ROOT / "docs" / "settings.md"
ATLAS = ROOT / "service" / "trellis" / "demo" / "atlas"

_STEP = re.compile(r"(?: (<?)-(\w+)-(>?) )")


def read_between(page: Path, mark: str) -> str:
    """What stands between the marks `mark:begin` and `mark:end` of a page."""
    text = page.read_text(encoding="utf-8")
    return text.split(f"<!-- {mark}:begin -->\n")[1].split(f"\n<!-- {mark}:end -->")[0]


def read_column(file: Path, *columns: str) -> list[tuple[str, ...]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return [tuple(row[column] for column in columns) for row in csv.DictReader(opened)]


def test_the_settings_table_is_generated_from_the_class() -> None:
    assert read_between(SETTINGS, "settings") == write_settings_table(), "run `make docs`"


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_the_questions_of_the_sample_are_among_those_of_the_demo() -> None:
    lines = (ATLAS / "demo.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines]
    shown = [line for line in read_between(README, "sample").splitlines() if line.endswith("?")]
    assert shown
    assert set(shown) <= set(asked)


def test_the_picture_of_the_page_is_a_small_file() -> None:
    assert "(docs/page.png)" in README.read_text(encoding="utf-8")
    assert (ROOT / "docs" / "page.png").stat().st_size < 150_000


def test_every_relationship_of_the_sample_is_in_the_bundled_graph() -> None:
    names = {
        id: name
        for file in ATLAS.glob("*.nodes.*.csv")
        for id, name in read_column(file, ":ID", "name")
    }
    paths = [line.strip() for line in read_between(README, "sample").splitlines() if "->" in line]
    assert paths
    for path in paths:
        head, *steps = _STEP.split(path)
        for left, relation, _, tail in zip(*[iter(steps)] * 4, strict=True):
            start, end = (tail, head) if left else (head, tail)
            file = ATLAS / f"atlas.relationships.{relation}.csv"
            pairs = [
                (names[one], names[other])
                for one, other in read_column(file, ":START_ID", ":END_ID")
            ]
            assert (start, end) in pairs
            head = tail
