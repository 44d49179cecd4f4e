"""Tools for agents, as a server of the Model Context Protocol over a client of the service.

The same server speaks over stdio (`trellis mcp`) and over HTTP (`/mcp`). Needs the extra `mcp`, and
is imported by nothing but these two.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from trellis import __version__
from trellis.client.agent_schema import AgentSchema, build_agent_schema
from trellis.client.client import Client
from trellis.domain.errors import TrellisError
from trellis.wire.answer_text import write_answer_text
from trellis.wire.asked import TurnBody
from trellis.wire.bodies import ReplyBody
from trellis.wire.evidence import StatementBody, TripleBody
from trellis.wire.tables import AnswerTable

OpenClient = Callable[[Context[Any, Any]], AbstractAsyncContextManager[Client]]
"""Opens the client for one call of a tool."""

_ABOUT = (
    "Questions in plain language over a graph. Every answer comes from the graph, with the facts "
    "it stands on; where it abstains, nothing is claimed."
)
_MOST_ROWS = 200  # what an agent can still read
_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)

Question = Annotated[str, Field(description="One question in plain English.")]
Names = Annotated[
    list[str], Field(min_length=1, max_length=20, description="Names as they stand in the graph.")
]
Kinds = Annotated[
    list[str] | None,
    Field(max_length=50, description="Only these labels and relationship types."),
]
Earlier = Annotated[
    list[TurnBody] | None,
    Field(max_length=50, description="Earlier questions that this one refers to, oldest first."),
]


class AgentAnswer(BaseModel):
    """An answer, as an agent reads it."""

    text: str = Field(description="The answer with its facts as footnotes.")
    abstained: bool = Field(description="True: nothing is claimed.")
    answers: list[str]
    columns: list[str] | None = Field(
        None, description="Where it says several things of each answer: what a row holds."
    )
    rows: list[list[Any]] | None = Field(
        None, description="The first rows; what JSON lacks is an object with a `type`."
    )
    row_count: int | None = Field(None, description="How many rows there are in all.")
    total: int | None = Field(None, description="How many answers there are, of a cut list.")
    evidence: list[StatementBody] = Field(
        description="Facts: head, relation, tail, or node, property, value."
    )
    confidence: float
    reading: str = Field(description="How the question was understood.")
    asked: str | None = Field(None, description="The whole question, of one that refers to others.")
    cypher: str | None = Field(None, description="The query that was run, where one was.")
    id: str = Field(description="The service keeps the whole answer under it.")

    @classmethod
    def of(cls, reply: ReplyBody) -> AgentAnswer:
        table = AnswerTable.of(reply)
        return cls(
            text=write_answer_text(reply),
            abstained=reply.abstained,
            answers=[answer.name for answer in reply.answers],
            columns=[*table.columns] if table else None,
            rows=[[*row] for row in table.rows[:_MOST_ROWS]] if table else None,
            row_count=table.row_count if table else None,
            total=reply.total,
            evidence=reply.evidence,
            confidence=reply.confidence,
            reading=reply.reading,
            asked=reply.asked,
            cypher=reply.cypher,
            id=reply.id,
        )


class AgentEntity(BaseModel):
    """A node that a name in a text may stand for."""

    mention: str
    name: str
    labels: list[str]
    id: str
    score: float


class AgentEntities(BaseModel):
    """The nodes that the names in a text may stand for, best first for each."""

    entities: list[AgentEntity]


class AgentFacts(BaseModel):
    """Facts around some names; `cut`: there are more."""

    paths: list[str]
    evidence: list[TripleBody]
    cut: bool


class AgentRows(BaseModel):
    """The rows of a query; `cut`: why there are more."""

    columns: list[str]
    rows: list[list[Any]]
    cut: str = ""


def build_agent_server(open_client: OpenClient, allow_queries: bool) -> MCPServer[Any]:
    """The server; `allow_queries`: whether agents may run Cypher of their own."""
    server: MCPServer[Any] = MCPServer(
        "trellis", title="Trellis", instructions=_ABOUT, version=__version__, log_level="WARNING"
    )
    tools: list[Callable[..., Awaitable[Any]]] = _build_tools(open_client)
    if allow_queries:
        tools.append(_build_query_tool(open_client))
    for tool in tools:
        server.add_tool(tool, annotations=_READS)
    return server


def _build_tools(open_client: OpenClient) -> list[Callable[..., Awaitable[Any]]]:
    async def ask(
        question: Question,
        ctx: Context[Any, Any],
        history: Earlier = None,
        limit: int | None = None,
    ) -> AgentAnswer:
        """Answer a question from the graph, with the facts that the answer stands on."""
        async with _open_for_call(open_client, ctx) as client:
            return AgentAnswer.of(await client.ask(question, history=history or (), limit=limit))

    async def find_entities(text: str, ctx: Context[Any, Any]) -> AgentEntities:
        """Find the nodes of the graph that the names in a text may stand for."""
        async with _open_for_call(open_client, ctx) as client:
            mentions = await client.link_names(text)
        found = [
            AgentEntity(
                mention=mention.text, name=it.name, labels=it.labels, id=it.id, score=it.score
            )
            for mention in mentions
            for it in mention.links
        ]
        return AgentEntities(entities=found)

    async def get_evidence(
        names: Names,
        ctx: Context[Any, Any],
        hops: Annotated[int, Field(ge=1, le=4)] = 1,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 100,
    ) -> AgentFacts:
        """Get the facts around some nodes: all paths from them, the shorter ones first."""
        async with _open_for_call(open_client, ctx) as client:
            around = ", ".join(names)
            found = await client.find_paths(around, topics=names, hops=hops, limit=limit)
        facts = dict.fromkeys(triple for path in found.paths for triple in path.triples)
        return AgentFacts(paths=[it.text for it in found.paths], evidence=[*facts], cut=found.cut)

    async def get_schema(ctx: Context[Any, Any], kinds: Kinds = None) -> AgentSchema:
        """Get the labels, relationship types and properties of the graph, or those of some kinds;
        of a large graph the frequent kinds."""
        async with _open_for_call(open_client, ctx) as client:
            return build_agent_schema(await client.read_schema(), kinds)

    return [ask, find_entities, get_evidence, get_schema]


def _build_query_tool(open_client: OpenClient) -> Callable[..., Awaitable[Any]]:
    async def run_cypher(
        query: str, ctx: Context[Any, Any], params: dict[str, Any] | None = None
    ) -> AgentRows:
        """Run one Cypher query that only reads; the gate refuses what writes or costs too much."""
        async with _open_for_call(open_client, ctx) as client:
            found = await client.run_query(query, params)
        return AgentRows(columns=found.columns, rows=found.rows, cut=found.cut)

    return run_cypher


@asynccontextmanager
async def _open_for_call(open_client: OpenClient, ctx: Context[Any, Any]) -> AsyncIterator[Client]:
    """A client for one call; what it raises is told to the agent."""
    try:
        async with open_client(ctx) as client:
            yield client
    except TrellisError as error:
        raise ToolError(str(error)) from error


def read_key(headers: Mapping[str, str] | None) -> str:
    """The key that an agent's request shows, and its calls carry on; empty where there is none."""
    given = next((v for k, v in (headers or {}).items() if k.lower() == "authorization"), "")
    scheme, _, key = given.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""
