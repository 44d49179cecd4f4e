"""`trellis bench` opens the laboratory of a checkout; an installed Trellis says where that is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import trellis
from trellis import cli

PACKAGE = Path(trellis.__file__).parent
START = "import sys; sys.argv[0] = 'trellis'; from trellis.cli import main; main()"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the modules of the package, and nothing else of the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    for file in PACKAGE.rglob("*.py"):
        copy = folder / "trellis" / file.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    return folder


def run_installed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", START, *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)


def test_a_checkout_opens_its_laboratory() -> None:
    cli._register_commands(["bench"])
    shown = CliRunner().invoke(cli.app, ["bench", "--help"], terminal_width=200)
    for word in ("--part", "gate", "scale", "--keep", "--load"):
        assert word in shown.output


@pytest.mark.parametrize("arguments", [(), ("--part", "gate"), ("--load", "http://127.0.0.1")])
def test_an_installed_trellis_says_where_the_benchmarks_are(
    installed: Path, arguments: tuple[str, ...]
) -> None:
    ended = run_installed(installed, "bench", *arguments)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("trellis: the benchmarks are not installed with trellis")
    assert "make bench" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_an_installed_trellis_still_explains_the_command(installed: Path) -> None:
    ended = run_installed(installed, "bench", "--help")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "in a checkout of the source alone" in " ".join(ended.stdout.split())
