"""A folder's `__init__.py` names all its modules, and nothing else; a class is told by its name."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
ROOTS = (CHECKOUT / "service" / "trellis", CHECKOUT / "bench", CHECKOUT / "lab")
FILES = sorted(file for root in ROOTS for file in root.rglob("*.py"))

_ENTRY = re.compile(r"^    (\w+)  +\S", re.MULTILINE)


def list_packages() -> list[Path]:
    return [file.parent for file in FILES if file.name == "__init__.py"]


def list_modules(folder: Path) -> set[str]:
    """The modules and packages that stand in a folder."""
    modules = {file.stem for file in folder.glob("*.py") if not file.stem.startswith("__")}
    return modules | {file.parent.name for file in folder.glob("*/__init__.py")}


def read_docstring(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""


@pytest.mark.parametrize(
    "folder", list_packages(), ids=lambda folder: str(folder.relative_to(CHECKOUT))
)
def test_a_package_names_all_its_modules_and_no_other(folder: Path) -> None:
    named = _ENTRY.findall(read_docstring(folder / "__init__.py"))
    assert len(named) == len(set(named))
    assert set(named) == list_modules(folder)


def test_no_folder_but_the_root_has_more_than_twenty_siblings() -> None:
    counts = {folder: len(list_modules(folder)) for folder in list_packages()}
    assert {folder: count for folder, count in counts.items() if count > 20}.keys() <= {ROOTS[0]}


@pytest.mark.slow
def test_every_module_has_a_docstring() -> None:
    silent = [file for file in FILES if not read_docstring(file)]
    assert not silent


@pytest.mark.slow
def test_no_two_public_classes_share_a_name() -> None:
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in FILES)
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    counts = Counter(node.name for node in nodes if not node.name.startswith("_"))
    assert [name for name, count in counts.items() if count > 1] == []
