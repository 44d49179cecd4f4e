"""`trellis train`: what is said of tasks that there are not."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from trellis.cli.train import train


@pytest.mark.parametrize("tasks", ["zorg", "path,zorg", "", ","])
def test_an_unknown_task_is_wrong_usage_and_the_tasks_are_listed(tasks: str) -> None:
    app = typer.Typer()
    app.command()(train)
    result = CliRunner().invoke(app, ["--task", tasks, "--out", "nowhere"])
    assert result.exit_code == 2
    assert all(task in result.output for task in ("path", "cypher", "rank", "all"))
