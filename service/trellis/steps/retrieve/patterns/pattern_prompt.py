"""The prompt of task `pattern`, which training and answering share."""

from __future__ import annotations

from trellis.domain.prompt import NamedMention, Prompt
from trellis.steps.link.name_mentions import name_node_mentions
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.patterns.settings import PatternSettings

QUESTION_CUE, CLAIM_CUE = "Pattern", "Claim pattern"
"""What ends the prompt of a question, and that of a claim: their patterns differ in what is asked
for."""


def build_pattern_prompt(form: QuestionForm) -> Prompt:
    """The prompt for a question whose mentions come in the order of their spans, none overlapping.

    The sentence that follows is a pattern as `automata.patterns` says it.
    """
    return build_masked_pattern_prompt(form.masked, name_node_mentions(form.mentions))


def build_masked_pattern_prompt(
    masked_text: str, named: tuple[NamedMention, ...] = (), *, is_asking: bool = True
) -> Prompt:
    """The prompt for a question, or for a claim, whose mentions are masked already."""
    cue = QUESTION_CUE if is_asking else CLAIM_CUE
    return Prompt(PatternSettings.task, " ".join(masked_text.split()), cue, (), named)
