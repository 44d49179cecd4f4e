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
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice

from trellis.app.garbage import spare_what_lasts
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.question import Question
from trellis.linking.names.spans import make_lookup_keys
from trellis.linking.names.spellings import make_spelling_keys
from trellis.methods.registry import Pipeline

log = logging.getLogger(__name__)

MOST_SECONDS = 30.0
"""Seconds after which a warm-up ends wherever it is."""

_MAGNITUDES = (1, 10, 100)
_MOST_NODES = 10
_LIMIT = 5
_MOST_ROUNDS = 6
_QUICK_SECONDS = 0.25  # a question that takes less gains nothing from another round
_WORDS = ("capital", "member", "part", "first", "person", "country", "name", "place")


@dataclass(frozen=True, slots=True)
class WarmUp:
    """What is warmed up beside the searches of linking.

    `parts`: what the tasks of the methods read from the graph, by name. `pipelines`: what answers
    whole questions; none where each would cost the user a hosted model's work.
    """

    graph: Graph
    embedder: Embedder
    parts: Mapping[str, Callable[[Sequence[Node]], Awaitable[None]]] = field(default_factory=dict)
    pipelines: Sequence[Pipeline] = ()

    async def run(self, seconds: float = MOST_SECONDS) -> float:
        """Do all that a first question would pay for; gives the seconds it took.

        Raises nothing but its cancellation.
        """
        began = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                await self._run_parts()
        except TimeoutError:
            log.warning("the warm-up ended after %g s, before it was through", seconds)
        spare_what_lasts()
        return time.monotonic() - began

    async def _run_parts(self) -> None:
        nodes = await self._some_nodes()
        searches = {
            "names": self._look_up_names,
            "full text": self._search_text,
            "vectors": self._search_vectors,
        }
        for name, part in {**searches, **self.parts, "questions": self._ask_questions}.items():
            await _run_part(name, part, nodes)

    async def _some_nodes(self) -> list[Node]:
        """A few nodes of the graph; none where it is empty or has no vectors."""
        try:
            vectors = await asyncio.to_thread(self.embedder.embed, ["name"])
            [links] = await self.graph.search_by_vector(vectors, _MOST_NODES)
        except Exception as error:  # the part that needs it says so once more
            log.info("no node to warm up with: %s", error)
            return []
        return [link.node for link in links]

    async def _look_up_names(self, nodes: Sequence[Node]) -> None:
        for texts in _at_magnitudes(_names(nodes)):
            await self.graph.find_by_key(
                [key for text in texts for key in make_lookup_keys(text)][: len(texts)]
            )
            await self.graph.find_by_spelling(
                [key for text in texts for key in make_spelling_keys(text)]
            )

    async def _search_text(self, nodes: Sequence[Node]) -> None:
        for texts in _at_magnitudes([_misspell(name) for name in _names(nodes)])[:2]:
            await self.graph.search_by_text(texts, _LIMIT)

    async def _search_vectors(self, nodes: Sequence[Node]) -> None:
        for texts in _at_magnitudes(_names(nodes))[:2]:
            vectors = await asyncio.to_thread(self.embedder.embed, texts)
            await self.graph.search_by_vector(vectors, _LIMIT)

    async def _ask_questions(self, nodes: Sequence[Node]) -> None:
        """Rounds of questions about the nodes, until a round is quick."""
        for pipeline in self.pipelines:
            for round in range(_MOST_ROUNDS if nodes else 0):
                if await _ask_round(pipeline, _questions(nodes, round)) < _QUICK_SECONDS:
                    break


async def _ask_round(pipeline: Pipeline, texts: Sequence[str]) -> float:
    """Ask some questions one after the other; gives the seconds of the slowest."""
    slowest = 0.0
    for text in texts:
        began = time.monotonic()
        await pipeline.answer(Question(text))
        slowest = max(slowest, time.monotonic() - began)
    return slowest


async def _run_part(
    name: str, part: Callable[[Sequence[Node]], Awaitable[None]], nodes: Sequence[Node]
) -> None:
    began = time.monotonic()
    try:
        await part(nodes)
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


def _misspell(name: str) -> str:
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
        f"Where is {_misspell(other.name)}?",
    ]
