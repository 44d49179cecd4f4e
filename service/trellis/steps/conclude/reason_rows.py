"""Reason from rows: a hosted reasoner words the answers of the query that was chosen.

It reads numbered evidence: the relationships that the rows are based on, then the relationships
around each answer and its properties. What it says is followed as far as it can do no harm
(`conclude/apply_review`); values (a count, a date) and rows in an order stay as the database gave
them.
Source: GraphRAFT, section on the local subgraph reasoner; a general model in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, NodeId, Walk
from trellis.domain.ports import Graph, Reasoner
from trellis.domain.replies.reply import Answer, Finding, GroundedNode, Judgement
from trellis.steps.conclude.reason import review_judgement
from trellis.steps.link.question_form import QuestionForm

_MOST_DESCRIBED = 20  # answers whose surroundings and properties are shown too
_FACTS = 10  # relationships around an answer, on average
_PROPERTIES = 6


@dataclass(frozen=True, slots=True)
class RowJudgement:
    """A judgement, and the evidence that its answers cite by number."""

    judgement: Judgement
    evidence: tuple[Fact, ...]


async def reason_rows(
    reasoner: Reasoner | None,
    graph: Graph,
    form: QuestionForm,
    pattern: str,
    judgement: Judgement,
    evidence: Sequence[Fact],
    is_ordered: bool = False,
) -> RowJudgement:
    """The judgement with the reasoner's sentence and order.

    It is unchanged where there is no reasoner or no answer, and gets a note where the reasoner
    failed. `pattern`: the query as the model's sentence. `is_ordered`: whether the order of the
    answers is the query's.
    """
    if reasoner is None or not judgement.answers:
        return RowJudgement(judgement, tuple(evidence))
    nodes = [answer.node for answer in judgement.answers]
    values = not all(node.id for node in nodes)
    around = [] if values else await _read_surrounding_facts(graph, nodes[:_MOST_DESCRIBED])
    known = (*_rename_nodes(evidence, nodes), *around)
    shown = (*known, *_state_values(pattern, nodes))
    grounded = tuple(_ground_answers(judgement.answers, shown))
    finding = Finding(pattern, judgement.confidence, grounded)
    reviewed = await review_judgement(reasoner, form, judgement, [finding], shown)
    if values or (is_ordered and len(reviewed.answers) == len(nodes)):
        return RowJudgement(replace(reviewed, answers=judgement.answers), known)
    answers = tuple(_keep_relationships(answer, len(known)) for answer in reviewed.answers)
    return RowJudgement(replace(reviewed, answers=answers), known)


def _rename_nodes(evidence: Sequence[Fact], answers: Sequence[Node]) -> Iterator[Fact]:
    """The facts, with the answers' nodes under the names that the answers have."""
    named = {node.id: node for node in answers if node.id}
    for fact in evidence:
        if any(node.id in named for node in fact.nodes):
            yield _rename_fact(fact, named)
        else:
            yield fact


def _rename_fact(fact: Fact, named: Mapping[NodeId, Node]) -> Fact:
    return Fact.of_statements(
        [
            replace(
                triple,
                head=named.get(triple.head.id, triple.head),
                tail=named.get(triple.tail.id, triple.tail),
            )
            for triple in fact.triples
        ],
        [replace(each, node=named.get(each.node.id, each.node)) for each in fact.properties],
    )


async def _read_surrounding_facts(graph: Graph, nodes: Sequence[Node]) -> list[Fact]:
    """The relationships around some nodes, each as a walk that starts at the node."""
    ids = [node.id for node in nodes]
    around = await graph.neighbourhood(ids, 1, edge_budget=_FACTS * len(ids), names=True)
    named = {node.id: node for node in nodes}
    facts = []
    for row in around.anchors.tolist():
        for entry in around.entries_of(row):
            node = Node(around.nodes[entry.target], around.names[entry.target])
            walk = Walk((named[around.nodes[row]], named.get(node.id, node)), (entry.step,))
            facts.append(Fact.of_walk(walk))
    return list(dict.fromkeys(facts))


def _state_values(pattern: str, nodes: Sequence[Node]) -> Iterator[Fact]:
    """Facts that are no relationships: properties of nodes, and the query that gives a value."""
    query = Node("", pattern.strip())
    for node in nodes:
        if not node.id:
            yield Fact(f"{query.name} -gives-> {node.name}", (query, _give_id(node)))
    for node in nodes[:_MOST_DESCRIBED]:
        for key, value in sorted((node.properties or {}).items())[:_PROPERTIES]:
            yield Fact.of_value(node, key, value)


def _ground_answers(answers: Sequence[Answer], shown: Sequence[Fact]) -> Iterator[GroundedNode]:
    """The answers as grounded nodes, each with the first fact that contains it."""
    for answer in answers:
        node = _give_id(answer.node)
        yield GroundedNode(node, tuple(fact for fact in shown if node in fact.nodes)[:1])


def _give_id(node: Node) -> Node:
    """The node; a value gets its name as id, by which it is told from other values."""
    return node if node.id else replace(node, id=node.name)


def _keep_relationships(answer: Answer, relationship_count: int) -> Answer:
    """The answer with only relationships as evidence: facts below `relationship_count`."""
    rows = tuple(row for row in answer.evidence if row < relationship_count)
    return replace(answer, evidence=rows)
