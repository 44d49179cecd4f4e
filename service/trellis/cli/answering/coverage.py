"""Which gold queries of a file the Cypher language of the graph can say, measured and shown."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.markup import escape
from rich.table import Table

from trellis.cli.opening import open_graph
from trellis.cli.progress import show_progress
from trellis.cli.terminal import Terminal
from trellis.domain.errors import EmptyGraphError
from trellis.questions.row import QuestionRow
from trellis.settings import Settings

if TYPE_CHECKING:  # these take the driver, which a remote query does not need
    from trellis.evaluation.coverage import QueryCoverage

_MOST_REASONS = 12
_MOST_BYTES = 256 * 2**20  # of a query's rows


def measure_file(
    file: Path, out: Path, settings: Settings, rendering: Literal["brief", "cypher"]
) -> None:
    """Measure the gold queries of a file, write the report, and print the shares."""
    from trellis.evaluation.coverage import build_coverage_report, count_features, count_reasons
    from trellis.evaluation.report import write_report
    from trellis.evaluation.suite import read_gold_queries

    measured = asyncio.run(_measure_rows(read_gold_queries(file), settings, rendering))
    body = build_coverage_report(measured)
    write_report(body, out)
    console = Terminal(highlight=False)
    console.print(f"{body['sayable']:.1%} of {body['n']:,} gold queries can be said in {rendering}")
    if reasons := count_reasons(measured):
        console.print(_build_reasons_table(reasons))
    if features := count_features(measured):
        console.print(_build_features_table(features))


async def _measure_rows(
    rows: Sequence[QuestionRow], settings: Settings, rendering: Literal["brief", "cypher"]
) -> list[QueryCoverage]:
    from trellis.evaluation.coverage import COMPARED_ROWS, measure_coverage
    from trellis.graph.configuration import read_graph_config
    from trellis.graph.neo4j_graph import Neo4jGraph
    from trellis.wiring.assemble import build_queries

    wide = {"cypher_rows": COMPARED_ROWS, "cypher_bytes": _MOST_BYTES}
    measured = []
    async with open_graph(settings) as connection:
        schema = await Neo4jGraph(connection, read_graph_config(settings.graph_config)).schema()
        if not schema.labels:
            raise EmptyGraphError(f"the graph at {connection.uri} has no label", "load a graph")
        queries = build_queries(connection, settings.model_copy(update=wide))
        with show_progress() as report_progress:
            async for each in measure_coverage(rows, schema, queries, rendering):
                measured.append(each)
                report_progress("queries", len(measured), len(rows))
    return measured


def _build_reasons_table(reasons: Sequence[tuple[str, int]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("why not")
    table.add_column("queries", justify="right")
    for reason, count in reasons[:_MOST_REASONS]:
        table.add_row(escape(reason), f"{count:,}")
    if rest := reasons[_MOST_REASONS:]:
        table.add_row(f"… {len(rest):,} further reasons", f"{sum(count for _, count in rest):,}")
    return table


def _build_features_table(features: Mapping[str, tuple[int, int]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("feature")
    table.add_column("queries", justify="right")
    table.add_column("sayable", justify="right")
    for name, (count, sayable) in features.items():
        table.add_row(escape(name), f"{count:,}", f"{sayable / count:.1%}")
    return table
