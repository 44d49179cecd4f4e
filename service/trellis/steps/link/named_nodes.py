"""Named nodes: the nodes that a question means by its names, where all of the answer depends on
them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.question import Question
from trellis.linking.names.closeness import measure_closeness
from trellis.linking.names.spans import Span
from trellis.steps.link.link import link_question
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_CLOSE = 0.8  # likeness in spelling of a name that is misspelt


@dataclass(frozen=True, slots=True)
class NamedNodes:
    """The mentions of a question, and for each the nodes that it means equally well: one, unless
    several have its name. `alike`: nodes that may be meant by a name which is not close enough to
    theirs."""

    mentions: tuple[Mention, ...]
    nodes: tuple[tuple[Node, ...], ...]
    alike: tuple[Link, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where the question says the names."""
        return tuple(Span(mention.start, mention.end) for mention in self.mentions)


async def find_named_nodes(
    question: Question,
    graph: Graph,
    embedder: Embedder | None,
    words: SchemaVocabulary,
    wording: Set[str],
) -> NamedNodes:
    """The nodes that a question names. `words`: those of the graph's labels; `wording`: words in
    small letters that such questions use, rather than names."""
    linked = await link_question(question, graph, embedder, words.wording | wording)
    mentions = tuple(mention for mention in linked if _is_close(mention))
    alike = tuple(mention.best for mention in linked if mention not in mentions)
    nodes = _choose_nodes([_narrow_by_noun(question.text, each, words) for each in mentions])
    return NamedNodes(mentions, nodes, alike)


def _is_close(mention: Mention) -> bool:
    """Whether a name is spelt as that of its node, about."""
    best = mention.best
    return not best.is_similar or measure_closeness(mention.text, best.node.name) >= _CLOSE


def _narrow_by_noun(question: str, mention: Mention, words: SchemaVocabulary) -> tuple[Node, ...]:
    """The nodes that a mention means best, those of the kind named before it if there are any:
    `the river Jordan`."""
    nodes = tuple(link.node for link in mention.links if link.score >= mention.score)
    before = question[: mention.start].lower().split()[-1:]
    labels = frozenset[str]().union(*map(words.find_labels, before))
    return tuple(node for node in nodes if labels.intersection(node.labels)) or nodes


def _choose_nodes(nodes: Sequence[tuple[Node, ...]]) -> tuple[tuple[Node, ...], ...]:
    """The nodes of each mention; one each of a name that is given twice and that two nodes have."""
    if len(nodes) == 2 and nodes[0] == nodes[1] and len(nodes[0]) == 2:
        return nodes[0][:1], nodes[0][1:]
    return tuple(nodes)
