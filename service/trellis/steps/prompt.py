"""How a question is put to a model that decodes: the same in training and in answering."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.values import Mention

_ASKED, _TOLD = "Question: ", "\nPath:"


def placeholder(index: int) -> str:
    """The name that mention `index` (from 0) goes by in prompts and sentences."""
    return f"ENT{index + 1}"


def masked(question: str, mentions: Sequence[Mention]) -> str:
    """The question in lower case with each mention's span replaced by its placeholder."""
    parts: list[str] = []
    at = 0
    for index, mention in enumerate(mentions):
        apart = " " if mention.start == mention.end else ""  # a topic that the text does not say
        parts += [question[at : mention.start].lower(), apart, placeholder(index)]
        at = mention.end
    parts.append(question[at:].lower())
    return " ".join("".join(parts).split())


def path_prompt(question: str, mentions: Sequence[Mention]) -> str:
    """The prompt of task `path`; mentions in the order of their spans, none overlapping.

    The sentence that follows is `" ENT1 -> relation -> relation"`, backward steps as `<-`.
    """
    return f"{_ASKED}{masked(question, mentions)}{_TOLD}"


def question_of(prompt: str) -> str:
    """The question that a prompt of task `path` puts, on one line; its mentions are masked."""
    return prompt.removeprefix(_ASKED).removesuffix(_TOLD)
