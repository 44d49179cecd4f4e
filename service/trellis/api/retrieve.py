"""`POST /v1/retrieve/paths`: the paths of the KG-Trie, without a model."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice

from fastapi import APIRouter
from pydantic import BaseModel, Field

from trellis.api.bodies import MentionBody, TripleBody, named
from trellis.api.deps import HouseDep
from trellis.api.problems import documented
from trellis.domain.values import Mention, Neighbourhood, Node, Step, Walk
from trellis.steps.link import given, link
from trellis.steps.reason import told
from trellis.steps.retrieve import anchor_ids
from trellis.wiring import House

router = APIRouter(prefix="/v1/retrieve", tags=["retrieval"])


class ToRetrieve(BaseModel):
    """Where to start, and how far to go."""

    question: str = Field(examples=["What is around Berlin?"])
    topics: list[str] | None = Field(
        None, min_length=1, max_length=20, description="Names to start from, instead of linking."
    )
    hops: int = Field(2, ge=1, le=4)
    limit: int = Field(100, ge=1, le=10_000, description="The most paths to give.")


class PathBody(BaseModel):
    """One path, to read and as facts of the graph."""

    text: str
    triples: list[TripleBody]


class Retrieved(BaseModel):
    """Paths from the anchors, shorter ones first; `cut`: a budget left some out."""

    mentions: list[MentionBody]
    paths: list[PathBody]
    nodes: int
    edges: int
    cut: bool


@router.post(
    "/paths",
    response_model=Retrieved,
    summary="Paths of the graph around a question's names",
    responses=documented(400, 409, 413, 422, 503, 504),
)
async def paths(asked: ToRetrieve, house: HouseDep) -> Retrieved:
    """All simple paths up to `hops` relations from the linked nodes, at most `limit`."""
    mentions = await _mentions(asked, house)
    anchors = list(dict.fromkeys(id for mention in mentions for id in anchor_ids(mention)))
    around = await house.graph.neighbourhood(
        anchors, asked.hops, edge_budget=house.settings.edge_budget, names=True
    )
    walks = list(islice(simple_walks(around), asked.limit + 1))
    return Retrieved(
        mentions=[MentionBody.of(mention) for mention in mentions],
        paths=[PathBody(text=told(w), triples=named(w.triples())) for w in walks[: asked.limit]],
        nodes=len(around.nodes),
        edges=around.edges,
        cut=around.cut or len(walks) > asked.limit,
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
    for entry in range(around.offsets[at], around.offsets[at + 1]):
        relation = around.relation_types[around.types[entry]]
        yield int(around.targets[entry]), Step(relation, bool(around.directions[entry]))
