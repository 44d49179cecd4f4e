"""The `trellis` command: one file a command, nothing but talk to the user.

Exit codes: 0 done, 1 an error of the user's or the world's (one line on stderr), 2 wrong usage.
"""

from __future__ import annotations

import importlib
import logging
import os
import sys
from collections.abc import Sequence

import typer

from trellis.domain.errors import TrellisError

COMMANDS = (
    "ask",
    "serve",
    "neo4j",
    "load",
    "index",
    "train",
    "evaluate",
    "migrate",
    "demo",
    "bench",
)

app = typer.Typer(
    name="trellis",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def trellis() -> None:
    """Questions in plain language over a Neo4j graph; every answer carries its facts."""


def _register(asked: Sequence[str]) -> None:
    """Every command is the function of its own name in the file of its own name.

    Only the command that was asked for is imported, or all where none was (help, mistakes).
    """
    known = [name for name in asked[:1] if name in COMMANDS]
    for name in known or COMMANDS:
        module = importlib.import_module(f"trellis.cli.{name}")
        app.command(name)(getattr(module, name))


def main() -> None:
    """Run the command line; errors of ours end in one line on stderr and exit code 1."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    _register(sys.argv[1:])
    try:
        app()
    except TrellisError as error:
        print(f"trellis: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("trellis: stopped", file=sys.stderr)
        sys.exit(130)
