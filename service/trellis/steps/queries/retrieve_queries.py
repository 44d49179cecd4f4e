"""Retrieve for queries: the language that the live schema and the question's values define.

Source: GraphRAFT, section on grounded constrained decoding.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from trellis.automata.cypher.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.lexicon import NamedValue
from trellis.domain.errors import UnknownTopicError
from trellis.domain.links import ValueLink
from trellis.domain.ports import Graph
from trellis.domain.question import Question
from trellis.linking.spans import occurrences
from trellis.steps.queries.link_values import link_values
from trellis.steps.queries.settings import CypherSettings
from trellis.steps.queries.value_mentions import ValueMention, named_values, value_mentions

_MOST_ANCHORS = 100  # nodes of one value; what more have says little
_EDGES, _PATHS = 20_000, 2_000  # that are looked at, and that a language may hold, for one value


async def values_of(question: Question, graph: Graph) -> tuple[ValueMention, ...]:
    """What the question's literals may mean; of given topics, what those alone may mean.

    Raises UnknownTopicError where a given topic is no value of the graph.
    """
    if not question.topics:
        return value_mentions(await link_values(question.text, graph), await graph.schema())
    links = [link for topic in question.topics for link in await _given(question, topic, graph)]
    return value_mentions(links, await graph.schema())


async def retrieve_queries(
    graph: Graph, mentions: Sequence[ValueMention], settings: CypherSettings, hops: int = 0
) -> CypherLanguage:
    """The queries over the live schema and these values, said as the model was trained to; of
    what has a value only those that exist in the graph, up to `hops` from its nodes."""
    schema = await graph.schema()
    values = named_values(mentions, schema)
    linked = values[: sum(len(mention.links) for mention in mentions)]
    groundings = await _grounded(graph, linked, hops) if hops else ()
    return CypherLanguage(schema, values, settings.options, groundings)


async def _grounded(graph: Graph, values: Sequence[NamedValue], hops: int) -> tuple[Grounding, ...]:
    """What the nodes of each value reach. None of a value that many nodes have, or of which a
    budget left anything out: what is not known restricts nothing."""
    held = await graph.holders([value.stored for value in values], _MOST_ANCHORS)
    anchors = {index: ids for index, ids in enumerate(held) if ids}
    found = await asyncio.gather(
        *(
            graph.reachable(ids, hops, edge_budget=_EDGES, path_budget=_PATHS)
            for ids in anchors.values()
        )
    )
    reached = zip(anchors, found, strict=True)
    return tuple(Grounding(index, those, hops) for index, those in reached if not those.cut)


async def _given(question: Question, topic: str, graph: Graph) -> list[ValueLink]:
    """The values that a topic as a whole names, where the question says it, else at its end."""
    found = await link_values(topic, graph)
    whole = [link for link in found if (link.start, link.end) == (0, len(topic))]
    if not whole:
        raise UnknownTopicError(
            f"no value in the graph is called {topic!r}", "give names as the graph has them"
        )
    spans = occurrences(question.text, topic)
    end = len(question.text)
    start, end = (spans[0].start, spans[0].end) if spans else (end, end)
    return [
        ValueLink(start, end, topic, link.stored, link.score, link.how if spans else "words")
        for link in whole
    ]
