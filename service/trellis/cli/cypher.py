"""`trellis cypher`: runs the user's own query behind the gate."""

from __future__ import annotations

import asyncio
import json as encoding
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from trellis.cli.ask import UrlOption
from trellis.client import Client
from trellis.domain.cypher import CypherQuery
from trellis.settings import Settings
from trellis.wire.cypher import Explained, Ran

_ATTEMPTS = 2


def cypher(
    query: Annotated[str, typer.Argument(help="One query that only reads.")],
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
) -> None:
    """Run a Cypher query that only reads, and is cheap enough."""
    params = dict(map(_named, param or ()))
    settings = Settings()
    ask = _of_service if url or settings.url else _here
    address = url or settings.url or ""
    answer = asyncio.run(ask(CypherQuery(query, params), explain, settings, address))
    if json:
        typer.echo(answer.model_dump_json(exclude_none=True, indent=1))
    elif isinstance(answer, Explained):
        _show_verdict(answer)
    else:
        _show_rows(answer)


async def _of_service(
    query: CypherQuery, explain: bool, _: Settings, address: str
) -> Explained | Ran:
    async with Client(address, attempts=_ATTEMPTS) as client:
        if explain:
            return await client.explain(query.text, query.params)
        return await client.cypher(query.text, query.params)


async def _here(query: CypherQuery, explain: bool, settings: Settings, _: str) -> Explained | Ran:
    from trellis.graph.connection import GraphConnection  # a remote query needs no driver
    from trellis.wiring import neo4j_queries

    async with GraphConnection(settings) as connection:
        queries = neo4j_queries(connection, settings)
        if explain:
            return Explained.of(await queries.explain(query))
        return Ran.of(await queries.run(query))


def _named(given: str) -> tuple[str, Any]:
    name, equals, value = given.partition("=")
    if not name or not equals:
        raise typer.BadParameter(f"{given!r} is not name=value", param_hint="--param")
    try:
        return name, encoding.loads(value)
    except ValueError:
        return name, value


def _show_verdict(verdict: Explained) -> None:
    typer.echo("allowed" if verdict.allowed else f"refused: {verdict.reason}; {verdict.remedy}")
    if verdict.plan:
        typer.echo(f"rows   {verdict.estimated_rows:,.0f} estimated, of any operator at most")
        typer.echo(f"plan   {' ← '.join(verdict.plan.operators)}")


def _show_rows(ran: Ran) -> None:
    table = Table(*map(escape, ran.columns), highlight=False)
    for row in ran.rows:
        table.add_row(*(escape(_cell(value)) for value in row))
    Console(highlight=False).print(table)
    if ran.cut:
        typer.echo(f"cut: there are more than {ran.cut}", err=True)


def _cell(value: Any) -> str:
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
