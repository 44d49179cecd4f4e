"""Verify: the facts of an answer are looked up in the database right before it is given.

A graph may change while a question is answered. A fact that has left the graph is no evidence,
and an answer without other evidence is dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from trellis.domain.graphs.facts import Fact, PropertyFact, Statement
from trellis.domain.graphs.graph import NodeId, Triple
from trellis.domain.ports import Graph
from trellis.domain.replies.reply import Finding, Judgement


async def verify_judgement(
    graph: Graph, judgement: Judgement, findings: Sequence[Finding], evidence: Sequence[Fact]
) -> Judgement:
    """The judgement without facts that have left the graph; a note says how many there were."""
    rows = sorted({row for answer in judgement.answers for row in answer.evidence})
    cited = list(dict.fromkeys(each for row in rows for each in evidence[row].statements))
    gone = {each for each, is_true in (await check_statements(graph, cited)).items() if not is_true}
    return _drop_gone_facts(gone, judgement, findings, evidence) if gone else judgement


async def check_statements(
    graph: Graph, statements: Sequence[Statement]
) -> Mapping[Statement, bool]:
    """For each statement whether the graph says so now."""
    triples = [each for each in statements if isinstance(each, Triple)]
    properties = [each for each in statements if isinstance(each, PropertyFact)]
    found = await graph.check_triples(triples) if triples else ()
    values = await graph.check_properties(properties) if properties else ()
    checked = dict[Statement, bool](zip(triples, found, strict=True))
    return checked | dict(zip(properties, values, strict=True))


def _drop_gone_facts(
    gone_statements: Collection[Statement],
    judgement: Judgement,
    findings: Sequence[Finding],
    evidence: Sequence[Fact],
) -> Judgement:
    showing = _find_supporting_facts(gone_statements, findings)
    answers = []
    for answer in judgement.answers:
        holding = tuple(
            row for row in answer.evidence if evidence[row] in showing.get(answer.node.id, ())
        )
        if holding:
            answers.append(replace(answer, evidence=holding))
    note = _write_note(len(gone_statements), len(judgement.answers) - len(answers))
    return replace(judgement, answers=tuple(answers), notes=(*judgement.notes, note))


def _find_supporting_facts(
    gone_statements: Collection[Statement], findings: Sequence[Finding]
) -> Mapping[NodeId, set[Fact]]:
    """For each node the facts that still show it; facts that show it together count together."""
    showing: dict[NodeId, set[Fact]] = {}
    for finding in findings:
        for grounded in finding.nodes:
            if not any(
                each in gone_statements for fact in grounded.facts for each in fact.statements
            ):
                showing.setdefault(grounded.node.id, set()).update(grounded.facts)
    return showing


def _write_note(fact_count: int, answer_count: int) -> str:
    lost = f", and {answer_count} answers with them" if answer_count else ""
    return f"{fact_count} facts left the graph while the question was answered{lost}"
