"""Path confidence: features from which the confidence in a reply is estimated.

A model that may only say what is in the graph is sure of the best path it finds even where the
question means none. So its probability is joined by other features: how well the names were
linked, whether the path starts from all of them, how many of the question's words the model knows,
how similar an embedding model finds the path and the question, token by token too, and how many of
the path's steps the question speaks of.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from trellis.domain.graphs.graph import PathQuery, RelationPath, Step
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.models.calibration import DIRECTION, log_odds
from trellis.domain.models.decoding import bound_support
from trellis.domain.ports import Embedder
from trellis.domain.replies.reply import CandidateOutcome
from trellis.steps.align.said_steps import measure_own_words, measure_said_steps
from trellis.steps.align.token_alignment import measure_alignment
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.unlinked_words import (
    measure_known_share,
    measure_similarity,
)


async def extract_path_features(
    form: QuestionForm, candidates: Sequence[CandidateOutcome], embedder: Embedder | None
) -> Mapping[str, float]:
    """Features of the first candidate that reaches a node; empty where none does.

    `belief`: log-odds that its first node is an answer. `link`: the worst score of the mentions
    that it starts from. `used`: the share of all mentions that it starts from. `known`: the share
    of the question's words outside mentions that are in its wording. `meaning`: the cosine between
    those words and the words of its relations and of its first node's labels. `said`: the share of
    its steps that the question speaks of. `own`: as of `measure_own_words`. `support`: the log of
    the share of the model's probability that the language left along it, as `bound_support` gives
    it. `aligned_…`: how its reading aligns with the question, as `Alignment`. `direction`: as of
    `estimate_confidence`.
    """
    reaching = [candidate for candidate in candidates if candidate.first_nodes]
    if not reaching:
        return {}
    best, mentions, own = reaching[0], form.mentions, form.unlinked_words
    belief = math.fsum(math.exp(c.score) for c in reaching if best.first_nodes[0] in c.first_nodes)
    used = {path.mention for path in _list_paths(best)}
    return {
        "belief": log_odds(belief),
        "link": min((mentions[number].score for number in used), default=0.0),
        "used": len(used) / len(mentions) if mentions else 0.0,
        "known": measure_known_share(own),
        "meaning": await measure_similarity(form.text, own, _describe_candidate(best), embedder),
        "said": measure_said_steps(form, _list_steps(best)),
        "own": measure_own_words(form, _list_steps(best), best.reading),
        "support": bound_support(best.support or 0.0),
        **await measure_alignment(form.text, best.reading, embedder),
        DIRECTION: _measure_direction(best, reaching),
    }


def _measure_direction(best: CandidateOutcome, reaching: Sequence[CandidateOutcome]) -> float:
    """The share of a candidate's probability among those that differ from it in directions alone
    and lead to other nodes, or would lead there if the graph had them."""
    own, alike = _leave_out_directions(best), list[float]()
    for candidate in reaching:
        is_turned = candidate.first_nodes[0] not in best.first_nodes
        if is_turned and _leave_out_directions(candidate) == own:
            alike.append(candidate.score - best.score)
    return math.exp(best.turned) / (1 + math.fsum(map(math.exp, alike)))


def _leave_out_directions(candidate: CandidateOutcome) -> list[tuple[int, list[str]]]:
    """The mentions and relations of a candidate's paths."""
    paths = _list_paths(candidate)
    return [(path.mention, [step.relation for step in path.steps]) for path in paths]


def _describe_candidate(candidate: CandidateOutcome) -> str:
    """The words of a candidate's relations and of its first node's labels."""
    named = [*(step.relation for step in _list_steps(candidate)), *candidate.first_nodes[0].labels]
    return " ".join(word for name in named for word in relation_words(name))


def _list_steps(candidate: CandidateOutcome) -> list[Step]:
    return [step for path in _list_paths(candidate) for step in path.steps]


def _list_paths(candidate: CandidateOutcome) -> tuple[RelationPath, ...]:
    return candidate.query.paths if isinstance(candidate.query, PathQuery) else ()
