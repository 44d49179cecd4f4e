"""The prompt of task `path`, which training and answering share."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.links import Mention
from trellis.domain.prompt import Prompt
from trellis.steps.paths.settings import PathSettings

PATH_CUE = "Path"


def mention_placeholder(index: int) -> str:
    """The name of mention `index` (from 0) in prompts and sentences."""
    return f"ENT{index + 1}"


def mask_mentions(question: str, mentions: Sequence[Mention]) -> str:
    """The question in lower case with each mention's span replaced by its placeholder."""
    parts: list[str] = []
    at = 0
    for index, mention in enumerate(mentions):
        apart = " " if mention.start == mention.end else ""  # a topic that is not in the text
        parts += [question[at : mention.start].lower(), apart, mention_placeholder(index)]
        at = mention.end
    parts.append(question[at:].lower())
    return " ".join("".join(parts).split())


def build_path_prompt(question: str, mentions: Sequence[Mention]) -> Prompt:
    """The prompt of task `path`; mentions in the order of their spans, none overlapping.

    The sentence that follows is `" ENT1 -> relation -> relation"`, backward steps as `<-`.
    """
    return build_masked_path_prompt(mask_mentions(question, mentions))


def build_masked_path_prompt(masked_question: str) -> Prompt:
    """The prompt of task `path` for a question whose mentions are masked already."""
    return Prompt(PathSettings.task, " ".join(masked_question.split()), PATH_CUE)
