"""The protocols by which pipelines and steps know the outside; adapters implement them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graphs.facts import Fact, PropertyFact
from trellis.domain.graphs.graph import (
    Neighbourhood,
    Node,
    NodeId,
    ReachedNode,
    RelationPath,
    Revisit,
    Triple,
)
from trellis.domain.graphs.links import Link, NearName, NodeName, StoredValue, WordMatch
from trellis.domain.graphs.reachable import ReachablePaths
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.texts import IndexedTexts, TextMatch, TextSearch
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.guidance import GuidanceQuery
from trellis.domain.models.prompt import Prompt, PromptExample
from trellis.domain.models.token_vectors import TokenVectors
from trellis.domain.replies.reply import Answer, Finding
from trellis.domain.replies.review import Review
from trellis.domain.structures.cypher import GATE_LIMITS, CypherQuery, QueryLimits, Rows, Verdict
from trellis.domain.structures.patterns import PatternMatches, PatternSearch
from trellis.domain.structures.traces import Traces, TraceSearch


class RememberedValues(Protocol):
    """The remembered values of a graph, found by key or by words."""

    @property
    def searched_properties(self) -> Sequence[str]:
        """The properties whose values are too many to be remembered, and are searched by text."""

    def find_by_key(self, key: str) -> Sequence[StoredValue]:
        """The values with a key as `literals.stored_keys` makes them."""

    def find_by_words(self, words: Sequence[str], least_share: float) -> Sequence[WordMatch]:
        """The values of which the words `words` cover at least the share `least_share`, in any
        order."""


class Graph(Protocol):
    """The graph that questions are asked of."""

    async def find_by_key(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        """For each key the nodes whose name has it (`name_key`); keys without a node are left
        out."""

    async def find_by_start(self, start: str, limit: int) -> Sequence[Node]:
        """At most `limit` nodes whose names' keys (`name_key`) begin with that of `start`, the
        shortest first; of very many, only some are looked at."""

    async def find_by_spelling(self, keys: Sequence[str]) -> Mapping[str, Sequence[NodeName]]:
        """For each key the nodes with a name or alias of that spelling (`spellings`)."""

    async def search_by_text(self, texts: Sequence[str], limit: int) -> Sequence[Sequence[Link]]:
        """For each text the nodes that a fuzzy full-text search finds, best first."""

    async def search_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[Link]]:
        """For each row of `vectors` [n, d] the nodes with the nearest names, best first."""

    async def search_relations_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[NearName]]:
        """For each row of `vectors` [n, d] the relationship types whose words are nearest, nearest
        first. Raises NotIndexedError if the graph has no embeddings."""

    async def search_labels_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[NearName]]:
        """The same for labels."""

    async def neighbourhood(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, names: bool
    ) -> Neighbourhood:
        """All relationships up to `hops` from the anchors, within a budget of entries."""

    async def reach_nodes(
        self, path: RelationPath, revisit: Revisit, limit: int
    ) -> Sequence[ReachedNode]:
        """All nodes that the path's relations reach in the database (at most `limit`)."""

    async def check_triples(self, triples: Sequence[Triple]) -> Sequence[bool]:
        """For each triple whether it is a relationship of the graph."""

    async def check_properties(self, facts: Sequence[PropertyFact]) -> Sequence[bool]:
        """For each fact whether the node's property has this value; of one that is cut, whether
        the value begins with it and is as long."""

    async def schema(self) -> Schema:
        """The live schema."""

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> ReachablePaths:
        """The relation-type paths that exist from the anchors, within budgets of work and paths."""

    async def search_patterns(
        self, search: PatternSearch, limit: int, seconds: float
    ) -> PatternMatches:
        """The `limit` subgraphs nearest to a pattern by graph semantic distance, nearest first.

        A match maps different nodes of the pattern to different nodes, and each edge to its nearest
        fitting relationship, parallel edges to different ones at the least sum; there is one match
        for each mapping of the nodes. Equally near ones come by their nodes' ids, item by item.
        After `seconds` it gives what it found. Raises PatternError for a listed node that is not
        there, and for a limit that is not from 1 to MOST_MATCHES.
        """

    async def search_traces(self, search: TraceSearch, seconds: float) -> Traces:
        """The traces of a schema graph from its best anchors, best first.

        A trace maps each node of the schema graph to one node and each edge to a relationship,
        whatever its direction: one of its own, unless nodes may be revisited anywhere. Depth-first
        from the node with the best anchor, `precision` gives the first of the best anchor that has
        any, `breadth` all over relationships of the threshold or more, of that anchor and those as
        good. After `seconds` it gives what it found.
        Raises PatternError for a listed node that is not there.
        """

    async def values(self) -> RememberedValues:
        """The remembered values: those of all properties with few distinct ones."""

    async def search_values(self, texts: Sequence[str]) -> Sequence[Sequence[StoredValue]]:
        """For each text the values of other properties that contain it as consecutive words."""

    async def indexed_texts(self) -> IndexedTexts:
        """The properties that hold texts, as far as these are indexed."""

    async def search_texts(self, search: TextSearch) -> Sequence[TextMatch]:
        """The nodes whose texts are like what is searched for, and those of `search.among`, in no
        order; none where no texts are indexed."""

    async def find_texts(self, phrase: str, limit: int) -> Sequence[TextMatch]:
        """Up to `limit` nodes whose texts have all words of a phrase, by their stems and in any
        order, best first; their passages are whole texts. None where no texts are indexed."""

    async def find_holders(
        self, values: Sequence[StoredValue], limit: int
    ) -> Sequence[Sequence[NodeId] | None]:
        """For each value the nodes of its label that have it; None where there are more than
        `limit`, or the search for them would take long."""


class Queries(Protocol):
    """Runs Cypher that a model or a person wrote, behind the gate."""

    async def explain(self, query: CypherQuery) -> Verdict:
        """Whether the query may run, and its plan; a refusal is a verdict, not an error.

        Raises QuerySyntaxError where it does not parse.
        """

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        """The query's rows, read in a READ transaction; nothing of ours is among them.

        Raises RefusedQueryError where the gate refuses it, QuerySyntaxError where it does not
        parse, QueryError where it fails on the graph's values, GraphTimeoutError where it takes
        too long. Cancelling ends it in the server too.
        """


class Gate(Queries, Protocol):
    """`Queries` that judge a text without the database, too."""

    def judge_text(self, query: CypherQuery) -> Verdict | None:
        """The refusal of a query whose text or parameters break a rule; None for others, on which
        the database has to be asked.

        Raises QuerySyntaxError where the text has no end.
        """


class LanguageModel(Protocol):
    """A model that writes sentences of a language."""

    @property
    def card(self) -> ModelCard: ...

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """For each prompt up to `search.width` sentences of its language, best first."""


@runtime_checkable
class GrowingModel(LanguageModel, Protocol):
    """A model that goes on from parts of sentences, so that their language may grow in between."""

    async def extend_sentences(
        self, prompt: Prompt, language: Any, begun: Sequence[Sentence], search: Search
    ) -> Sequence[Sentence]:
        """Up to `search.width` sentences of a language that go on from those that were begun, best
        first; from the start where none was. Their scores are of the whole sentences."""


class ExampleBank(Protocol):
    """Questions over a graph with the sentences that answer them, for prompts of general models."""

    async def find_examples(self, prompt: Prompt, count: int) -> Sequence[PromptExample]:
        """Up to `count` examples of the prompt's task, the most helpful first: the user's own that
        are like the question before made ones, and no two of one sentence."""


class GuidanceModel(Protocol):
    """A model that scores the entities around a question's anchors."""

    @property
    def card(self) -> ModelCard: ...

    async def score_entities(
        self,
        around: Neighbourhood,
        relations: NDArray[np.float32],
        queries: Sequence[GuidanceQuery],
    ) -> NDArray[np.float32]:
        """For each query the probability of each node that it is meant: [queries, nodes].

        `relations` [types, d]: the vectors of the neighbourhood's relation types.
        """


class Embedder(Protocol):
    """Turns texts into unit vectors of one length."""

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`texts` [n] to unit vectors [n, dimensions]."""

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        """The vectors of each text's tokens; of a text as one token where the model tells none."""


class NamedEmbedder(Embedder, Protocol):
    """An embedder with the name of its model, which is stored beside its vectors."""

    @property
    def name(self) -> str: ...


class TextRanker(Protocol):
    """Reads a question and a text together, and tells how well the text answers it."""

    def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """A logit for each of `texts` [n]; ModelError where the model cannot be run."""


class Reasoner(Protocol):
    """Words the answers that were found, from numbered evidence, and may put them in order.

    `may_choose`: whether it may leave out answers, and add other nodes that were found, if it
    cites a fact for each.
    """

    @property
    def may_choose(self) -> bool: ...

    async def review(
        self,
        question: str,
        answers: Sequence[Answer],
        findings: Sequence[Finding],
        evidence: Sequence[Fact],
    ) -> Review: ...
