"""Value mentions: places of a question that say values, each under a name that sentences use.

All that one place may mean goes by one name (`v0`); which of it is meant, a sentence tells by the
label and the property that it says before the name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from trellis.automata.cypher.lexicon import NamedValue
from trellis.automata.cypher.wording import words
from trellis.domain.links import StoredValue, ValueLink
from trellis.domain.schema import Schema
from trellis.linking.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.linking.value_index import alike, words_of

_WHEREVER = ("words", "part")
"""Such a link's span holds more than its value: nothing of the text is taken away for it."""
_TIED = 0.97
_RIVALS = 2  # values of one kind that may be meant by words here and there
_MOST = 10
_MOST_WORDED = 500
_LONGEST = 8  # words


@dataclass(frozen=True, slots=True)
class ValueMention:
    """Characters `[start, end)` that a name stands for, and what they may mean, best first.

    `start == end`: the name is put in there with its one value, and the text stays.
    """

    start: int
    end: int
    links: tuple[ValueLink, ...]

    @property
    def stays(self) -> bool:
        """Whether the text stays beside the name."""
        return self.start == self.end

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        """The labels and properties that it may be a value of, best first."""
        return tuple(dict.fromkeys((link.label, link.property) for link in self.links))


def value_mentions(links: Sequence[ValueLink], schema: Schema) -> tuple[ValueMention, ...]:
    """The mentions in the order of the text, none overlapping another; at most ten.

    `links` come best first. Of one label and property the best value stays, and those as good.
    """
    found: list[ValueMention] = []
    rivals: Counter[tuple[str, str]] = Counter()
    kinds = schema_words(schema)
    for link in links:
        if link.how in _WHEREVER:
            rivals[link.label, link.property] += _tells(link, kinds)
            if _tells(link, kinds) and rivals[link.label, link.property] <= _RIVALS:
                found.append(ValueMention(link.start, link.start, (link,)))
            continue
        at = next((i for i, one in enumerate(found) if _overlap(one, link)), None)
        if at is None:
            found.append(ValueMention(link.start, link.end, (link,)))
        elif _beside(found[at], link):
            found[at] = replace(found[at], links=(*found[at].links, link))
    return tuple(sorted(found[:_MOST], key=lambda one: (one.start, one.end)))


def schema_words(schema: Schema) -> frozenset[str]:
    """The words of labels, relationship types and properties."""
    properties = (kind.name for label in schema.labels for kind in label.properties)
    types = (kind.type for kind in schema.relationships)
    names = (*(kind.label for kind in schema.labels), *types, *properties)
    return frozenset(word for name in names for word in words(name).split())


def is_own(word: str, own: Collection[str]) -> bool:
    """Whether a word is one of the schema's, whatever its end."""
    return any(alike(word, each) for each in own)


def named_values(mentions: Sequence[ValueMention], schema: Schema) -> tuple[NamedValue, ...]:
    """What sentences can say: the values of mentions by their names, and by their own words those
    of properties with few, so that `unsolved` can be said as what it is stored as."""
    said = mentioned_values(mentions)
    taken = {value.stored for value in said}
    return (*said, *(value for value in worded_values(schema) if value.stored not in taken))


def mentioned_values(mentions: Sequence[ValueMention]) -> tuple[NamedValue, ...]:
    """All values of mention i under the name `v<i>`."""
    return tuple(
        NamedValue(value_name(index), link.stored)
        for index, mention in enumerate(mentions)
        for link in mention.links
    )


def worded_values(schema: Schema) -> tuple[NamedValue, ...]:
    """The values of properties with few, by their words; those without words (dates, codes) not."""
    found = (
        NamedValue(said, StoredValue(label.label, kind.name, value, kind.type))
        for label in schema.labels
        for kind in label.properties
        for value in kind.values
        if isinstance(value, str) and (said := _worded(value))
    )
    return tuple(islice(found, _MOST_WORDED))


def _worded(value: str) -> str:
    """Its words in lower case; nothing where it is no words, or too many."""
    said = bare_words(value)
    tells = len(said) <= _LONGEST and sum(map(str.isalpha, said)) * 2 > len(said)
    return " ".join(said) if tells else ""


def value_name(index: int) -> str:
    """The name that mention `index` (from 0) goes by in prompts and sentences."""
    return f"v{index}"


def _tells(link: ValueLink, kinds: Collection[str]) -> bool:
    """Whether a word that the text shares with the value is neither grammar nor the schema's, nor
    a number: `crimes` are not those of the type `Other crime`, `14` is no `14/08/2017`."""
    if not link.text:
        return True
    asked = words_of(link.text)
    shared = [w for w in words_of(str(link.value)) if any(alike(w, said) for said in asked)]
    return any(
        word.isalpha() and word not in FUNCTION_WORDS and not is_own(word, kinds) for word in shared
    )


def _overlap(one: ValueMention, link: ValueLink) -> bool:
    return not one.stays and one.start < link.end and link.start < one.end


def _beside(mention: ValueMention, link: ValueLink) -> bool:
    """Whether a worse link says something new: of another kind, or a value as likely."""
    alike = [o for o in mention.links if (o.label, o.property) == (link.label, link.property)]
    return not alike or link.score >= _TIED * alike[0].score
