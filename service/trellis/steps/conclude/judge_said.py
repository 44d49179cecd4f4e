"""Judge the nodes whose texts say what a question wants them to say."""

from __future__ import annotations

from trellis.domain.graphs.facts import Fact
from trellis.domain.replies.reply import Answer, Judgement
from trellis.steps.retrieve.described.saying_nodes import SayingNode, SayingNodes

_SURE = 0.9
"""Confidence in nodes whose texts were read: what may be wrong is how the question was read."""


def judge_said(found: SayingNodes) -> tuple[Judgement, tuple[Fact, ...]]:
    """All nodes as answers, and their evidence: of each the passages that say it, and what relates
    it to what the question names."""
    facts: dict[Fact, int] = {}
    answers = []
    for each in found.nodes:
        own = [facts.setdefault(fact, len(facts)) for fact in _list_facts(each)]
        answers.append(Answer(each.node, _SURE, tuple(own)))
    return Judgement(tuple(answers), _SURE), tuple(facts)


def _list_facts(saying: SayingNode) -> list[Fact]:
    passages = dict.fromkeys(each.as_fact(saying.node) for each in saying.passages)
    said = [Fact.of_statements((), (passage,)) for passage in passages]
    return [*said, *(Fact.of_triples((triple,)) for triple in saying.triples)]
