"""Link values: the question's literals, and the stored values that each may mean.

Names, codes, dates, times, numbers and kinds are looked up by key among the values that are
remembered of each property with few of them, and by full text in those with many. Where none of
it is found, what nodes are named by is looked up in small letters too. Values of properties with
very few are also found by their words, however these stand in the question.
Nothing is chosen here: a span keeps all that it may mean, best first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from trellis.domain.links import HowMeant, StoredValue, ValueLink
from trellis.domain.ports import Graph, RememberedValues
from trellis.domain.schema import Schema
from trellis.linking.literals import number_of, said_keys, stored_keys
from trellis.linking.spans import Parsed, Span, keys, parsed, same_case, spans
from trellis.linking.surroundings import Surroundings
from trellis.linking.text import bare_words
from trellis.linking.value_index import words_of
from trellis.steps.queries.value_mentions import is_own, schema_words

_SCORES: Mapping[HowMeant, float] = {
    "exact": 0.97,
    "spelling": 0.9,
    "date": 0.95,
    "time": 0.95,
    "number": 0.85,
    "plural": 0.8,
    "words": 0.7,
    "part": 0.5,
}
_WHOLE = ("exact", "spelling", "date", "time")
_SAME_CASE = 0.03
_LONGEST = 12  # words
_MOST_SEARCHED = 60  # spans of one question that are searched by full text
_LEAST_SHARE = 0.45  # of the weight of a value's words
_FIT = 0.2  # how much the words around may take from a score
_SMALL_WORD = 0.6
_COMPARED = 0.4  # a number that is not stored, of a property that numbers are compared with
_NUMERIC = ("INTEGER", "FLOAT")


async def link_values(question: str, graph: Graph) -> tuple[ValueLink, ...]:
    """All stored values that the question may speak of, best first.

    Each (label, property, value) is there once, for the span that says it best. Costs one query
    where the graph's schema and values are remembered.
    """
    asked, schema, index = parsed(question), await graph.schema(), await graph.values()
    places = _spans(asked)
    known = [link for span in places for link in _remembered(asked, span, index)]
    searched = _searched(asked, places, known)
    found = await graph.by_value([asked.read(span) for span in searched])
    for span, those in zip(searched, found, strict=True):
        known += _same(asked, span, those)
    links = _outermost(known or await _called(asked, places, graph, schema))
    links += [*_compared(asked, places, links, schema), *_by_words(asked, index)]
    around = Surroundings.of(asked, schema)
    return _best([_fitted(link, around) for link in links])


def _spans(asked: Parsed) -> list[Span]:
    """From word to word (`9-(488)105-0765` is many), and saying more than grammar."""
    kept = []
    for span in spans(asked):
        atoms = asked.within(span)
        words = sum(atom.first for atom in atoms)
        told = any(atom.telling for atom in atoms)
        if told and words <= _LONGEST and atoms[0].counts and atoms[-1].counts:
            kept.append(span)
    return kept


def _remembered(asked: Parsed, span: Span, index: RememberedValues) -> list[ValueLink]:
    """Of several singulars that a plural may have, the first that is there."""
    links: list[ValueLink] = []
    for key, how in said_keys(asked.read(span)).items():
        if how != "plural" or not any(link.how == "plural" for link in links):
            links += [_link(asked, span, stored, how) for stored in index.called(key)]
    return links


def _link(asked: Parsed, span: Span, stored: StoredValue, how: HowMeant) -> ValueLink:
    text = asked.read(span)
    if how == "exact" and bare_words(text) != bare_words(str(stored.value)):
        how = "spelling"
    cased = _SAME_CASE if how == "exact" and same_case(text, str(stored.value)) else 0.0
    score = (_SCORES[how] + cased) * _trust(asked, span, stored)
    return ValueLink(span.start, span.end, text, stored, score, how)


def _trust(asked: Parsed, span: Span, stored: StoredValue) -> float:
    """A small word that a value is spelt like with a capital is hardly that value."""
    worth = asked.worth(span)
    if worth.shaped or worth.words > 1 or same_case(asked.read(span), str(stored.value)):
        return 1.0
    return _SMALL_WORD


def _searched(asked: Parsed, places: Iterable[Span], known: Sequence[ValueLink]) -> list[Span]:
    """What may be a value of a property with many: what has shape and is not known.

    Those first in which most words have shape, then the longest.
    """
    taken = [Span(link.start, link.end) for link in known if link.how in _WHOLE]
    shaped = [
        span
        for span in places
        if asked.worth(span).shaped and not any(_inside(span, other) for other in taken)
    ]
    return sorted(shaped, key=lambda span: _rank(asked, span))[:_MOST_SEARCHED]


def _rank(asked: Parsed, span: Span) -> tuple[int, int]:
    worth = asked.worth(span)
    return worth.words - worth.shaped, span.start - span.end


def _inside(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end


def _same(asked: Parsed, span: Span, found: Iterable[StoredValue]) -> list[ValueLink]:
    """Of the values found by their words those that the text says as a whole."""
    said = said_keys(asked.read(span))
    links = []
    for stored in found:
        how = next((said[key] for key in stored_keys(stored.value) if key in said), None)
        if how:
            links.append(_link(asked, span, stored, how))
    return links


async def _called(
    asked: Parsed, places: Sequence[Span], graph: Graph, schema: Schema
) -> list[ValueLink]:
    """The nodes that are called as the text says, whatever its shape: `glam rock`. The schema's
    own words, which say what is asked for, are no names here."""
    own = schema_words(schema)
    read = {span: keys(asked.read(span)) for span in places if not _said_of(asked, span, own)}
    nodes = await graph.exact(sorted({key for those in read.values() for key in those}))
    naming = {kind.label: kind.naming for kind in schema.labels}
    return [
        _link(asked, span, StoredValue(label, key, node.name), "exact")
        for span, those in read.items()
        for node in chain.from_iterable(nodes.get(each, ()) for each in those)
        for label in node.labels
        if (key := naming.get(label))
    ]


def _said_of(asked: Parsed, span: Span, own: Collection[str]) -> bool:
    """Whether all its words are the schema's."""
    return all(is_own(word, own) for word in words_of(asked.read(span)))


def _by_words(asked: Parsed, index: RememberedValues) -> list[ValueLink]:
    """The values of which enough words are in the question, wherever they are."""
    said = [
        (word, atom.span)
        for atom in asked.atoms
        if atom.counts
        for word in words_of(asked.read(atom.span))
    ]
    links = []
    for worded in index.by_words([word for word, _ in said], _LEAST_SHARE):
        start, end = said[worded.said[0]][1].start, said[worded.said[-1]][1].end
        score = _SCORES["words"] * worded.share
        links.append(ValueLink(start, end, asked.text[start:end], worded.stored, score, "words"))
    return links


def _outermost(links: Sequence[ValueLink]) -> list[ValueLink]:
    """Those that are not inside what names a longer value: the `124` of `124 Wapping Street`."""
    whole = {(link.start, link.end) for link in links if link.how in _WHOLE}
    return [
        link
        for link in links
        if not any(
            start <= link.start and link.end <= end and end - start > link.end - link.start
            for start, end in whole
        )
    ]


def _compared(
    asked: Parsed, places: Iterable[Span], links: Sequence[ValueLink], schema: Schema
) -> list[ValueLink]:
    """Numbers that no property has may be there to compare with: of properties of numbers."""
    taken = [Span(link.start, link.end) for link in links]
    numeric = [
        (kind.label, found.name, found.type)
        for kind in schema.labels
        for found in kind.properties
        if found.type in _NUMERIC
    ]
    found = []
    for span in places:
        number = number_of(asked.read(span))
        if number is None or any(_inside(span, other) for other in taken):
            continue
        for label, name, type in numeric:
            value = int(number) if type == "INTEGER" else number
            stored = StoredValue(label, name, value, type)
            text = asked.read(span)
            found.append(ValueLink(span.start, span.end, text, stored, _COMPARED, "number"))
    return found


def _fitted(link: ValueLink, around: Surroundings) -> ValueLink:
    """What is worth less where nothing around the literal speaks of its property or label."""
    fit = around.fit(link.label, link.property, Span(link.start, link.end))
    return replace(link, score=link.score * (1 - _FIT + _FIT * fit))


def _best(links: Iterable[ValueLink]) -> tuple[ValueLink, ...]:
    """Each value once, best first, in an order that does not change."""
    best: dict[StoredValue, ValueLink] = {}
    for link in links:
        if link.stored not in best or link.score > best[link.stored].score:
            best[link.stored] = link
    ranked = sorted(
        best.values(), key=lambda one: (-one.score, one.start, one.label, one.property, one.value)
    )
    return tuple(ranked)
