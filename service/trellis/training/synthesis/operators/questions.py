"""Draws questions with operators of all kinds; the table of the kinds is here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from trellis.domain.graphs.schema import Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.training.synthesis.operators.kinds.alternatives import (
    ask_but_not,
    ask_either,
    ask_neither,
)
from trellis.training.synthesis.operators.kinds.columns import ask_columns
from trellis.training.synthesis.operators.kinds.counts import (
    ask_aggregate,
    ask_aggregate_each,
    ask_count,
    ask_count_each,
    ask_each_value,
    ask_how_many,
    ask_most_total,
)
from trellis.training.synthesis.operators.kinds.edge_properties import (
    ask_edge_property,
    list_edge_properties,
)
from trellis.training.synthesis.operators.kinds.events import ask_event, ask_whether_event
from trellis.training.synthesis.operators.kinds.flags import ask_whether_flag, has_flags
from trellis.training.synthesis.operators.kinds.paths import (
    ask_both,
    ask_path,
    ask_same,
    ask_shared,
)
from trellis.training.synthesis.operators.kinds.property_questions import (
    ask_by_value,
    ask_property,
    ask_property_each,
)
from trellis.training.synthesis.operators.kinds.ranks import (
    ask_best,
    ask_richest,
    compare_two,
    compare_two_counts,
)
from trellis.training.synthesis.operators.kinds.set_questions import ask_by_inner, ask_for_set
from trellis.training.synthesis.operators.kinds.yes_no import (
    ask_whether,
    ask_whether_any,
    ask_whether_more,
    ask_whether_value,
)
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import UNKNOWN_DIRECTIONS, Directions
from trellis.training.synthesis.operators.parts.topics import DrawnQuestion, QuestionDraft

_TRIES = 8
_ARTICLES = re.compile(r"\b(the|a|an|any|all)(?: the| a| an)+\b")

DrawDraft = Callable[[Drawing], QuestionDraft | None]
"""A kind of question; None where the schema has nothing that it needs, or no words for it."""

KINDS: Mapping[DrawDraft, float] = {
    ask_path: 30.0,
    ask_both: 7.0,
    ask_same: 1.0,
    ask_shared: 1.5,
    ask_event: 6.0,
    ask_property: 11.0,
    ask_by_value: 2.5,
    ask_edge_property: 7.0,
    ask_for_set: 26.0,
    ask_by_inner: 5.0,
    ask_but_not: 3.0,
    ask_either: 5.0,
    ask_neither: 1.0,
    ask_count: 6.0,
    ask_how_many: 4.0,
    ask_best: 9.0,
    ask_richest: 4.0,
    ask_aggregate: 2.0,
    ask_count_each: 1.5,
    ask_aggregate_each: 0.8,
    ask_each_value: 1.2,
    ask_most_total: 1.2,
    ask_property_each: 1.0,
    ask_columns: 6.0,
    compare_two: 5.0,
    compare_two_counts: 2.0,
    ask_whether: 7.0,
    ask_whether_more: 3.0,
    ask_whether_value: 1.0,
    ask_whether_flag: 1.5,
    ask_whether_any: 1.5,
    ask_whether_event: 0.8,
}
"""The kinds of questions and their weights."""


class OperatorQuestions:
    """Draws questions of all kinds. Equal seeds give equal ones."""

    def __init__(
        self,
        schema: Schema,
        book: Phrasebook,
        seed: int,
        directions: Directions = UNKNOWN_DIRECTIONS,
    ) -> None:
        self._drawing = Drawing.begin(schema, book, seed, directions)
        self._kinds = dict(KINDS)
        if not self._drawing.events:
            del self._kinds[ask_event], self._kinds[ask_whether_event]
        if not has_flags(schema):
            del self._kinds[ask_whether_flag]
        if not list_edge_properties(self._drawing):
            del self._kinds[ask_edge_property]

    def draw_question(self) -> DrawnQuestion | None:
        """A question; None where the schema has nothing of the kind that was drawn."""
        draw_draft = self._drawing.words.draw_option(self._kinds)
        for _ in range(_TRIES):
            drawing = self._drawing.clear_topics()
            draft = draw_draft(drawing)
            if draft is not None:
                text = drawing.sets.asker.add_noise(_drop_repeated_articles(draft.text))
                return DrawnQuestion(text, draft.cypher, tuple(drawing.topics.listed))
        return None


def _drop_repeated_articles(text: str) -> str:
    return _ARTICLES.sub(lambda match: match[1], text)
