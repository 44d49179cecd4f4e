"""`POST /v1/retrieve/…`: paths of the KG-Trie, patterns and traces, without a model."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice

from fastapi import APIRouter, Request

from trellis.access.audit import note_query, note_rows
from trellis.api.deps import AppDep, RuntimeDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.app.trellis_app import TrellisApp
from trellis.domain.graphs.facts import describe_walk
from trellis.domain.graphs.graph import Neighbourhood, Node, Step, Walk
from trellis.domain.graphs.links import Mention
from trellis.domain.limits.budget import limit_time
from trellis.domain.structures.traces import Traces
from trellis.http.disconnects import run_unless_client_leaves
from trellis.linking.text import name_key
from trellis.logs import set_private_texts as private
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.link import link_question
from trellis.wire.asked import RetrievalRequest
from trellis.wire.bodies import MentionBody
from trellis.wire.evidence import list_triple_names
from trellis.wire.patterns import PatternMatchesBody, PatternRequest
from trellis.wire.retrieval import PathBody, RetrievalBody
from trellis.wire.traces import TraceRequest, TracesBody

router = APIRouter(prefix="/v1/retrieve", tags=["retrieval"])

_SEARCH_SHARE = 0.9  # of a request's time, so that what was found until then is still answered


@router.post(
    "/paths",
    response_model=RetrievalBody,
    operation_id="find_paths",
    summary="Paths of the graph around a question's names",
    responses={
        **document_errors(400, 404, 409, 413, 415, 422, 429, 503, 504),
        200: examples.RETRIEVED,
    },
)
async def paths(
    asked: RetrievalRequest, request: Request, trellis_app: AppDep, runtime: RuntimeDep
) -> RetrievalBody:
    """All simple paths up to `hops` relations from the linked nodes, at most `limit`."""
    private(asked.question, *(asked.topics or ()))
    note_query(asked.question)
    async with limit_time(trellis_app.make_budget().seconds), runtime.turns.acquire():
        return await run_unless_client_leaves(request, _retrieve_paths(asked, trellis_app))


async def _retrieve_paths(asked: RetrievalRequest, trellis_app: TrellisApp) -> RetrievalBody:
    mentions = await _find_mentions(asked, trellis_app)
    anchors = list(dict.fromkeys(id for mention in mentions for id in list_anchor_ids(mention)))
    neighbourhood = await trellis_app.graph.neighbourhood(
        anchors, asked.hops, edge_budget=trellis_app.settings.edge_budget, names=True
    )
    walks = list(islice(iterate_simple_walks(neighbourhood), asked.limit + 1))
    note_rows(min(len(walks), asked.limit))
    return RetrievalBody(
        mentions=[MentionBody.of(mention) for mention in mentions],
        paths=[
            PathBody(text=describe_walk(w), triples=list_triple_names(w.triples()))
            for w in walks[: asked.limit]
        ],
        nodes=len(neighbourhood.nodes),
        edges=neighbourhood.edges,
        cut=neighbourhood.cut or len(walks) > asked.limit,
    )


async def _find_mentions(asked: RetrievalRequest, trellis_app: TrellisApp) -> tuple[Mention, ...]:
    question = trellis_app.make_question(asked.question, asked.topics)
    return await link_question(question, trellis_app.graph, trellis_app.embedder)


def iterate_simple_walks(neighbourhood: Neighbourhood) -> Iterator[Walk]:
    """The simple paths of a neighbourhood from its anchors, breadth first."""
    nodes = [
        Node(id, name) for id, name in zip(neighbourhood.nodes, neighbourhood.names, strict=True)
    ]
    waiting: deque[tuple[tuple[int, ...], tuple[Step, ...]]] = deque(
        ((int(anchor),), ()) for anchor in neighbourhood.anchors
    )
    while waiting:
        visited, steps = waiting.popleft()
        if steps:
            yield Walk(tuple(nodes[at] for at in visited), steps)
        if len(steps) < neighbourhood.hops:
            waiting.extend(
                ((*visited, entry.target), (*steps, entry.step))
                for entry in neighbourhood.entries_of(visited[-1])
                if entry.target not in visited
            )


@router.post(
    "/patterns",
    response_model=PatternMatchesBody,
    operation_id="search_patterns",
    summary="Subgraphs that match a pattern, nearest first",
    responses={**document_errors(400, 409, 413, 415, 422, 429, 503, 504), 200: examples.MATCHED},
)
async def patterns(
    asked: PatternRequest, request: Request, trellis_app: AppDep, runtime: RuntimeDep
) -> PatternMatchesBody:
    """The `k` subgraphs of the smallest graph semantic distance: the sum of the distances of nodes
    and relationships. Different nodes are mapped to different nodes, parallel edges to different
    relationships; equally near ones come in the order of their nodes' ids."""
    note_query(asked.model_dump_json())
    search, seconds = asked.read_search(), trellis_app.make_budget().seconds
    async with limit_time(seconds), runtime.turns.acquire():
        searching = trellis_app.graph.search_patterns(search, asked.k, _SEARCH_SHARE * seconds)
        matches = await run_unless_client_leaves(request, searching)
    note_rows(len(matches.matches))
    return PatternMatchesBody.of(matches)


@router.post(
    "/traces",
    response_model=TracesBody,
    operation_id="search_traces",
    summary="Traces of a schema graph from its best anchors",
    responses={**document_errors(400, 409, 413, 415, 422, 429, 503, 504), 200: examples.TRACED},
)
async def traces(
    asked: TraceRequest, request: Request, trellis_app: AppDep, runtime: RuntimeDep
) -> TracesBody:
    """Depth-first from the node with the best anchor, whatever the direction: the best relationship
    at each edge, or all whose T-score reaches the threshold. A node of the schema graph is one node
    in a trace, and dead ends are left."""
    note_query(asked.model_dump_json())
    seconds = trellis_app.make_budget().seconds
    async with limit_time(seconds), runtime.turns.acquire():
        tracing = _search_traces(asked, trellis_app, _SEARCH_SHARE * seconds)
        found = await run_unless_client_leaves(request, tracing)
    note_rows(len(found.traces))
    return TracesBody.of(found)


async def _search_traces(asked: TraceRequest, trellis_app: TrellisApp, seconds: float) -> Traces:
    keys = [name_key(name) for name in asked.list_names()]
    named = await trellis_app.graph.find_by_key(keys) if keys else {}
    return await trellis_app.graph.search_traces(asked.read_search(named), seconds)
