"""`trellis cypher`: runs the user's own query behind the gate, or measures a file of them."""

from __future__ import annotations

import asyncio
import json as encoding
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.table import Table

from trellis.cli.answering.asking import build_client
from trellis.cli.answering.coverage import measure_file
from trellis.cli.opening import open_graph
from trellis.cli.options import UrlOption
from trellis.cli.terminal import Terminal, echo, echo_json
from trellis.domain.structures.cypher import CypherQuery
from trellis.graphs_file import read_settings, select_graph
from trellis.settings import Settings
from trellis.wire.cypher import ExplanationBody, RowsBody


def cypher(
    query: Annotated[str | None, typer.Argument(help="One query that only reads.")] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(help="name=value, the value as JSON, else as text; repeatable."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Only say whether it may run, and its plan.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print what the API answers, for scripts.")
    ] = False,
    url: UrlOption = None,
    coverage: Annotated[
        Path | None,
        typer.Option(help="Measure which gold queries of this file models can say; with --out."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Where the report of --coverage goes.")
    ] = None,
    rendering: Annotated[
        Literal["brief", "cypher"],
        typer.Option(help="The rendering of the language that --coverage measures."),
    ] = "brief",
) -> None:
    """Run a Cypher query that only reads, and is cheap enough.

    With --coverage, measure instead which gold queries of a file the language of queries can say:
    JSON lines of {"id", "cypher", "params"?}, .gz accepted.
    """
    if query is not None and coverage is None and out is None:
        run_query(query, param or (), explain, json, url)
    elif coverage is None:
        raise typer.BadParameter("give one query, or --coverage FILE --out REPORT")
    elif query is not None or param or explain or json or url is not None:
        raise typer.BadParameter("it goes with --out alone", param_hint="--coverage")
    elif out is None:
        raise typer.BadParameter("name the report by --out", param_hint="--coverage")
    else:
        measure_file(coverage, out, read_settings(), rendering)


def run_query(query: str, param: Sequence[str], explain: bool, json: bool, url: str | None) -> None:
    """Run or explain one query, in a service or in this process, and print what comes back."""
    params = dict(map(_parse_param, param))
    settings = Settings()
    ask = _ask_service if url or settings.url else _ask_in_process
    address = url or settings.url or ""
    answer = asyncio.run(ask(CypherQuery(query, params), explain, settings, address))
    if json:
        echo_json(answer.model_dump_json(exclude_none=True, indent=1))
    elif isinstance(answer, ExplanationBody):
        _show_verdict(answer)
    else:
        _show_rows(answer)


async def _ask_service(
    query: CypherQuery, explain: bool, settings: Settings, address: str
) -> ExplanationBody | RowsBody:
    async with build_client(settings, address) as client:
        if explain:
            return await client.explain_query(query.text, query.params)
        return await client.run_query(query.text, query.params)


async def _ask_in_process(
    query: CypherQuery, explain: bool, settings: Settings, _: str
) -> ExplanationBody | RowsBody:
    chosen = select_graph(settings)
    async with open_graph(chosen) as connection:
        from trellis.wiring.assemble import build_queries  # a remote query does not need it

        queries = build_queries(connection, chosen)
        if explain:
            return ExplanationBody.of(await queries.explain(query))
        return RowsBody.of(await queries.run(query))


def _parse_param(option: str) -> tuple[str, Any]:
    name, equals, value = option.partition("=")
    if not name or not equals:
        raise typer.BadParameter(f"{option!r} is not name=value", param_hint="--param")
    try:
        return name, encoding.loads(value)
    except ValueError:
        return name, value


def _show_verdict(verdict: ExplanationBody) -> None:
    echo("allowed" if verdict.allowed else f"refused: {verdict.reason}; {verdict.remedy}")
    if verdict.plan:
        echo(f"rows   {verdict.estimated_rows:,.0f} estimated, of any operator at most")
        echo(f"plan   {' ← '.join(verdict.plan.operators)}")


def _show_rows(result: RowsBody) -> None:
    table = Table(*map(escape, result.columns), highlight=False)
    for row in result.rows:
        table.add_row(*(escape(_format_cell(value)) for value in row))
    Terminal(highlight=False).print(table)
    if result.cut:
        echo(f"cut: there are more than {result.cut}", err=True)


def _format_cell(value: Any) -> str:
    """The text of a value: a node's name, a relationship or path as triples, all else as JSON."""
    if isinstance(value, dict) and value.keys() >= {"id", "name", "labels"}:
        return str(value["name"])
    if isinstance(value, dict) and value.keys() >= {"head", "relation", "tail"}:
        return f"{value['head']['name']} -{value['relation']}-> {value['tail']['name']}"
    if isinstance(value, dict) and value.keys() == {"nodes", "triples"}:
        return "; ".join(
            f"{head} -{relation}-> {tail}" for head, relation, tail in value["triples"]
        )
    return value if isinstance(value, str) else encoding.dumps(value, ensure_ascii=False)
