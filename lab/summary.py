"""README's table: a few results side by side, and beside each the best that was published."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lab.plan import ROOT
from lab.results import RESULTS, Result, read_results
from lab.tables import write_table
from trellis.domain.errors import InputError

SUMMARY = ROOT / "lab" / "summary.toml"


class SummaryRow(BaseModel):
    """A result that the table shows. `says`: the suite and the model, for somebody who knows
    neither; `published`: the best figure that was published, and of what; empty where there is
    none."""

    model_config = ConfigDict(extra="forbid")

    experiment: str
    suite: str
    way: str
    says: str
    published: str = ""


def read_summary(path: Path = SUMMARY) -> list[SummaryRow]:
    """The rows of a file."""
    return [SummaryRow(**row) for row in tomllib.loads(path.read_text(encoding="utf-8"))["row"]]


def write_summary(rows: list[SummaryRow], results: Path = RESULTS) -> str:
    """The table; InputError where a row has no result."""
    return write_table([_describe_row(row, _find_result(row, results)) for row in rows])


def _find_result(row: SummaryRow, results: Path) -> Result:
    for result in read_results(results / f"{row.experiment}.jsonl"):
        if (result["suite"], result["way"]) == (row.suite, row.way):
            return result
    raise InputError(
        f"there is no result of {row.suite}, {row.way}",
        f"run `make lab EXPERIMENT={row.experiment}`, or change lab/summary.toml",
    )


def _describe_row(row: SummaryRow, result: Result) -> dict[str, str]:
    figures = result["figures"]
    right = f"{100 * figures['right'] / figures['n']:.0f} % of {figures['n']}"
    return {
        "questions and model": row.says,
        "right": right,
        "wrong": str(figures["wrong"]),
        "held back": str(figures["held"]),
        "best published": row.published,
        "seconds": f"{figures['p50']:.2f}",
    }
