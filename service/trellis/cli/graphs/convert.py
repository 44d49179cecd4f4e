"""`trellis convert`: a knowledge base of STaRK as a folder of CSV files for `trellis load`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trellis.cli.terminal import echo
from trellis.graph.stark.import_files import write_import_files
from trellis.graph.stark.processed_folder import read_processed_folder


def convert(
    folder: Annotated[Path, typer.Argument(help="Processed folder of a STaRK knowledge base.")],
    out: Annotated[Path, typer.Option(help="Folder of the CSV files; it is made.")],
) -> None:
    """Write a STaRK knowledge base as graph files; the numbers of its nodes become their ids."""
    written = write_import_files(read_processed_folder(folder), out)
    echo(
        f"wrote {written.nodes:,} nodes and {written.relationships:,} relationships; next: "
        f"trellis load {out}"
    )
