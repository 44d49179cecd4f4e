"""Reason from rows: a hosted reasoner picks and words the answers of the query that was chosen.

It reads numbered evidence: the relationships that the rows are based on, then the relationships
around each answer and its properties. Values (a count, a date) were computed by the database: the
reasoner words them, and never picks among them.
Source: GraphRAFT, section on the local subgraph reasoner; a general model in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.domain.facts import Fact
from trellis.domain.graph import Node, NodeId, Walk
from trellis.domain.ports import Graph, Reasoner
from trellis.domain.reply import Answer, Finding, GroundedNode, Judgement
from trellis.steps.shared.reason import judge_findings

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
    question: str,
    pattern: str,
    judgement: Judgement,
    evidence: Sequence[Fact],
) -> RowJudgement:
    """The reasoner's choice among the answers of a judgement, and its sentence.

    The judgement is unchanged where there is no reasoner or no answer, and gets a note where the
    reasoner failed. `pattern`: the query as the model's sentence.
    """
    if reasoner is None or not judgement.answers:
        return RowJudgement(judgement, tuple(evidence))
    nodes = [answer.node for answer in judgement.answers]
    values = not all(node.id for node in nodes)
    around = [] if values else await _read_surrounding_facts(graph, nodes[:_MOST_DESCRIBED])
    known = (*_rename_nodes(evidence, nodes), *around)
    shown = (*known, *_state_values(pattern, nodes))
    finding = Finding(
        pattern, judgement.confidence, tuple(_ground_answers(judgement.answers, shown))
    )
    spoken = await judge_findings(
        reasoner, _UnchangedReasoner(judgement), question, [finding], shown
    )
    notes = (*judgement.notes, *spoken.notes)
    if values:
        return RowJudgement(replace(judgement, wording=spoken.wording, notes=notes), known)
    before = {answer.node.id: answer for answer in judgement.answers}
    answers = tuple(_restore_evidence(a, before[a.node.id], len(known)) for a in spoken.answers)
    return RowJudgement(replace(spoken, answers=answers, notes=notes), known)


@dataclass(frozen=True, slots=True)
class _UnchangedReasoner:
    """A reasoner that returns a given judgement: it stands in where the real one fails."""

    judgement: Judgement

    async def judge(
        self,
        question: str,  # noqa: ARG002
        findings: Sequence[Finding],  # noqa: ARG002
        evidence: Sequence[Fact],  # noqa: ARG002
    ) -> Judgement:
        return self.judgement


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


def _restore_evidence(answer: Answer, before: Answer, relationship_count: int) -> Answer:
    """The answer with its old score, and only relationships as evidence: cited or former ones.

    `relationship_count`: facts below this number are relationships.
    """
    cited = tuple(row for row in answer.evidence if row < relationship_count)
    return replace(answer, score=before.score, evidence=cited or before.evidence)
