"""The prompt of task `pattern`, which training and answering share."""

from __future__ import annotations

from trellis.domain.models.prompt import NamedMention, Prompt
from trellis.steps.link.name_mentions import name_node_mentions
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.patterns.settings import PatternSettings

_CUE = "Pattern"


def build_pattern_prompt(form: QuestionForm) -> Prompt:
    """The prompt for a question whose mentions come in the order of their spans, none overlapping.

    The sentence that follows is a pattern as `automata.patterns` says it.
    """
    return build_masked_pattern_prompt(form.masked, name_node_mentions(form.mentions))


def build_masked_pattern_prompt(
    masked_question: str, named: tuple[NamedMention, ...] = ()
) -> Prompt:
    """The prompt for a question whose mentions are masked already."""
    return Prompt(PatternSettings.task, " ".join(masked_question.split()), _CUE, (), named)
