"""Reason from rows: a hosted reasoner picks and words the answers of the query that was chosen.

It reads numbered evidence: the relationships that the rows stand on, then what is around each
answer and what the graph says of it. Values (a count, a date) are what the database computed:
they are worded, never picked.
Source: GraphRAFT, section on the local subgraph reasoner; a general model in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trellis.domain.graph import Node, Reached, Step, Walk
from trellis.domain.ports import Graph, Reasoner
from trellis.domain.reply import Answer, Finding, Judgement
from trellis.steps.shared.reason import reason

_MOST = 20  # answers of which more is told than the rows they stand on
_FACTS = 10  # relationships around an answer, on average
_PROPERTIES = 6


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A judgement, and the evidence that its answers cite by number."""

    judgement: Judgement
    evidence: tuple[Walk, ...]


async def reason_rows(
    reasoner: Reasoner | None,
    graph: Graph,
    question: str,
    pattern: str,
    judged: Judgement,
    evidence: Sequence[Walk],
) -> Reasoned:
    """The reasoner's choice among the answers of a judgement, and its words.

    The judgement as it is where there is no reasoner or no answer, and with a note where it
    failed. `pattern`: the query as the model said it.
    """
    if reasoner is None or not judged.answers:
        return Reasoned(judged, tuple(evidence))
    nodes = [answer.node for answer in judged.answers]
    values = not all(node.id for node in nodes)
    known = (*_renamed(evidence, nodes), *(() if values else await _around(graph, nodes[:_MOST])))
    shown = (*known, *_stated(pattern, nodes))
    finding = Finding(pattern, judged.confidence, tuple(_reached(judged.answers, shown)))
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
        evidence: Sequence[Walk],  # noqa: ARG002
    ) -> Judgement:
        return self.judgement


def _renamed(evidence: Sequence[Walk], answers: Sequence[Node]) -> Iterator[Walk]:
    """The walks with the answers' nodes under the names that they answer by."""
    named = {node.id: node for node in answers if node.id}
    for walk in evidence:
        yield replace(walk, nodes=tuple(named.get(node.id, node) for node in walk.nodes))


async def _around(graph: Graph, nodes: Sequence[Node]) -> list[Walk]:
    """The relationships around some nodes, each as a walk from the node."""
    ids = [node.id for node in nodes]
    around = await graph.neighbourhood(ids, 1, edge_budget=_FACTS * len(ids), names=True)
    named = {node.id: node for node in nodes}
    found = []
    for row in around.anchors.tolist():
        for entry in range(around.offsets[row], around.offsets[row + 1]):
            end = int(around.targets[entry])
            other = named.get(around.nodes[end], Node(around.nodes[end], around.names[end]))
            kind = around.relation_types[around.types[entry]]
            step = Step(kind, bool(around.directions[entry]))
            found.append(Walk((named[around.nodes[row]], other), (step,)))
    return list(dict.fromkeys(found))


def _stated(pattern: str, nodes: Sequence[Node]) -> Iterator[Walk]:
    """What is told of answers that is no relationship: their properties; of values the query."""
    query = Node("", pattern.strip())
    for node in nodes:
        if not node.id:
            yield Walk((query, _identified(node)), (Step("gives"),))
    for node in nodes[:_MOST]:
        for key, value in sorted((node.properties or {}).items())[:_PROPERTIES]:
            yield Walk((node, Node("", str(value))), (Step(key),))


def _reached(answers: Sequence[Answer], shown: Sequence[Walk]) -> Iterator[Reached]:
    for answer in answers:
        node = _identified(answer.node)
        yield Reached(node, next((w for w in shown if node in w.nodes), Walk((node,), ())))


def _identified(node: Node) -> Node:
    """A node by which a value is told from others."""
    return node if node.id else replace(node, id=node.name)


def _grounded(answer: Answer, before: Answer, known: int) -> Answer:
    """The answer on relationships alone: those cited, else those that its rows stand on."""
    cited = tuple(row for row in answer.evidence if row < known)
    return replace(answer, score=before.score, evidence=cited or before.evidence)
