"""Value mentions: places of a question that mention values, each under a name for sentences.

All values that one place may mean share one name (`v0`). A sentence tells which one is meant by
the label and the property that it writes before the name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from trellis.automata.cypher.options import Rendering
from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import Schema
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.values.value_index import has_same_stem, words_of
from trellis.steps.link.vocabulary.schema_words import is_schema_word, list_schema_words
from trellis.steps.link.vocabulary.worded_values import name_worded_values

ValueKind = tuple[str, str]
"""A label and a property of it."""

_TIED = 0.97  # share of the best score from which a value of the same kind is kept too
_MOST_RIVALS = 2  # scattered values of one property that become mentions
_MOST_MENTIONS = 10


def is_scattered(mention: Mention) -> bool:
    """Whether the span holds more than the value, so that its text stays beside the value's name.

    Such a mention has one link, and may overlap others.
    """
    return mention.best.how in ("words", "part")


def list_wanted_words(mentions: Sequence[Mention]) -> list[tuple[str, ...]]:
    """For each mention that a sentence should use, the words that say it: its name, or its number
    as one of rows."""
    return [
        (value_name(index), *(str(n) for n in _list_literals(mention) if type(n) is int))
        for index, mention in enumerate(mentions)
        if not is_scattered(mention)
    ]


def _list_literals(mention: Mention) -> list[Scalar]:
    return [link.stored.value for link in mention.links if link.stored.is_literal()]


def list_kinds(mention: Mention) -> tuple[ValueKind, ...]:
    """The labels and properties that it may be a value of, best first."""
    return tuple(dict.fromkeys(map(_kind_of, mention.links)))


def merge_mentions(mentions: Iterable[Mention], schema: Schema) -> tuple[Mention, ...]:
    """The mentions in the order of the text, none but scattered ones overlapping; at most ten.

    `mentions` come best first; where one overlaps a better one, its links are added to that one's.
    Of each label and property a mention keeps the best value and its ties.
    """
    merged: list[Mention] = []
    for mention in _drop_weak_mentions(mentions, list_schema_words(schema)):
        at = next((i for i, other in enumerate(merged) if _overlap(mention, other)), None)
        if at is None:
            merged.append(mention)
        else:
            merged[at] = _add_meanings(merged[at], mention)
    best = merged[:_MOST_MENTIONS]
    return tuple(sorted(best, key=lambda mention: (mention.start, not is_scattered(mention))))


def name_values(
    mentions: Sequence[Mention], schema: Schema, rendering: Rendering = "brief"
) -> tuple[NamedValue, ...]:
    """The values that sentences can use, each with its name.

    Values of mentions are called `v0`, `v1`, …; other values of properties with few values are
    called by their own words, so that a sentence can use `unsolved` though the question does not.
    Sentences of Cypher have them as literals, and so they are called as they stand in the graph.
    """
    mentioned = name_mentioned_values(mentions)
    taken = {value.stored for value in mentioned}
    return (
        *mentioned,
        *(value for value in name_worded_values(schema, rendering) if value.stored not in taken),
    )


def name_mentioned_values(mentions: Sequence[Mention]) -> tuple[NamedValue, ...]:
    """All values of mention i under the name `v<i>`."""
    return tuple(
        NamedValue(value_name(index), link.stored)
        for index, mention in enumerate(mentions)
        for link in mention.links
    )


def value_name(index: int) -> str:
    """The name of mention `index` (from 0) in prompts and sentences."""
    return f"v{index}"


def _drop_weak_mentions(
    mentions: Iterable[Mention], own_words: Collection[str]
) -> Iterator[Mention]:
    """The mentions without scattered ones that are not informative, or have two better rivals."""
    rivals: Counter[ValueKind] = Counter()
    for mention in mentions:
        if is_scattered(mention):
            if not _is_informative(mention, own_words):
                continue
            rivals[_kind_of(mention.best)] += 1
            if rivals[_kind_of(mention.best)] > _MOST_RIVALS:
                continue
        yield mention


def _is_informative(mention: Mention, own_words: Collection[str]) -> bool:
    """Whether the text shares an informative word with the value.

    Grammar, numbers and words of the schema are not informative: `crimes` does not mean the type
    `Other crime`, and `14` does not mean `14/08/2017`.
    """
    if not mention.text:
        return True
    text_words = words_of(mention.text)
    value_words = words_of(str(mention.best.stored.value))
    shared = [w for w in value_words if any(has_same_stem(w, other) for other in text_words)]
    return any(
        word.isalpha() and word not in FUNCTION_WORDS and not is_schema_word(word, own_words)
        for word in shared
    )


def _kind_of(link: Link) -> ValueKind:
    return link.stored.label, link.stored.property


def _overlap(mention: Mention, other: Mention) -> bool:
    """Whether the spans of two mentions overlap, of which neither is scattered."""
    if is_scattered(mention) or is_scattered(other):
        return False
    return mention.start < other.end and other.start < mention.end


def _add_meanings(mention: Mention, lower: Mention) -> Mention:
    """The mention with the links of a lower one that add a meaning.

    These are of another property, or of nearly the same score as the best of theirs.
    """
    links = list(mention.links)
    for link in lower.links:
        rivals = [other for other in links if _kind_of(other) == _kind_of(link)]
        if not rivals or link.score >= _TIED * rivals[0].score:
            links.append(link)
    return replace(mention, links=tuple(links))
