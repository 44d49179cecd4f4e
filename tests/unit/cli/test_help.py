"""Every command explains itself by examples that the command line takes."""

from __future__ import annotations

import shlex

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from trellis import cli

EXAMPLES = [example for examples in cli.COMMANDS.values() for example in examples]


@pytest.fixture(scope="module")
def app() -> typer.Typer:
    cli._register([])
    return cli.app


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_shows_what_the_command_does_and_its_examples(app: typer.Typer, name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"], terminal_width=200)
    assert shown.exit_code == 0
    for example in cli.COMMANDS[name]:
        assert example in shown.output


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_one_that_its_command_takes(app: typer.Typer, example: str) -> None:
    program, name, *arguments = shlex.split(example)
    assert program == "trellis"
    command = get_command(app).commands[name]  # type: ignore[attr-defined]
    command.make_context(name, list(arguments)).close()
