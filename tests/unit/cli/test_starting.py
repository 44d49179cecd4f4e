"""`trellis worker`, `trellis serve` and `trellis train` before their work begins."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from trellis.cli.models.train import train
from trellis.cli.operation.worker import find_python
from trellis.domain.errors import ServiceError
from trellis.worker.__main__ import main
from trellis_command import TRELLIS, build_environment


def test_the_workers_python_is_the_one_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRELLIS_WORKER_PYTHON", sys.executable)
    assert find_python() == Path(sys.executable)


def test_a_missing_environment_says_how_to_make_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRELLIS_WORKER_PYTHON", str(tmp_path / "python"))
    with pytest.raises(ServiceError, match="make worker"):
        find_python()


def test_a_folder_without_a_model_is_refused_before_anything_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--model", str(tmp_path / "none"), "--cache", str(tmp_path)]) == 1
    assert "no model folder" in capsys.readouterr().err


@pytest.mark.slow
def test_a_store_that_cannot_be_used_is_said_in_one_line(tmp_path: Path) -> None:
    chosen = {"TRELLIS_STORE_URL": "nonsense", "TRELLIS_NEO4J_URI": "bolt://127.0.0.1:1"}
    done = subprocess.run(
        [TRELLIS, "serve", "--port", "0", "--model", tmp_path / "none"],
        cwd=tmp_path,
        env={**build_environment(), **chosen},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "trellis: the store's address cannot be used (it is no address of a database); "
        "check TRELLIS_STORE_URL and run `trellis migrate`"
    )


@pytest.mark.parametrize("tasks", ["zorg", "path,zorg", "", ","])
def test_an_unknown_task_is_wrong_usage_and_the_tasks_are_listed(tasks: str) -> None:
    app = typer.Typer()
    app.command()(train)
    result = CliRunner().invoke(app, ["--task", tasks, "--out", "nowhere"])
    assert result.exit_code == 2
    assert all(task in result.output for task in ("path", "cypher", "rank", "all"))
