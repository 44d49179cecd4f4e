"""Judge a query: turn its rows into answers with evidence, and estimate the confidence in them.

Answers of too little confidence are held back. A trusted query without rows is an answer too: that
there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.calibration import estimate_confidence
from trellis.domain.models.card import Calibration
from trellis.domain.replies.reply import MOST_NEAREST, Answer, Judgement
from trellis.domain.structures.cypher import Rows
from trellis.steps.conclude.queries.rank_queries import QueryChoice
from trellis.steps.ground.queries.answer_cells import list_answers
from trellis.steps.ground.queries.query_evidence import QueryEvidence

NO_ANSWER_NOTE = "the query that is believed matches nothing: the answer is that there is none"


def judge_query(
    choice: QueryChoice,
    rows: Rows,
    evidence: QueryEvidence,
    schema: Schema,
    calibration: Calibration,
    features: Mapping[str, float],
) -> Judgement:
    """The answers that the rows give; none where the confidence is below the threshold.

    The confidence is a logistic regression over the features `features`; without fitted weights it
    is the belief in the query.
    """
    answers = _build_answers(list_answers(rows, schema, None), choice.belief, evidence)
    weights = calibration.weights
    sure = estimate_confidence(features, weights) if weights else choice.belief
    if not choice.is_settled or sure < calibration.abstain_below:
        return Judgement((), sure, nearest=answers[:MOST_NEAREST])
    if choice.run.has_results:
        return Judgement(answers, sure)
    return Judgement(answers, sure, notes=(NO_ANSWER_NOTE,), claims_none=True)


def _build_answers(
    nodes: Sequence[Node], belief: float, evidence: QueryEvidence
) -> tuple[Answer, ...]:
    """Answers with the facts that each of them is read from."""
    return tuple(Answer(node, belief, evidence.find_facts(node)) for node in nodes)
