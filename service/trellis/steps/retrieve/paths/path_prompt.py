"""The prompt of task `path`, which training and answering share."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.links import Mention
from trellis.domain.models.prompt import NamedMention, Prompt
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.steps.link.name_mentions import name_node_mentions
from trellis.steps.retrieve.paths.settings import PathSettings

PATH_CUE = "Path"


def build_path_prompt(question: str, mentions: Sequence[Mention]) -> Prompt:
    """The prompt of task `path`; mentions in the order of their spans, none overlapping.

    The sentence that follows is `" ENT1 -> relation -> relation"`, backward steps as `<-`.
    """
    return build_masked_path_prompt(mask_mentions(question, mentions), name_node_mentions(mentions))


def build_masked_path_prompt(masked_question: str, named: tuple[NamedMention, ...] = ()) -> Prompt:
    """The prompt of task `path` for a question whose mentions are masked already."""
    return Prompt(PathSettings.task, " ".join(masked_question.split()), PATH_CUE, (), named)
