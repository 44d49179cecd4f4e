"""Judge what a question describes: ranked answers, and how sure the first one is.

The weights were fitted on 74 questions over two graphs with texts (Debian packages, and the
documentation of Python's library), as they were embedded then. Of right against wrong the area
under the curve is now .95 and .76 (decision 0177).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node
from trellis.domain.models.calibration import logistic
from trellis.domain.models.card import Calibration
from trellis.domain.replies.reply import MOST_NEAREST, Answer, Judgement
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.described.described_nodes import DescribedNode
from trellis.steps.retrieve.described.sentences import find_telling_part

CONFIDENCE = Calibration(
    weights={
        "bias": -2.9,
        "near": 2.0,
        "lead": 2.4,
        "said": 2.8,
        "backed": 1.2,
        "strange": -2.7,
    },
    abstain_below=0.5,
)
"""How sure an answer is by the features of `align.described_fit`."""

_MOST = 20  # answers
_QUOTED, _MOST_QUOTED = 0.25, 0.9  # what a sentence's closeness is raised by, and to at most
_BELOW = 0.35  # score below the first at which a node is no answer any more


def judge_described(
    form: QuestionForm, nodes: Sequence[DescribedNode], features: Mapping[str, float]
) -> tuple[Judgement, tuple[Fact, ...]]:
    """The answers, best first, and their evidence: of each what its nearest passage says of the
    question, and what relates it to what the question names. Where the first is not sure enough,
    without either: the first ones only came nearest."""
    sure = logistic(features, CONFIDENCE.weights)
    kept = [each for each in nodes[:_MOST] if each.score >= nodes[0].score - _BELOW]
    facts: dict[Fact, int] = {}
    answers = []
    for each in kept:
        own = [facts.setdefault(fact, len(facts)) for fact in _list_facts(each, form)]
        score = sure * max(0.0, each.score) / max(nodes[0].score, 1e-9)
        answers.append(Answer(each.match.node, min(1.0, score), tuple(own)))
    if sure < CONFIDENCE.abstain_below:
        return Judgement((), sure, nearest=_list_nearest(answers, kept, form)), ()
    return Judgement(tuple(answers), sure), tuple(facts)


def judge_quoted(nodes: Sequence[Node], closeness: float) -> Judgement:
    """The answers that a sentence names, all shown by that sentence. `closeness`: its cosine to the
    question, which among sentences about one node is lower than among texts about many."""
    sure = min(_MOST_QUOTED, max(0.0, closeness + _QUOTED))
    answers = tuple(Answer(node, sure, (0,)) for node in nodes)
    if sure < CONFIDENCE.abstain_below:
        return Judgement((), sure, nearest=answers[:MOST_NEAREST])
    return Judgement(answers, sure)


def _list_nearest(
    answers: Sequence[Answer], nodes: Sequence[DescribedNode], form: QuestionForm
) -> tuple[Answer, ...]:
    """The first answers as candidates: each with what its text says, for the asker to judge."""
    excerpts = (
        "".join(find_telling_part(each, form.text).text for each in node.match.passages[:1])
        for node in nodes
    )
    return tuple(
        replace(answer, evidence=(), excerpt=excerpt)
        for answer, excerpt in zip(answers[:MOST_NEAREST], excerpts, strict=False)
    )


def _list_facts(described: DescribedNode, form: QuestionForm) -> list[Fact]:
    parts = [find_telling_part(each, form.text) for each in described.match.passages[:1]]
    said = [Fact.of_statements((), (each.as_fact(described.match.node),)) for each in parts]
    return [*said, *(Fact.of_triples((triple,)) for triple in described.backing)]
