"""Mentions of names that stand in made questions, with a link for each kind that they may be of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.steps.link.values.value_mentions import ValueKind

NameKinds = Mapping[ValueKind, Sequence[tuple[ValueKind, ...]]]
"""By label and property: what texts of that kind are linked to, each time all kinds together."""


def make_mention(text: str, name: str, own: ValueKind, kinds: NameKinds, draw: int) -> Mention:
    """The mention of a name in a made question. `own`: the kind that it is of; `draw`: which of
    several sets of kinds its text is linked to."""
    match = find_word(text, name)
    known = kinds.get(own) or ((own,),)
    values = (StoredValue(*kind, match[0]) for kind in known[draw % len(known)])
    links = tuple(Link(value, 1.0, "exact") for value in values)
    return Mention(match.start(), match.end(), match[0], links)


def find_word(text: str, word: str) -> re.Match[str]:
    """Where a made question says a word, which it does."""
    match = re.search(rf"\b{word}\b", text)
    assert match
    return match
