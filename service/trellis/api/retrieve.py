"""`POST /v1/retrieve/paths`: the paths of the KG-Trie, without a model."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice

from fastapi import APIRouter, Request

from trellis.api import examples
from trellis.api.deps import DeskDep, HouseDep
from trellis.api.problems import documented
from trellis.api.work import unless_left
from trellis.domain.budget import in_time
from trellis.domain.facts import tell_walk
from trellis.domain.graph import Neighbourhood, Node, Step, Walk
from trellis.domain.links import Mention
from trellis.house.house import House
from trellis.logs import asked as private
from trellis.steps.paths.retrieve_trie import anchor_ids
from trellis.steps.shared.link import given, link
from trellis.wire.asked import ToRetrieve
from trellis.wire.bodies import MentionBody, PathBody, Retrieved, named

router = APIRouter(prefix="/v1/retrieve", tags=["retrieval"])


@router.post(
    "/paths",
    response_model=Retrieved,
    summary="Paths of the graph around a question's names",
    responses={**documented(400, 404, 409, 413, 422, 429, 503, 504), 200: examples.RETRIEVED},
)
async def paths(asked: ToRetrieve, request: Request, house: HouseDep, desk: DeskDep) -> Retrieved:
    """All simple paths up to `hops` relations from the linked nodes, at most `limit`."""
    private(asked.question, *(asked.topics or ()))
    async with in_time(house.budget().seconds), desk.turns.turn():
        return await unless_left(request, _retrieved(asked, house))


async def _retrieved(asked: ToRetrieve, house: House) -> Retrieved:
    mentions = await _mentions(asked, house)
    anchors = list(dict.fromkeys(id for mention in mentions for id in anchor_ids(mention)))
    neighbourhood = await house.graph.neighbourhood(
        anchors, asked.hops, edge_budget=house.settings.edge_budget, names=True
    )
    walks = list(islice(simple_walks(neighbourhood), asked.limit + 1))
    return Retrieved(
        mentions=[MentionBody.of(mention) for mention in mentions],
        paths=[
            PathBody(text=tell_walk(w), triples=named(w.triples())) for w in walks[: asked.limit]
        ],
        nodes=len(neighbourhood.nodes),
        edges=neighbourhood.edges,
        cut=neighbourhood.cut or len(walks) > asked.limit,
    )


async def _mentions(asked: ToRetrieve, house: House) -> tuple[Mention, ...]:
    question = house.question(asked.question, asked.topics)
    if question.topics:
        return await given(question.text, question.topics, house.graph)
    return await link(question.text, house.graph, house.embedder)


def simple_walks(around: Neighbourhood) -> Iterator[Walk]:
    """The simple paths of a neighbourhood from its anchors, breadth first."""
    nodes = [Node(id, name) for id, name in zip(around.nodes, around.names, strict=True)]
    waiting: deque[tuple[tuple[int, ...], tuple[Step, ...]]] = deque(
        ((int(anchor),), ()) for anchor in around.anchors
    )
    while waiting:
        visited, steps = waiting.popleft()
        if steps:
            yield Walk(tuple(nodes[at] for at in visited), steps)
        if len(steps) < around.hops:
            waiting.extend(
                ((*visited, to), (*steps, step))
                for to, step in _moves(around, visited[-1])
                if to not in visited
            )


def _moves(around: Neighbourhood, at: int) -> Iterator[tuple[int, Step]]:
    for entry in around.entries_of(at):
        yield entry.target, entry.step
