"""Masks: a question with placeholders for its mentions, as prompts and sentences have it."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.links import Mention


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
