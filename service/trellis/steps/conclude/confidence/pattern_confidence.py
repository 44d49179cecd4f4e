"""Pattern confidence: features from which the confidence in a reply is estimated.

A model is sure of a pattern that it writes often, even where the question means another one. So its
probability is joined by other features: how near the subgraph is that it was found as, how far the
next answers are behind, how well the names were linked, whether the pattern holds all of them, how
many of the question's words the model knows, how similar an embedding model finds both, how many of
its relations the question speaks of, and whether nodes answer the question at all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.models.calibration import log_odds
from trellis.domain.ports import Embedder
from trellis.domain.structures.question_patterns import MentionNode
from trellis.steps.align.said_steps import measure_said_steps
from trellis.steps.ground.patterns.ground_patterns import GroundedReading
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.unlinked_words import (
    measure_known_share,
    measure_similarity,
)
from trellis.steps.retrieve.patterns.located_patterns import LocatedPattern


async def extract_pattern_features(
    form: QuestionForm, grounded: Sequence[GroundedReading], embedder: Embedder | None
) -> Mapping[str, float]:
    """Features of the first reading that finds a node; empty where none does.

    `belief`: log-odds that its first node is an answer. `margin`: of that chance, what the
    likeliest reading without this node has less. `distance`: of its nearest subgraph. `link`: the
    worst score of its mentions. `used`: the share of all mentions that it holds. `known`: the share
    of the question's words outside mentions that are in its wording. `meaning`: the cosine between
    those words and the words of its relations and of its first node's labels. `said`: the share of
    its relations that the question speaks of. `node`: 0 where the question asks for a value, else
    1.
    """
    finding = [each for each in grounded if each.finding.nodes]
    if not finding:
        return {}
    best, mentions, own = finding[0], form.mentions, form.unlinked_words
    first = best.finding.nodes[0].node
    belief = math.fsum(e.finding.probability for e in finding if _gives(e, first))
    rival = max((e.finding.probability for e in finding if not _gives(e, first)), default=0.0)
    nodes = best.reading.located.pattern.nodes
    used = {node.index for node in nodes if isinstance(node, MentionNode)}
    said = _describe_reading(best.reading.located, first)
    return {
        "belief": log_odds(belief),
        "margin": belief - rival,
        "distance": best.reading.located.distance,
        "link": min((mentions[number].score for number in used), default=0.0),
        "used": len(used) / len(mentions) if mentions else 0.0,
        "known": measure_known_share(own),
        "meaning": await measure_similarity(form.text, own, said, embedder),
        "said": measure_said_steps(form, best.reading.located.steps),
        "node": float(not form.asks_value),
    }


def _gives(grounded: GroundedReading, node: Node) -> bool:
    return any(each.node == node for each in grounded.finding.nodes)


def _describe_reading(located: LocatedPattern, first: Node) -> str:
    """The words of a reading's relations and of its first node's labels."""
    named = [*(step.relation for step in located.steps), *first.labels]
    return " ".join(word for name in named for word in relation_words(name))
