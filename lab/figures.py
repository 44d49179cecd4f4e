"""Writes the tables of pages from results: `python -m lab.figures`, or `make figures`.

A page has a region for each experiment that it shows:

    <!-- lab:NAME -->
    …
    <!-- lab end -->

README has a region of a few results side by side, `<!-- summary -->` (`lab/summary.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lab.plan import ROOT, read_experiment
from lab.results import RESULTS, read_results
from lab.summary import read_summary, write_summary
from lab.tables import order_results, write_region
from trellis.domain.errors import InputError

_SUMMARY = re.compile(r"<!-- summary -->\n.*?<!-- summary end -->", re.DOTALL)
_REGION = re.compile(r"<!-- lab:([\w-]+) -->\n.*?<!-- lab end -->", re.DOTALL)


def list_pages() -> list[Path]:
    """The pages that may show results."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def list_shown(page: Path) -> list[str]:
    """The experiments that a page shows, in its order."""
    return _REGION.findall(page.read_text(encoding="utf-8"))


def build_page(page: Path) -> str:
    """A page's text with all its regions written anew; InputError where one has no results."""
    text = page.read_text(encoding="utf-8")
    text = _REGION.sub(lambda region: _build_region(page, region[1]), text)
    return _SUMMARY.sub(lambda _: _build_summary(), text)


def _build_summary() -> str:
    return f"<!-- summary -->\n{write_summary(read_summary())}\n<!-- summary end -->"


def _build_region(page: Path, name: str) -> str:
    experiment = read_experiment(name)
    results = order_results(experiment, read_results(RESULTS / f"{name}.jsonl"))
    if not results:
        raise InputError(
            f"{page.name} shows {name}, which has no results", f"run `make lab EXPERIMENT={name}`"
        )
    return f"<!-- lab:{name} -->\n{write_region(experiment, results)}\n<!-- lab end -->"


def write_pages() -> Iterator[Path]:
    """Write all regions of all pages; iterates over the pages that changed."""
    for page in list_pages():
        text = build_page(page)
        if text != page.read_text(encoding="utf-8"):
            page.write_text(text, encoding="utf-8")
            yield page


if __name__ == "__main__":
    for changed in write_pages():
        print(changed.relative_to(ROOT))
