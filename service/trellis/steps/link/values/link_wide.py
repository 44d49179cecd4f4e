"""Link what wide queries compare with: stored values, names of nodes, numbers and quoted texts.

Names are linked as for paths, with other names, spellings and adjectives (`Danish`), so that a
query can say which node it means by the property that names it. So another name only serves where
no other node is called as that node is. What is stored as it is said outweighs what is merely
similar to it, or to a part of it: a date is no three numbers. A stored value that only shares words
with a name, or that is a code like an ordinary word (`lie` and `LIE`), is no value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace

from trellis.domain.errors import NotIndexedError
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Embedder, Graph
from trellis.lexicon.asking import ASKING, stands_alone
from trellis.linking.names.ordinary_words import ORDINARY_WORDS
from trellis.linking.names.spans import FUNCTION_WORDS, parse_question
from trellis.linking.text import name_key
from trellis.linking.values.value_index import has_same_stem, words_of
from trellis.steps.link.link import link_mentions
from trellis.steps.link.values.link_literals import link_days, link_literals, link_times
from trellis.steps.link.values.link_values import link_values
from trellis.steps.link.values.value_mentions import is_scattered
from trellis.steps.link.values.years import hold_to_times
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary
from trellis.steps.link.vocabulary.schema_words import is_schema_word, list_schema_words

_LEAST_NAME = 0.6  # score of a name's link that searching found, at least
_LEAST_SMALL_NAME = 0.74  # the same, of a lower-case text in a question that has capitals
_EXACT = ("exact", "date", "time")  # how a value is said as it is stored
_INSTANTS = ("LOCAL DATETIME", "ZONED DATETIME")
_TIED = 0.97  # share of a label's best score from which another name of it is meant too
_LONGEST_CODE = 4  # letters


async def link_wide_values(
    question: str, graph: Graph, embedder: Embedder | None, wording: Collection[str] = ()
) -> tuple[Mention, ...]:
    """A mention of each value, name and literal that a question may mean, best first.

    `wording`: lower-case words that questions over this graph use, rather than names.
    """
    schema = await graph.schema()
    cased = _has_capitals(question)
    nouns = read_schema_vocabulary(schema).list_noun_words()
    found = [
        each
        for each in await link_values(question, graph)
        if not _is_ordinary_word(each, schema, wording, cased=cased)
        and not _is_asked_kind(question, each, nouns)
    ]
    found = [each for each in found if not _is_day_of_instant(each)]
    days = (*link_days(question, schema, found), *link_times(question, schema))
    stored = [*(each for each in found if not _is_covered(each, days)), *days]
    exact = [each for each in stored if each.best.how in _EXACT]
    named = await _drop_ambiguous_aliases(
        await _link_names(question, graph, embedder, wording), graph
    )
    own = list_schema_words(schema)
    names = tuple(
        name
        for each in named
        for name in _convert_mention(each, schema, _LEAST_SMALL_NAME if cased else _LEAST_NAME)
        if not _is_covered(name, exact)
        and not _is_weaker(name, exact)
        and not _says_kinds_alone(name, nouns)
        and not _is_asked_kind(question, name, nouns)
    )
    literals = [
        each
        for each in link_literals(question)
        if not _is_named(each, names) and not _is_covered(each, exact)
    ]
    values = [
        each
        for each in stored
        if not _is_covered(each, (*names, *literals)) and not _is_in_other_case(each, names)
    ]
    whole = [*names, *(each for each in values if not is_scattered(each))]
    idle = _IdleWords(nouns, ORDINARY_WORDS if cased else frozenset())
    scattered = [
        each for each in values if is_scattered(each) and not _adds_nothing(each, whole, own, idle)
    ]
    return (*hold_to_times(question, (*whole, *scattered, *literals), schema),)


async def _link_names(
    question: str, graph: Graph, embedder: Embedder | None, wording: Collection[str]
) -> tuple[Mention, ...]:
    """The mentions of nodes; by spelling alone where the graph has no vectors, and none where it
    has no names."""
    for means in dict.fromkeys((embedder, None)):
        with suppress(NotIndexedError):
            return await link_mentions(question, graph, means, wording)
    return ()


async def _drop_ambiguous_aliases(mentions: Sequence[Mention], graph: Graph) -> list[Mention]:
    """The mentions without other names that several nodes have, or whose own name several have.

    A query says which node it means by its own name, and there may be many a Linda called Boyd.
    """
    aliased = {link.node.name for each in mentions for link in each.links if link.how == "alias"}
    called = await graph.find_by_key([name_key(name) for name in aliased]) if aliased else {}
    several = {name for name in aliased if len(called.get(name_key(name), ())) > 1}
    kept = (replace(each, links=_drop_aliases(each.links, several)) for each in mentions)
    return [each for each in kept if each.links]


def _drop_aliases(links: Sequence[Link], several: Collection[str]) -> tuple[Link, ...]:
    """The links without aliases of nodes with these names, or of a label with two such links."""
    labels = Counter(label for link in links if link.how == "alias" for label in link.node.labels)
    return tuple(
        link
        for link in links
        if link.how != "alias"
        or (link.node.name not in several and all(labels[each] < 2 for each in link.node.labels))
    )


def _convert_mention(mention: Mention, schema: Schema, least_small: float) -> Iterator[Mention]:
    """A mention of nodes as one of the values that name them; of a label the best, and its ties.

    `least_small`: the score that a name which searching found for a lower-case text needs.
    """
    least = least_small if mention.text.islower() else _LEAST_NAME
    naming = {kind.label: kind.naming for kind in schema.labels if kind.naming}
    best: dict[str, float] = {}
    links: dict[StoredValue, Link] = {}
    for link in mention.links:
        if link.is_similar and link.score < least:
            continue
        for label in sorted(naming.keys() & link.node.labels):
            if link.score >= _TIED * best.setdefault(label, link.score):
                value = StoredValue(label, naming[label], link.node.name)
                links.setdefault(value, Link(value, link.score, link.how))
    if links:
        yield replace(mention, links=tuple(links.values()))


def _is_named(literal: Mention, names: Sequence[Mention]) -> bool:
    """Whether a literal is a name or a part of one; a number may be meant as such where it alone
    is a name, or like one: `66` like `Route 66`."""
    is_text = isinstance(literal.best.stored.value, str)
    return _is_covered(literal, names) or (
        is_text and any((each.start, each.end) == (literal.start, literal.end) for each in names)
    )


def _is_day_of_instant(value: Mention) -> bool:
    """Whether a day is linked to a stored instant of it: the day itself is meant, with all of its
    instants."""
    return value.best.how == "date" and value.best.stored.type in _INSTANTS


def _is_covered(value: Mention, others: Sequence[Mention]) -> bool:
    """Whether the span of a value lies inside a longer name or number."""
    return not is_scattered(value) and any(
        other.start <= value.start
        and value.end <= other.end
        and (other.start, other.end) != (value.start, value.end)
        for other in others
    )


def _is_in_other_case(value: Mention, names: Sequence[Mention]) -> bool:
    """Whether a value is stored in small letters where the question writes a name as that is
    stored: `the Moon` is no body whose kind is `moon`."""
    stored = str(value.best.stored.value)
    return stored.islower() and any(
        (name.start, name.end) == (value.start, value.end)
        and any(link.stored.value == value.text for link in name.links)
        and value.text != stored
        for name in names
    )


def _is_weaker(name: Mention, exact: Sequence[Mention]) -> bool:
    """Whether a name is only similar to a text, and overlaps one that is stored as it is said.

    A longer text may be the name that is meant.
    """
    return name.best.is_similar and any(
        name.start < other.end
        and other.start < name.end
        and not (
            name.start <= other.start and other.end <= name.end and len(name.text) > len(other.text)
        )
        for other in exact
    )


def _says_kinds_alone(name: Mention, nouns: Collection[str]) -> bool:
    """Whether a name is only similar to a text of nothing but nouns of labels: in a graph of
    packages `packages` is no `software packages`."""
    words = words_of(name.text)
    return name.best.is_similar and all(is_schema_word(word, nouns) for word in words)


def _is_asked_kind(question: str, value: Mention, nouns: Collection[str]) -> bool:
    """Whether a value is called as the kind asked for is: `which source has most packages`."""
    asking = ASKING.match(question)
    if asking is None or asking.end() != value.start or not value.text.islower():
        return False
    is_kind = all(is_schema_word(word, nouns) for word in words_of(value.text))
    return is_kind and stands_alone(value.text, question[value.end :])


def _has_capitals(question: str) -> bool:
    """Whether a question is written with capitals, so that names in it have them too."""
    first = next(filter(str.isalpha, question), "")
    return first.isupper() or any(atom.has_name_shape for atom in parse_question(question).atoms)


def _is_ordinary_word(
    value: Mention, schema: Schema, wording: Collection[str], *, cased: bool
) -> bool:
    """Whether a lower-case word only happens to be spelled like a value: like a code, as `lie` is
    like `LIE`, or like a name, as `day` is like `Day`.

    In a question without capitals (`cased` is False) both may be meant, but for codes in the
    plural. Values of properties with few are said in lower case too.
    """
    stored = value.best.stored
    text = str(stored.value)
    if not value.text.islower() or not value.text.isalpha() or text == value.text:
        return False
    if text.isupper() and len(text) <= _LONGEST_CODE:
        return cased or value.best.how == "plural"
    kind = schema.find_property(stored.label, stored.property)
    is_name = cased and text.isalpha() and not (kind and kind.values)
    return is_name and (value.best.how == "plural" or value.text in wording)


@dataclass(frozen=True, slots=True)
class _IdleWords:
    """Words that alone mean no value: nouns of labels, and ordinary words, as who is `in possession
    of` a phone means no `Possession of weapons`."""

    nouns: Collection[str]
    ordinary: Set[str]

    def has_word(self, word: str) -> bool:
        return word in self.ordinary or is_schema_word(word, self.nouns)


def _adds_nothing(
    value: Mention, whole: Sequence[Mention], own_words: Collection[str], idle: _IdleWords
) -> bool:
    """Whether the words that a scattered value shares with the question are those of whole names
    or of the schema, or only one of several is not; or whether all of them are idle.
    """
    shared = [
        word
        for word in words_of(value.text)
        if word not in FUNCTION_WORDS
        and any(has_same_stem(word, other) for other in words_of(str(value.best.stored.value)))
    ]
    said = {word for each in whole for word in words_of(each.text)}
    left = [w for w in shared if w not in said and not is_schema_word(w, own_words)]
    return len(left) < min(2, len(shared)) or all(map(idle.has_word, left))
