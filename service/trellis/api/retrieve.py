"""`POST /v1/retrieve/paths`: the paths of the KG-Trie, without a model."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice

from fastapi import APIRouter, Request

from trellis.access.audit import note_query, note_rows
from trellis.api import examples
from trellis.api.deps import AppDep, RuntimeDep
from trellis.api.problems import document_errors
from trellis.app.trellis_app import TrellisApp
from trellis.domain.budget import limit_time
from trellis.domain.facts import describe_walk
from trellis.domain.graph import Neighbourhood, Node, Step, Walk
from trellis.domain.links import Mention
from trellis.http.disconnects import run_unless_client_leaves
from trellis.logs import set_private_texts as private
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.link import link_question
from trellis.wire.asked import RetrievalRequest
from trellis.wire.bodies import MentionBody
from trellis.wire.evidence import list_triple_names
from trellis.wire.retrieval import PathBody, RetrievalBody

router = APIRouter(prefix="/v1/retrieve", tags=["retrieval"])


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
                ((*visited, to), (*steps, step))
                for to, step in _iterate_moves(neighbourhood, visited[-1])
                if to not in visited
            )


def _iterate_moves(neighbourhood: Neighbourhood, position: int) -> Iterator[tuple[int, Step]]:
    for entry in neighbourhood.entries_of(position):
        yield entry.target, entry.step
