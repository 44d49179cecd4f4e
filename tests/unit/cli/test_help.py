"""Every command explains itself by examples, and these and those of the pages can be given."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from trellis import __version__, cli
from trellis_command import TRELLIS

EXAMPLES = [example for examples in cli.COMMANDS.values() for example in examples]
ROOT = Path(__file__).parents[3]

_FENCE = re.compile(r"^```$(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^(?:\w+=\S+ )*(trellis .+)$", re.MULTILINE)


def list_page_commands() -> list[str]:
    """Every `trellis …` line in the code blocks of README.md and docs/."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    blocks = [block for page in pages for block in _FENCE.findall(page.read_text("utf-8"))]
    return list(dict.fromkeys(line for block in blocks for line in _COMMAND.findall(block)))


def split_command(line: str) -> list[str]:
    """The words of a command, without a comment and what a shell does with it."""
    return list(takewhile(lambda word: word not in ("|", "&"), shlex.split(line, comments=True)))


@pytest.fixture(scope="module")
def app() -> typer.Typer:
    cli._register_commands([])
    return cli.app


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_shows_what_the_command_does_and_its_examples(app: typer.Typer, name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"], terminal_width=200)
    assert shown.exit_code == 0
    for example in cli.COMMANDS[name]:
        assert example in shown.output


def run_python(code: str, *arguments: str) -> str:
    """What a Python of its own prints."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_no_command_imports_what_runs_models_before_it_works() -> None:
    heavy = "{'torch', 'transformers', 'sentence_transformers', 'openai', 'ray', 'vllm'}"
    code = f"""
import sys
from trellis import cli
cli._register_commands([])
print({heavy} & {{*sys.modules}})
"""
    assert run_python(code) == "set()\n"


MAIN_AND_MODULES = """
import atexit, sys
from trellis.cli import main
atexit.register(lambda: print(sorted(it for it in sys.modules if 'trellis.cli.' in it)))
main()
"""


def test_the_list_of_commands_says_what_each_does_and_imports_none() -> None:
    shown = run_python(MAIN_AND_MODULES, "--help")
    assert shown.endswith("['trellis.cli.terminal']\n")
    for name in cli.COMMANDS:
        assert re.search(rf"^\W*{name} +[A-Z]", shown, re.MULTILINE), name


def test_the_version_is_told_without_any_command() -> None:
    told = f"trellis {__version__}\n['trellis.cli.terminal']\n"
    for option in ("--version", "-V"):
        assert run_python(MAIN_AND_MODULES, option) == told


def complete(line: str) -> list[str]:
    """What bash is offered for the last word of a line."""
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    environment = {**os.environ, **asked, "_TRELLIS_COMPLETE": "complete_bash"}
    done = subprocess.run([TRELLIS], env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.slow
def test_a_shell_completes_commands_and_their_options() -> None:
    assert complete("trellis ver") == ["verify"]
    assert {"ask", "serve", "load"} <= {*complete("trellis ")}
    assert {"--steps", "--quiet"} <= {*complete("trellis ask --")}
    assert complete("trellis ask --ste") == ["--steps"]


def test_the_groups_of_commands_have_each_command_once() -> None:
    grouped = [name for _, names in cli._GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(cli.COMMANDS)


def test_options_are_grouped_in_the_help(app: typer.Typer) -> None:
    shown = CliRunner().invoke(app, ["ask", "--help"], terminal_width=100).output
    assert shown.index("How it is answered") < shown.index("--method")
    assert shown.index("Output") < shown.index("--quiet")


@pytest.mark.parametrize("example", [*EXAMPLES, *list_page_commands()])
def test_every_example_is_one_that_its_command_takes(app: typer.Typer, example: str) -> None:
    program, name, *arguments = split_command(example)
    assert program == "trellis"
    command = get_command(app).commands[name]  # type: ignore[attr-defined]
    command.make_context(name, list(arguments)).close()
