"""Namesakes: several nodes of one name that a question speaks of, or that answer it.

Answers are told apart by what differs. Where the question asks for one thing, a name in it may as
well mean several nodes, and these answer it differently, the question is asked back: the reply
claims nothing and offers the nodes as choices.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from trellis.domain.graphs.graph import Node, NodeId
from trellis.domain.graphs.links import Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.domain.limits.many_rows import work_through_rows
from trellis.domain.ports import Graph
from trellis.domain.replies.reply import MOST_NEAREST, Answer, NodeChoice, Reply
from trellis.domain.structures.cypher import nodes_in
from trellis.lexicon.plurals import is_plural
from trellis.linking.text import name_key
from trellis.steps.conclude.tell_apart import tell_apart
from trellis.steps.link.question_form import QuestionForm


async def tell_namesakes(graph: Graph, reply: Reply) -> Reply:
    """The reply with its answers told apart, or asked back where one of several is meant."""
    if len(reply.answers) < 2 and reply.rows is None:
        return reply
    rows = len(reply.answers) + (len(reply.rows.rows) if reply.rows else 0)
    told = await tell_apart(graph, await work_through_rows(rows, _list_nodes, reply))
    if not told:
        return reply
    answers = tuple(_distinguish(answer, reply, told) for answer in reply.answers)
    apart = replace(reply, answers=answers, distinctions=told)
    schema = await graph.schema()
    if reply.verdict or not _asks_for_one(QuestionForm(reply.question, reply.mentions, schema)):
        return apart
    for mention in reply.mentions:
        nodes = await _find_meant_nodes(mention, graph, schema)
        if len(nodes) > 1 and _answer_differently(nodes, reply):
            return await _ask_back(graph, apart, mention, nodes)
    return apart


def _list_nodes(reply: Reply) -> Collection[Node]:
    """The nodes of the answers, of the facts that they cite, and of the rows, each once."""
    return dict.fromkeys(_iterate_nodes(reply))


def _iterate_nodes(reply: Reply) -> Iterator[Node]:
    for answer in reply.answers:
        yield answer.node
        yield from _list_fact_nodes(answer, reply)
    for row in reply.rows.rows if reply.rows else ():
        for cell in row:
            yield from nodes_in(cell)


def _list_fact_nodes(answer: Answer, reply: Reply) -> list[Node]:
    return [node for row in answer.evidence for node in reply.evidence[row].nodes]


def _distinguish(answer: Answer, reply: Reply, told: Mapping[NodeId, str]) -> Answer:
    """The answer with what tells it apart: itself, or else the nodes that it is of."""
    if own := told.get(answer.node.id):
        return replace(answer, distinction=own)
    of = {node.id: node for node in _list_fact_nodes(answer, reply) if node.id in told}
    return replace(answer, distinction="; ".join(f"{of[id].name}, {told[id]}" for id in of))


def _asks_for_one(form: QuestionForm) -> bool:
    """Whether the question asks for one thing: no noun of a label in it is a plural, nor is the
    first word that says what is asked for."""
    words = [form.parsed.text_of(atom.span).lower() for atom in form.unlinked_words]
    return form.vocabulary.plurals.isdisjoint(words) and not any(map(is_plural, words[:1]))


async def _find_meant_nodes(mention: Mention, graph: Graph, schema: Schema) -> list[Node]:
    """The nodes that a mention means equally well, all of one name."""
    best = mention.best.target
    if isinstance(best, Node):
        linked = [link.node for link in mention.links if link.score >= mention.score]
        return list({node.id: node for node in linked if node.name == best.name}.values())
    tied = [link.stored for link in mention.links if link.score >= mention.score]
    labels = {value.label for value in tied if value.value == best.value and _names(value, schema)}
    if not labels:
        return []
    called = await graph.find_by_key([name_key(str(best.value))])
    nodes = {node.id: node for each in called.values() for node in each}
    return [n for n in nodes.values() if n.name == best.value and labels & set(n.labels)]


def _names(value: StoredValue, schema: Schema) -> bool:
    """Whether a value is of the property that names its label."""
    kinds = [kind for kind in schema.labels if kind.label == value.label]
    return any(kind.naming == value.property for kind in kinds)


def _answer_differently(nodes: Collection[Node], reply: Reply) -> bool:
    """Whether several of the nodes lead to answers, and not all to the same ones."""
    ids = {node.id for node in nodes}
    of: dict[NodeId, set[str]] = {}
    for answer in reply.answers:
        for node in _list_fact_nodes(answer, reply):
            if node.id in ids:
                of.setdefault(node.id, set()).add(answer.node.id or answer.node.name)
    return len(of) > 1 and len(set(map(frozenset, of.values()))) > 1


async def _ask_back(graph: Graph, reply: Reply, mention: Mention, nodes: Sequence[Node]) -> Reply:
    told = await tell_apart(graph, nodes)
    choices = tuple(NodeChoice(node, told[node.id]) for node in nodes if node.id in told)
    more = f" (the first {len(choices)} are offered)" if len(choices) < len(nodes) else ""
    reason = f"“{mention.text}” may mean any of {len(nodes):,} nodes of that name{more}"
    silent = reply.hold_back(f"{reason}: choose one")
    return replace(silent, nearest=reply.answers[:MOST_NEAREST], choices=choices)
