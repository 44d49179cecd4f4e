"""Reason from rows: a hosted reasoner picks and words the answers of the query that was chosen.

It reads numbered evidence: the relationships that the rows stand on, then what is around each
answer and what the graph says of it. Values (a count, a date) are what the database computed:
they are worded, never picked.
Source: GraphRAFT, section on the local subgraph reasoner; a general model in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trellis.domain.facts import Fact
from trellis.domain.graph import Node, Walk
from trellis.domain.ports import Graph, Reasoner
from trellis.domain.reply import Answer, Finding, GroundedNode, Judgement
from trellis.steps.shared.reason import reason

_MOST = 20  # answers of which more is told than the rows they stand on
_FACTS = 10  # relationships around an answer, on average
_PROPERTIES = 6


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A judgement, and the evidence that its answers cite by number."""

    judgement: Judgement
    evidence: tuple[Fact, ...]


async def reason_rows(
    reasoner: Reasoner | None,
    graph: Graph,
    question: str,
    pattern: str,
    judged: Judgement,
    evidence: Sequence[Fact],
) -> Reasoned:
    """The reasoner's choice among the answers of a judgement, and its words.

    The judgement as it is where there is no reasoner or no answer, and with a note where it
    failed. `pattern`: the query as the model said it.
    """
    if reasoner is None or not judged.answers:
        return Reasoned(judged, tuple(evidence))
    nodes = [answer.node for answer in judged.answers]
    values = not all(node.id for node in nodes)
    around = [] if values else await _around(graph, nodes[:_MOST])
    known = (*_rename_nodes(evidence, nodes), *around)
    shown = (*known, *_state_values(pattern, nodes))
    finding = Finding(pattern, judged.confidence, tuple(_ground_answers(judged.answers, shown)))
    spoken = await reason(reasoner, _AsItIs(judged), question, [finding], shown)
    notes = (*judged.notes, *spoken.notes)
    if values:
        return Reasoned(replace(judged, wording=spoken.wording, notes=notes), known)
    before = {answer.node.id: answer for answer in judged.answers}
    answers = tuple(_grounded(one, before[one.node.id], len(known)) for one in spoken.answers)
    return Reasoned(replace(spoken, answers=answers, notes=notes), known)


@dataclass(frozen=True, slots=True)
class _AsItIs:
    """The reasoner that leaves a judgement as it was: what stands in for one that failed."""

    judgement: Judgement

    async def judge(
        self,
        question: str,  # noqa: ARG002
        findings: Sequence[Finding],  # noqa: ARG002
        evidence: Sequence[Fact],  # noqa: ARG002
    ) -> Judgement:
        return self.judgement


def _rename_nodes(evidence: Sequence[Fact], answers: Sequence[Node]) -> Iterator[Fact]:
    """The facts with the answers' nodes under the names that they answer by."""
    named = {node.id: node for node in answers if node.id}
    for fact in evidence:
        yield Fact.of_triples(
            [
                replace(
                    triple,
                    head=named.get(triple.head.id, triple.head),
                    tail=named.get(triple.tail.id, triple.tail),
                )
                for triple in fact.triples
            ]
        )


async def _around(graph: Graph, nodes: Sequence[Node]) -> list[Fact]:
    """The relationships around some nodes, each told from the node on."""
    ids = [node.id for node in nodes]
    around = await graph.neighbourhood(ids, 1, edge_budget=_FACTS * len(ids), names=True)
    named = {node.id: node for node in nodes}
    found = []
    for row in around.anchors.tolist():
        for entry in around.entries_of(row):
            node = Node(around.nodes[entry.target], around.names[entry.target])
            walk = Walk((named[around.nodes[row]], named.get(node.id, node)), (entry.step,))
            found.append(Fact.of_walk(walk))
    return list(dict.fromkeys(found))


def _state_values(pattern: str, nodes: Sequence[Node]) -> Iterator[Fact]:
    """What is told of answers that is no relationship: their properties; of values the query."""
    query = Node("", pattern.strip())
    for node in nodes:
        if not node.id:
            yield Fact(f"{query.name} -gives-> {node.name}", (query, _identify(node)))
    for node in nodes[:_MOST]:
        for key, value in sorted((node.properties or {}).items())[:_PROPERTIES]:
            yield Fact.of_value(node, key, value)


def _ground_answers(answers: Sequence[Answer], shown: Sequence[Fact]) -> Iterator[GroundedNode]:
    for answer in answers:
        node = _identify(answer.node)
        yield GroundedNode(node, tuple(fact for fact in shown if node in fact.nodes)[:1])


def _identify(node: Node) -> Node:
    """A node by which a value is told from others."""
    return node if node.id else replace(node, id=node.name)


def _grounded(answer: Answer, before: Answer, known: int) -> Answer:
    """The answer on relationships alone: those cited, else those that its rows stand on."""
    cited = tuple(row for row in answer.evidence if row < known)
    return replace(answer, score=before.score, evidence=cited or before.evidence)
