"""Mentions of nodes under the names that prompts and sentences have for them."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.links import Mention
from trellis.domain.models.prompt import NamedMention
from trellis.steps.link.mask_mentions import mention_placeholder

_MOST_KINDS = 3


def name_node_mentions(mentions: Sequence[Mention]) -> tuple[NamedMention, ...]:
    """Each mention with its placeholder, and the labels of the nodes that it may mean."""
    return tuple(
        NamedMention(mention_placeholder(index), mention.text, _list_labels(mention))
        for index, mention in enumerate(mentions)
    )


def _list_labels(mention: Mention) -> tuple[str, ...]:
    labels = (label for link in mention.links for label in link.node.labels)
    return tuple(dict.fromkeys(labels))[:_MOST_KINDS]
