"""The command `trellis bench`: a table of our figures beside those of the reference code."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bench.parts import Part, measure_part
from trellis.cli.terminal import Terminal, echo

if TYPE_CHECKING:
    from bench.load import AskedGraph

_EDGES = (10_000, 500_000)
"""Sizes of graphs for patterns; 5,000,000 is what the reference was measured on."""


_NODES = (100_000, 1_000_000)
"""Sizes of graphs for scale; 10,000,000 takes hours."""


def bench(
    part: Annotated[list[Part] | None, typer.Option(help="Only this; may be repeated.")] = None,
    edges: Annotated[
        list[int] | None,
        typer.Option(min=100, help="With gsd: relationships of its graph; may be repeated."),
    ] = None,
    nodes: Annotated[
        list[int] | None,
        typer.Option(min=1_000, help="With scale: nodes of its graph; may be repeated."),
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="With scale: folder of the table and the picture.")
    ] = None,
    load: Annotated[
        str | None, typer.Option(help="Ask a service at this loopback address instead.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="With --load: for how long.")] = 60,
    clients: Annotated[int, typer.Option(min=1, help="With --load: how many at once.")] = 32,
    questions: Annotated[
        list[Path] | None,
        typer.Option(help="With --load: a suite to ask; unset: the demo's questions."),
    ] = None,
    graph: Annotated[
        list[str] | None,
        typer.Option(help="With --load: a graph to ask; repeated with --questions, in one order."),
    ] = None,
) -> None:
    """Measure the parts by themselves, beside the reference's figures; or a service under load."""
    from rich.table import Table

    from bench.scale.sizes import measure_scale
    from trellis.cli.operation.children import end_children_on_signals
    from trellis.settings import Settings

    if load is not None:
        key = Settings().key.get_secret_value()
        _measure_under_load(load, seconds, clients, _list_asked(graph or [], questions or []), key)
        return
    end_children_on_signals(exit_status=128 + signal.SIGTERM)
    settings = Settings()
    table = Table("what", "ours", "reference, 2 cores", "ratio")
    watcher = Terminal(stderr=True)
    try:
        with watcher.status("measuring") as status:
            for chosen in part or list(Part):
                for figure in (
                    measure_scale(nodes or _NODES, keep)
                    if chosen is Part.scale
                    else measure_part(chosen, settings, edges or _EDGES)
                ):
                    table.add_row(figure.name, figure.ours, figure.reference, figure.ratio)
                    status.update(f"measuring {chosen}: {figure.name}")
                    if not watcher.is_terminal:
                        echo(f"{chosen}: {figure.name}: {figure.ours}", err=True)
    finally:  # figures of other parts are shown even if a part fails
        Terminal().print(table)
    if not settings.data.is_dir():
        echo(f"no benchmark data at {settings.data}: synthetic graphs only", err=True)


def _list_asked(graphs: Sequence[str], suites: Sequence[Path]) -> list[AskedGraph]:
    """Each graph with the questions of its suite; without suites, all with the demo's."""
    from bench.load import AskedGraph
    from trellis.cli.operation.demo import read_demo_questions
    from trellis.evaluation.suite import read_suite

    names: list[str | None] = [*graphs] or [None]
    texts = [[row.question for row in read_suite(suite)] for suite in suites]
    texts = texts or [read_demo_questions()] * len(names)
    if len(texts) != len(names):
        raise typer.BadParameter(
            f"{len(suites)} suites for {len(names)} graphs", param_hint="--questions"
        )
    return list(map(AskedGraph, texts, names))


def _measure_under_load(
    url: str, seconds: float, clients: int, graphs: Sequence[AskedGraph], key: str
) -> None:
    """Ask questions of a service under load, and print the figures."""
    from bench.load import measure_load

    load = asyncio.run(measure_load(url, seconds, clients, graphs, key))
    figures = load.format_figures()
    for name, value in figures.items():
        echo(f"{name:16} {value}")
