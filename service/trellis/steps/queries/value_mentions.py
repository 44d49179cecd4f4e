"""Value mentions: places of a question that mention values, each under a name for sentences.

All values that one place may mean share one name (`v0`). A sentence tells which one is meant by
the label and the property that it writes before the name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from trellis.automata.cypher.lexicon import NamedValue
from trellis.automata.cypher.wording import split_name
from trellis.domain.links import StoredValue, ValueLink
from trellis.domain.schema import Schema
from trellis.linking.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.linking.value_index import has_same_stem, words_of

_SCATTERED = ("words", "part")
"""Links whose span holds more than the value, so that no text is replaced by its name."""
_TIED = 0.97  # share of the best score from which a value of the same kind is kept too
_MOST_RIVALS = 2  # scattered values of one property that become mentions
_MOST_MENTIONS = 10
_MOST_WORDED = 500
_LONGEST = 8  # words


@dataclass(frozen=True, slots=True)
class ValueMention:
    """Characters `[start, end)` that a name replaces, and the values they may mean, best first.

    `start == end`: the name is inserted there with its one value, and the text stays.
    """

    start: int
    end: int
    links: tuple[ValueLink, ...]

    @property
    def keeps_text(self) -> bool:
        """Whether the text stays beside the name."""
        return self.start == self.end

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        """The labels and properties that it may be a value of, best first."""
        return tuple(dict.fromkeys((link.label, link.property) for link in self.links))


def build_value_mentions(links: Sequence[ValueLink], schema: Schema) -> tuple[ValueMention, ...]:
    """The mentions in the order of the text, none overlapping another; at most ten.

    `links` come best first. Of one label and property a mention keeps the best value and its ties.
    """
    mentions: list[ValueMention] = []
    rivals: Counter[tuple[str, str]] = Counter()
    kinds = list_schema_words(schema)
    for link in links:
        if link.how in _SCATTERED:
            rivals[link.label, link.property] += _is_informative(link, kinds)
            if _is_informative(link, kinds) and rivals[link.label, link.property] <= _MOST_RIVALS:
                mentions.append(ValueMention(link.start, link.start, (link,)))
            continue
        at = next((i for i, mention in enumerate(mentions) if _overlaps(mention, link)), None)
        if at is None:
            mentions.append(ValueMention(link.start, link.end, (link,)))
        elif _adds_meaning(mentions[at], link):
            mentions[at] = replace(mentions[at], links=(*mentions[at].links, link))
    return tuple(
        sorted(mentions[:_MOST_MENTIONS], key=lambda mention: (mention.start, mention.end))
    )


def list_schema_words(schema: Schema) -> frozenset[str]:
    """The words of the names of labels, relationship types and properties."""
    properties = (kind.name for label in schema.labels for kind in label.properties)
    types = (kind.type for kind in schema.relationships)
    names = (*(kind.label for kind in schema.labels), *types, *properties)
    return frozenset(word for name in names for word in split_name(name).split())


def is_schema_word(word: str, own_words: Collection[str]) -> bool:
    """Whether a word is one of the schema's words `own_words`, whatever its ending."""
    return any(has_same_stem(word, other) for other in own_words)


def name_values(mentions: Sequence[ValueMention], schema: Schema) -> tuple[NamedValue, ...]:
    """The values that sentences can use, each with its name.

    Values of mentions are called `v0`, `v1`, …; other values of properties with few values are
    called by their own words, so that a sentence can use `unsolved` though the question does not.
    """
    mentioned = name_mentioned_values(mentions)
    taken = {value.stored for value in mentioned}
    return (
        *mentioned,
        *(value for value in name_worded_values(schema) if value.stored not in taken),
    )


def name_mentioned_values(mentions: Sequence[ValueMention]) -> tuple[NamedValue, ...]:
    """All values of mention i under the name `v<i>`."""
    return tuple(
        NamedValue(value_name(index), link.stored)
        for index, mention in enumerate(mentions)
        for link in mention.links
    )


def name_worded_values(schema: Schema) -> tuple[NamedValue, ...]:
    """The values of properties with few, named by their words; dates and codes have none."""
    named = (
        NamedValue(value_words, StoredValue(label.label, kind.name, value, kind.type))
        for label in schema.labels
        for kind in label.properties
        for value in kind.values
        if isinstance(value, str) and (value_words := _write_words(value))
    )
    return tuple(islice(named, _MOST_WORDED))


def _write_words(value: str) -> str:
    """The value's words in lower case; empty where it has too many, or mostly codes."""
    own = bare_words(value)
    readable = len(own) <= _LONGEST and sum(map(str.isalpha, own)) * 2 > len(own)
    return " ".join(own) if readable else ""


def value_name(index: int) -> str:
    """The name of mention `index` (from 0) in prompts and sentences."""
    return f"v{index}"


def _is_informative(link: ValueLink, own_words: Collection[str]) -> bool:
    """Whether the text shares an informative word with the value.

    Grammar, numbers and words of the schema are not informative: `crimes` does not mean the type
    `Other crime`, and `14` does not mean `14/08/2017`.
    """
    if not link.text:
        return True
    text_words = words_of(link.text)
    value_words = words_of(str(link.value))
    shared = [w for w in value_words if any(has_same_stem(w, other) for other in text_words)]
    return any(
        word.isalpha() and word not in FUNCTION_WORDS and not is_schema_word(word, own_words)
        for word in shared
    )


def _overlaps(mention: ValueMention, link: ValueLink) -> bool:
    return not mention.keeps_text and mention.start < link.end and link.start < mention.end


def _adds_meaning(mention: ValueMention, link: ValueLink) -> bool:
    """Whether a lower link adds a meaning: of another property, or of nearly the same score."""
    rivals = [o for o in mention.links if (o.label, o.property) == (link.label, link.property)]
    return not rivals or link.score >= _TIED * rivals[0].score
