"""The methods that a question can be answered by, and the parts that each is built from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from trellis.domain.budget import Budget
from trellis.domain.decoding import Search
from trellis.domain.events import Watch, unwatched
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries, Reasoner
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.pipelines.gcr import Gcr
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import Settings


class Pipeline(Protocol):
    """A method: answers a question, telling `watch` how far it is."""

    async def answer(self, question: Question, watch: Watch = unwatched) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a method is built from."""

    settings: Settings
    graph: Graph
    queries: Queries
    model: LanguageModel
    embedder: Embedder
    reasoner: Reasoner | None
    ranker: LanguageModel | None
    budget: Budget


@dataclass(frozen=True, slots=True)
class Method:
    """A way to answer: what it is in one line, the task its model is trained for, its parts.

    `ranks`: whether a second model ranks its answers, where one is set.
    """

    about: str
    task: str
    build: Callable[[Parts], Pipeline]
    ranks: bool = False


def _gcr(parts: Parts) -> Pipeline:
    return Gcr(
        parts.graph,
        parts.model,
        parts.embedder,
        parts.reasoner,
        Search(
            width=parts.settings.width,
            max_tokens=parts.budget.tokens,
            diversity=parts.settings.diversity,
        ),
        parts.settings.edge_budget,
        parts.budget.rows,
    )


def _graphraft(parts: Parts) -> Pipeline:
    return GraphRaft(
        parts.graph,
        parts.queries,
        parts.model,
        parts.ranker,
        parts.reasoner,
        Search(width=parts.settings.width, max_tokens=parts.budget.tokens),
        row_limit=parts.budget.rows,
        hops=parts.settings.grounded_hops,
    )


METHODS: Mapping[str, Method] = {
    "gcr": Method(
        "Paths decoded inside the KG-Trie, run in the database, and voted on.", "path", _gcr
    ),
    "graphraft": Method(
        "Queries decoded inside the language of the schema, run behind the gate, and ranked.",
        "cypher",
        _graphraft,
        ranks=True,
    ),
}
