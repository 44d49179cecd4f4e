"""Weigh: how likely each written query is, by the rules that were made for models trained for a
graph.

Such a model is small, and leaves out or adds what it never saw said so; each rule knows one way in
which it does. The queries of a general model are weighed by their readings (`aligned_readings`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trellis.automata.cypher.language import CypherLanguage
from trellis.domain.card import Calibration
from trellis.domain.decoding import Sentence
from trellis.domain.links import Mention
from trellis.steps.align.queries.answer_kinds import reweigh_kinds
from trellis.steps.align.queries.given_queries import GivenQuery, prefer_given
from trellis.steps.align.queries.left_out_words import (
    reweigh_flags_left_out,
    reweigh_labels_left_out,
    reweigh_left_out,
)
from trellis.steps.align.queries.rewritten.complete_relations import complete_relations
from trellis.steps.align.queries.said_operators import keep_queries_with_operators, reweigh_unasked
from trellis.steps.align.queries.value_uses import measure_share, reweigh_sentences
from trellis.steps.align.token_alignment import Alignment
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt


@dataclass(frozen=True, slots=True)
class WeighedQueries:
    """The queries, most probable first; `run`: those that are to be run; `share`: of all their
    probability; `alignments`: how their readings align with the question, by their sentences, where
    that was measured."""

    likely: Sequence[Sentence]
    run: Sequence[Sentence]
    share: float
    alignments: Mapping[str, Alignment] = field(default_factory=dict)


def weigh_queries(
    question: str,
    mentions: Sequence[Mention],
    sentences: Sequence[Sentence],
    language: CypherLanguage,
    given: Sequence[GivenQuery],
    calibration: Calibration,
) -> WeighedQueries:
    """The queries of a model that was trained, as the rules weigh them. `given`: those that were
    given for questions."""
    schema = language.known.schema
    whole = complete_relations(question, mentions, sentences, language)
    asked = reweigh_kinds(question, mentions, whole, language.known)
    asked = reweigh_labels_left_out(question, mentions, asked, schema)
    asked = reweigh_flags_left_out(question, mentions, asked, schema)
    if not calibration.holds_back:
        asked = reweigh_left_out(question, mentions, asked, schema)
    likely = reweigh_unasked(question, mentions, reweigh_sentences(asked, mentions))
    masked = build_query_prompt(question, mentions).question
    likely = prefer_given(masked, likely, language, given)
    run = keep_queries_with_operators(question, mentions, likely, schema) or likely
    return WeighedQueries(likely, run, measure_share(run, likely))
