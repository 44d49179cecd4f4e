"""Retrieve for queries: build the language of the live schema and the question's values.

Source: GraphRAFT, section on grounded constrained decoding.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.grammar.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.domain.errors import UnknownTopicError
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.question import Question
from trellis.linking.names.spans import Span, find_occurrences
from trellis.linking.questions.operators import may_ask_whether
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.values.link_values import link_values
from trellis.steps.link.values.link_wide import link_wide_values
from trellis.steps.link.values.said_values import drop_unsaid_values
from trellis.steps.link.values.value_mentions import list_wanted_words, merge_mentions, name_values
from trellis.steps.retrieve.queries.settings import CypherSettings

_MOST_ANCHORS = 100  # nodes of one value; a value of more nodes restricts little
_MOST_ROWS = 1_000  # that a question can ask for by a number of its own
_EDGES, _PATHS = 20_000, 2_000  # relationships read, and paths kept, for one value


async def link_question_values(
    question: Question, graph: Graph, settings: CypherSettings, embedder: Embedder | None = None
) -> tuple[Mention, ...]:
    """The value mentions of a question; where it has topics, only of these.

    Raises UnknownTopicError where a given topic is no value of the graph.
    """
    if not question.topics:
        return merge_mentions(
            await link_task_values(question.text, graph, settings, embedder), await graph.schema()
        )
    mentions = [
        mention
        for topic in question.topics
        for mention in await _link_topic(question, topic, graph)
    ]
    return merge_mentions(mentions, await graph.schema())


async def link_task_values(
    text: str, graph: Graph, settings: CypherSettings, embedder: Embedder | None
) -> tuple[Mention, ...]:
    """What a model that was trained with some settings can compare with, best first."""
    if settings.is_wide:
        return await link_wide_values(text, graph, embedder, settings.wording)
    return await link_values(text, graph)


async def retrieve_queries(
    graph: Graph,
    form: QuestionForm,
    settings: CypherSettings,
    hops: int = 0,
    *,
    is_general: bool = False,
    embedder: Embedder | None = None,
) -> CypherLanguage:
    """The language of queries over the live schema and these values, as the model was trained.

    With `hops`, relationships within so many hops of a value's nodes are limited to those that
    exist there. For a general model (`is_general`) a sentence that sets a mention aside is believed
    less, none asks whether something is so where the question cannot, and values that it does not
    speak of are left out.
    """
    mentions = form.mentions
    values = name_values(mentions, form.schema, settings.rendering)
    if is_general:
        values = await drop_unsaid_values(form, values, embedder)
    linked = values[: sum(len(mention.links) for mention in mentions)]
    groundings = await _ground_values(graph, linked, hops) if hops else ()
    wanted = list_wanted_words(mentions) if is_general else ()
    options = _add_limits(settings.options, values)
    if is_general:
        names = [Span(mention.start, mention.end) for mention in mentions]
        options = replace(options, asks_whether=may_ask_whether(form.text, names))
    return CypherLanguage(form.schema, values, options, groundings, wanted=wanted)


def _add_limits(options: RenderingOptions, values: Sequence[NamedValue]) -> RenderingOptions:
    """The options, with the numbers of the question as numbers of rows."""
    if not options.is_wide:
        return options
    numbers = {value.stored.value for value in values if value.is_literal}
    rows = {n for n in numbers if type(n) is int and 0 < n <= _MOST_ROWS}
    return replace(options, limits=tuple(sorted({*options.limits, *rows})))


async def _ground_values(
    graph: Graph, values: Sequence[NamedValue], hops: int
) -> tuple[Grounding, ...]:
    """The relation paths that exist from the nodes of each value.

    A value has none where too many nodes have it or a budget cut its paths: what is not known
    restricts nothing.
    """
    stored = {index: value.stored for index, value in enumerate(values) if not value.is_literal}
    held = await graph.find_holders(list(stored.values()), _MOST_ANCHORS)
    anchors = {index: ids for index, ids in zip(stored, held, strict=True) if ids}
    reachable = await asyncio.gather(
        *(
            graph.reachable(ids, hops, edge_budget=_EDGES, path_budget=_PATHS)
            for ids in anchors.values()
        )
    )
    pairs = zip(anchors, reachable, strict=True)
    return tuple(Grounding(index, paths, hops) for index, paths in pairs if not paths.cut)


async def _link_topic(question: Question, topic: str, graph: Graph) -> list[Mention]:
    """The mentions of the values that the whole topic names, at its place in the question.

    Where it has no place there, they stand at the end, as values found by their words.
    """
    mentions = await link_values(topic, graph)
    whole = [mention for mention in mentions if (mention.start, mention.end) == (0, len(topic))]
    if not whole:
        raise UnknownTopicError(
            f"no value in the graph is called {topic!r}", "give names as the graph has them"
        )
    if spans := find_occurrences(question.text, topic):
        return [replace(mention, start=spans[0].start, end=spans[0].end) for mention in whole]
    end = len(question.text)
    links = [replace(mention.best, how="words") for mention in whole]
    return [Mention(end, end, topic, (link,)) for link in links]
