"""Verify: the facts of an answer are looked up in the database right before it is given.

A graph may change while a question is answered. A fact that has left the graph is no evidence,
and an answer without other evidence is dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from trellis.domain.facts import Fact
from trellis.domain.graph import NodeId, Triple
from trellis.domain.ports import Graph
from trellis.domain.reply import Finding, Judgement


async def verify_judgement(
    graph: Graph, judgement: Judgement, findings: Sequence[Finding], evidence: Sequence[Fact]
) -> Judgement:
    """The judgement without facts that have left the graph; a note says how many there were."""
    rows = sorted({row for answer in judgement.answers for row in answer.evidence})
    cited = list(dict.fromkeys(t for row in rows for t in evidence[row].triples))
    checks = await graph.check_triples(cited) if cited else ()
    gone = {triple for triple, exists in zip(cited, checks, strict=True) if not exists}
    return _drop_gone_facts(gone, judgement, findings, evidence) if gone else judgement


def _drop_gone_facts(
    gone_triples: Collection[Triple],
    judgement: Judgement,
    findings: Sequence[Finding],
    evidence: Sequence[Fact],
) -> Judgement:
    showing = _find_supporting_facts(gone_triples, findings)
    answers = []
    for answer in judgement.answers:
        holding = tuple(
            row for row in answer.evidence if evidence[row] in showing.get(answer.node.id, ())
        )
        if holding:
            answers.append(replace(answer, evidence=holding))
    note = _write_note(len(gone_triples), len(judgement.answers) - len(answers))
    return replace(judgement, answers=tuple(answers), notes=(*judgement.notes, note))


def _find_supporting_facts(
    gone_triples: Collection[Triple], findings: Sequence[Finding]
) -> Mapping[NodeId, set[Fact]]:
    """For each node the facts that still show it; facts that show it together count together."""
    showing: dict[NodeId, set[Fact]] = {}
    for finding in findings:
        for grounded in finding.nodes:
            if not any(
                triple in gone_triples for fact in grounded.facts for triple in fact.triples
            ):
                showing.setdefault(grounded.node.id, set()).update(grounded.facts)
    return showing


def _write_note(fact_count: int, answer_count: int) -> str:
    lost = f", and {answer_count} answers with them" if answer_count else ""
    return f"{fact_count} facts left the graph while the question was answered{lost}"
