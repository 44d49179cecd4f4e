"""Warming up: what a first question would pay for is paid before it is asked.

A Neo4j that was just started takes seconds for its first queries: it loads its planner, compiles
it while it runs, and opens indexes and pages at their first use. It then plans each query once,
by its text and by the magnitude of the lists that it is given (1, up to 10, up to 100, …). So the
ports are asked here as questions ask them, at each magnitude, and then whole questions about
nodes of the graph are answered, until they are answered quickly. Nothing is written and nothing
is kept; a part that fails is logged, and the others go on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, product

from trellis.domain.ports import Embedder, Graph
from trellis.domain.sentences import relation_words
from trellis.domain.spans import keys
from trellis.domain.spellings import spellings
from trellis.domain.values import (
    ModelCard,
    Neighbourhood,
    Node,
    NodeId,
    Question,
    RelationPath,
    Step,
    Triple,
)
from trellis.methods import Pipeline

log = logging.getLogger(__name__)

MOST_SECONDS = 30.0
"""Seconds after which a warm-up ends wherever it is."""

_MAGNITUDES = (1, 10, 100)
_LONGEST_PATH = 3  # relationships: 2 ** 3 directions, a plan each
_MOST_NODES = 10
_LIMIT = 5
_MOST_ROUNDS = 6
_QUICK_SECONDS = 0.25  # a question that takes less gains nothing from another round
_WORDS = ("capital", "member", "part", "first", "person", "country", "name", "place")


async def warm_up(
    graph: Graph,
    embedder: Embedder,
    card: ModelCard,
    pipeline: Pipeline | None,
    seconds: float = MOST_SECONDS,
) -> float:
    """Do all that a first question would pay for; gives the seconds it took.

    `card`: of the model that decodes. `pipeline`: what answers whole questions; None: none are
    asked. Raises nothing but its cancellation.
    """
    began = time.monotonic()
    parts = _WarmUp(graph, embedder, card, pipeline)
    try:
        async with asyncio.timeout(seconds):
            await parts.run()
    except TimeoutError:
        log.warning("the warm-up ended after %g s, before it was through", seconds)
    return time.monotonic() - began


@dataclass(frozen=True, slots=True)
class _WarmUp:
    graph: Graph
    embedder: Embedder
    card: ModelCard
    pipeline: Pipeline | None

    async def run(self) -> None:
        nodes = await self._some_nodes()
        parts: dict[str, Callable[[], Awaitable[None]]] = {
            "names": lambda: self._look_up_names(nodes),
            "full text": lambda: self._search_text(nodes),
            "vectors": lambda: self._search_vectors(nodes),
        }
        if self.card.task == "path":
            parts["paths"] = lambda: self._walk_paths(nodes)
            parts["facts"] = lambda: self._look_up_facts(nodes)
        else:
            parts["values"] = lambda: self._look_up_values(nodes)
        if self.pipeline:
            parts["questions"] = lambda: self._ask_questions(nodes)
        for name, part in parts.items():
            await _run_part(name, part)

    async def _some_nodes(self) -> list[Node]:
        """A few nodes of the graph; none where it is empty or has no vectors."""
        try:
            vectors = await asyncio.to_thread(self.embedder.embed, ["name"])
            [links] = await self.graph.by_vector(vectors, _MOST_NODES)
        except Exception as error:  # the part that needs it says so once more
            log.info("no node to warm up with: %s", error)
            return []
        return [link.node for link in links]

    async def _look_up_names(self, nodes: Sequence[Node]) -> None:
        for texts in _at_magnitudes(_names(nodes)):
            await self.graph.exact([key for text in texts for key in keys(text)][: len(texts)])
            await self.graph.also([key for text in texts for key in spellings(text)])

    async def _search_text(self, nodes: Sequence[Node]) -> None:
        for texts in _at_magnitudes([_misspelt(name) for name in _names(nodes)])[:2]:
            await self.graph.by_text(texts, _LIMIT)

    async def _search_vectors(self, nodes: Sequence[Node]) -> None:
        for texts in _at_magnitudes(_names(nodes))[:2]:
            vectors = await asyncio.to_thread(self.embedder.embed, texts)
            await self.graph.by_vector(vectors, _LIMIT)

    async def _walk_paths(self, nodes: Sequence[Node]) -> None:
        """The neighbourhood of one anchor and of several; a path of each length and direction."""
        if not nodes:
            return
        around = await self._around(nodes)
        types = around.relation_types or ("",)
        hops = min(self.card.hops, _LONGEST_PATH)
        for length in range(1, hops + 1):
            for directions in product((False, True), repeat=length):
                pairs = zip(cycle(types), directions, strict=False)
                path = self._path(nodes, tuple(Step(kind, back) for kind, back in pairs))
                for limit in _MAGNITUDES if length == 1 else (_LIMIT,):
                    await self.graph.reach(path, self.card.revisit, limit)

    async def _around(self, nodes: Sequence[Node]) -> Neighbourhood:
        full = self.card.rendering == "full"
        for anchors in ([nodes[0].id], [node.id for node in nodes]):
            around = await self.graph.neighbourhood(
                anchors, self.card.hops, edge_budget=20_000, names=full
            )
        return around

    def _path(self, nodes: Sequence[Node], steps: tuple[Step, ...]) -> RelationPath:
        """A path from a node; where the model names the nodes of paths, with one at each step."""
        anchor: tuple[NodeId, ...] = (nodes[0].id,)
        full = self.card.rendering == "full"
        return RelationPath(anchor, steps, tuple(anchor for _ in steps) if full else ())

    async def _look_up_facts(self, nodes: Sequence[Node]) -> None:
        if nodes:
            for size in _MAGNITUDES:
                await self.graph.contain([Triple(nodes[0], "", nodes[-1])] * size)

    async def _look_up_values(self, nodes: Sequence[Node]) -> None:
        await self.graph.schema()
        await self.graph.values()
        for texts in _at_magnitudes(_names(nodes)):
            await self.graph.by_value(texts)

    async def _ask_questions(self, nodes: Sequence[Node]) -> None:
        """Rounds of questions about the nodes, until a round is quick."""
        assert self.pipeline
        for round in range(_MOST_ROUNDS if nodes else 0):
            slowest = 0.0
            for text in _questions(nodes, round):
                began = time.monotonic()
                await self.pipeline.answer(Question(text))
                slowest = max(slowest, time.monotonic() - began)
            if slowest < _QUICK_SECONDS:
                return


async def _run_part(name: str, part: Callable[[], Awaitable[None]]) -> None:
    began = time.monotonic()
    try:
        await part()
    except Exception as error:  # a graph without an index, a model that fails: not for us to end
        log.warning("the warm-up of %s failed: %s", name, error)
    else:
        log.info("warmed up %s in %.1f s", name, time.monotonic() - began)


def _names(nodes: Sequence[Node]) -> list[str]:
    return [node.name for node in nodes] or list(_WORDS)


def _at_magnitudes(texts: Sequence[str]) -> list[list[str]]:
    """Lists of each magnitude of these texts; those that come again are numbered."""
    numbered = (f"{text} {number}" for number, text in enumerate(cycle(texts)))
    many = [*texts, *islice(numbered, _MAGNITUDES[-1])]
    return [many[:size] for size in _MAGNITUDES]


def _misspelt(name: str) -> str:
    """The name with its second letter left out."""
    return name[:1] + name[2:]


def _questions(nodes: Sequence[Node], round: int) -> list[str]:
    """Of one node, of two, of one that is misspelt, of one by the words of its label."""
    one, other = nodes[round % len(nodes)], nodes[(round + 1) % len(nodes)]
    word = _WORDS[round % len(_WORDS)]
    label = " ".join(relation_words(one.labels[0])) if one.labels else "thing"
    return [
        f"What is the {word} of {one.name}?",
        f"Which {label} is the {word} of both {one.name} and {other.name}?",
        f"Where is {_misspelt(other.name)}?",
    ]
