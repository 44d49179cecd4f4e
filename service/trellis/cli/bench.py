"""`trellis bench`: the benchmark's table, ours beside the reference's figures."""

from __future__ import annotations

import typer


def bench() -> None:
    """Measure the core without a model, decoding with small models, and the procedures.

    Example: trellis bench
    """
    from rich.console import Console
    from rich.table import Table

    from trellis.engines.folder import read_vocabulary
    from trellis.evaluation.benchmark import tries
    from trellis.settings import BUNDLED_MODEL, Settings

    settings = Settings()
    table = Table("what", "ours", "reference, 2 cores", "ratio")
    with Console(stderr=True).status("measuring"):
        for figure in tries.figures(settings.data, read_vocabulary(BUNDLED_MODEL)):
            table.add_row(figure.what, figure.ours, figure.reference, figure.ratio)
    Console().print(table)
    if not settings.data.is_dir():
        typer.echo(f"no benchmark data at {settings.data}: synthetic graphs only", err=True)
