"""The pages for people: every link between them leads somewhere, and every page can be found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_DROPPED = re.compile(r"[^\w\- ]")


def list_links(page: Path) -> list[str]:
    """The targets of a page's links, pictures included, without those to other hosts."""
    prose = _CODE.sub("", _FENCE.sub("", page.read_text(encoding="utf-8")))
    targets = [link or image for link, image in _LINK.findall(prose)]
    return [target for target in targets if "://" not in target]


def list_anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    prose = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return {
        _DROPPED.sub("", heading.strip().lower()).replace(" ", "-")
        for heading in _HEADING.findall(prose)
    }


def resolve_link(page: Path, target: str) -> tuple[Path, str]:
    """The file that a link leads to, and the anchor within it (empty: none)."""
    path, _, anchor = target.partition("#")
    return (page.parent / path).resolve() if path else page, anchor


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in list_links(page):
        file, anchor = resolve_link(page, target)
        assert file.exists(), f"{target} is not there"
        assert not anchor or anchor in list_anchors(file), f"{target} names no heading"


def test_every_page_is_found_from_the_readme() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        seen.add(page)
        linked = {resolve_link(page, target)[0] for target in list_links(page)}
        waiting += [file for file in linked - seen if file.suffix == ".md" and file.exists()]
    assert set(PAGES) <= seen


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    index = folder / "README.md"
    listed = {resolve_link(index, target)[0] for target in list_links(index)}
    assert set(folder.glob("[0-9]*.md")) <= listed
