"""Plain queries: gold Cypher that is nothing but paths from named nodes that meet in its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.meaning.query import QueryEdge, QueryGraph
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.domain.structures.cypher import CypherQuery
from trellis.questions.row import GoldPath, QuestionRow
from trellis.steps.describe.queries.read_meaning import QueryMeaning, read_meaning
from trellis.training.contract import LessonRequest


def read_plain_queries(request: LessonRequest) -> LessonRequest:
    """The request with the paths of gold queries that are nothing else."""
    given, examples = request.questions, request.examples
    return replace(
        request,
        questions=None if given is None else add_plain_paths(given, request.schema),
        examples=add_plain_paths(examples, request.schema),
    )


def add_plain_paths(questions: Sequence[QuestionRow], schema: Schema) -> list[QuestionRow]:
    """The questions; those with a query that is plain have its paths too."""
    return [
        replace(asked, paths=read_plain_paths(asked, schema))
        if asked.cypher and not asked.paths
        else asked
        for asked in questions
    ]


def read_plain_paths(asked: QuestionRow, schema: Schema) -> tuple[GoldPath, ...]:
    """The paths of a gold query; none where it says more than paths that meet in its answer."""
    meaning = read_meaning(CypherQuery(asked.cypher, asked.params))
    if meaning is None or not _is_plain(meaning.graph, schema):
        return ()
    graph, paths = meaning.graph, list[GoldPath]()
    for node in range(len(graph.nodes)):
        topic = _find_topic(meaning, node, schema)
        if topic is None:
            return ()
        if topic:
            steps = _follow_edges(graph, node, schema)
            if not steps:
                return ()
            paths.append(GoldPath(topic, steps))
    covered = sum(len(path.steps) for path in paths)
    return tuple(paths) if covered == len(graph.edges) else ()


def _is_plain(graph: QueryGraph, schema: Schema) -> bool:
    """Whether it returns one node of one pattern, or its name, and all of them."""
    if len(graph.items) != 1 or graph.is_grouped:
        return False
    [item] = graph.items
    label = schema.label(graph.nodes[item.node].label)
    named = item.key == (label.naming if label else None)
    if item.part or item.term or item.edge is not None or not (named or not item.key):
        return False
    more = graph.orders or graph.limit is not None or graph.skip or graph.scopes
    plain = all(edge.type and not edge.filters for edge in graph.edges)
    return not more and plain and all(node.same is None for node in graph.nodes)


def _find_topic(meaning: QueryMeaning, node: int, schema: Schema) -> str | None:
    """The name that a node must have, empty for any; None where something else is asked of it."""
    found = meaning.graph.nodes[node]
    if not found.filters:
        return ""
    label = schema.label(found.label)
    [first, *others] = found.filters
    is_name = label is not None and first.property == label.naming and first.operator == "="
    if others or not is_name or first.is_negated or first.part or len(first.list_choices()) != 1:
        return None
    [value] = first.list_choices()[0][:1]
    text = meaning.values[value].value
    return text if isinstance(text, str) else None


def _follow_edges(graph: QueryGraph, start: int, schema: Schema) -> tuple[Step, ...]:
    """The steps from a node to the answer; none where the way forks before it."""
    answer, at = graph.items[0].node, start
    steps, used = list[Step](), set[int]()
    while at != answer:
        beside = [i for i, e in enumerate(graph.edges) if at in (e.source, e.target)]
        onward = [i for i in beside if i not in used]
        if len(onward) != 1 or len(beside) > 2:
            return ()
        used.add(onward[0])
        edge = graph.edges[onward[0]]
        is_outgoing = _find_direction(graph, edge, schema)
        if is_outgoing is None:
            return ()
        steps.append(Step(edge.type, is_outgoing != (edge.source == at)))
        at = edge.target if edge.source == at else edge.source
    return tuple(steps)


def _find_direction(graph: QueryGraph, edge: QueryEdge, schema: Schema) -> bool | None:
    """Whether a relationship leads from its source to its target; None where it may do either."""
    if edge.direction != "any":
        return edge.direction == "out"
    ends = graph.nodes[edge.source].label, graph.nodes[edge.target].label
    ways = {
        outgoing
        for kind in schema.relationships
        if kind.type == edge.type
        for outgoing in (True, False)
        if all(
            not label or label == other
            for label, other in zip(
                ends if outgoing else ends[::-1], (kind.start_label, kind.end_label), strict=True
            )
        )
    }
    return ways.pop() if len(ways) == 1 else None
