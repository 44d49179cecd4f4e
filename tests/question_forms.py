"""Forms of questions, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.steps.link.question_form import QuestionForm

NOTHING = Schema((), (), 0, 0, "nothing")
"""The schema of an empty graph."""


def make_form(
    question: str,
    mentions: Sequence[Mention] = (),
    schema: Schema = NOTHING,
    wording: Collection[str] = (),
) -> QuestionForm:
    """The form of a question that mentions nothing over an empty graph, unless more is given."""
    return QuestionForm(question, mentions, schema, wording)
