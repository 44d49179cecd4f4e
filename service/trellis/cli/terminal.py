"""Where all text of commands leaves for a terminal: no name of a graph acts there.

No other module here makes a console or writes to standard output or error.
"""

from __future__ import annotations

import logging
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from trellis.domain.printable import escape_controls, escape_controls_in_lines, escape_json


class Terminal(Console):
    """A console that shows each text and each cell of a table on the lines it was given, with
    control characters as escapes; its own colours are all that acts."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(escape_controls(text), **{**options, "emoji": False})


def echo(line: object, err: bool = False) -> None:
    """Print one line."""
    typer.echo(escape_controls(str(line)), err=err)


def echo_json(text: str) -> None:
    """Print JSON, which says the same without control characters."""
    typer.echo(escape_json(text))


def echo_csv(text: str) -> None:
    """Print CSV; of what acts its cells may hold newlines."""
    lines = text.split("\r\n")
    typer.echo("\r\n".join(map(escape_controls_in_lines, lines)), nl=False)


class LineFormatter(logging.Formatter):
    """Writes a log record of a command that has no log of its own: one line."""

    def format(self, record: logging.LogRecord) -> str:
        return escape_controls(super().format(record))
