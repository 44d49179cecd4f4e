"""Link values: find the question's literals, and the stored values that each may mean.

Names, codes, dates, times, numbers and kinds are looked up by key among the remembered values (of
properties with few values), and by full text among the others. Where neither finds anything, spans
are looked up as names of nodes, also in lower case. Remembered values are also found by their
words, in whatever order these occur in the question.
Nothing is chosen here: a span keeps all values that it may mean, best first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from trellis.domain.graphs.links import Link, MatchKind, Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Graph, RememberedValues
from trellis.linking.names.demonyms import find_countries
from trellis.linking.names.spans import (
    ParsedQuestion,
    Span,
    find_spans,
    is_same_case,
    make_lookup_keys,
    parse_question,
)
from trellis.linking.text import bare_words
from trellis.linking.values.literals import number_of, question_keys, stored_keys
from trellis.linking.values.surroundings import Surroundings
from trellis.linking.values.value_index import words_of
from trellis.steps.link.vocabulary.schema_words import is_schema_word, list_schema_words

_SCORES: Mapping[MatchKind, float] = {
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
_SAME_CASE_BONUS = 0.03
_LONGEST = 12  # words
_MOST_SEARCHED = 60  # spans of one question that are searched by full text
_LEAST_SHARE = 0.45  # share of the weight of a value's words that the question must have
_MOST_LOST_TO_SURROUNDINGS = (
    0.2  # share of a score that is lost where the surrounding words do not fit
)
_SMALL_WORD_TRUST = 0.6  # factor for a lower-case word that is capitalised in the value
_COMPARED_SCORE = 0.4  # score of a number that is stored nowhere, but may be compared with
_NUMERIC = ("INTEGER", "FLOAT")
_ADVERBS = re.compile(
    r"\b(?:right (?:now|away)|all right|first of all|at (?:present|the moment))\b", re.IGNORECASE
)


async def link_values(question: str, graph: Graph) -> tuple[Mention, ...]:
    """A mention of each stored value that the question may mean, best first; they may overlap.

    Each (label, property, value) occurs once, with the span that matches it best. Runs one query
    where the graph's schema and values are remembered.
    """
    asked, schema, index = parse_question(question), await graph.schema(), await graph.values()
    places = _find_value_spans(asked)
    known = [mention for span in places for mention in _link_remembered_values(asked, span, index)]
    searched = _choose_searched_spans(asked, places, known)
    matches = await graph.search_values([asked.text_of(span) for span in searched])
    for span, values in zip(searched, matches, strict=True):
        known += _link_whole_values(asked, span, values)
    mentions = _drop_inner_mentions(known or await _link_named_nodes(asked, places, graph, schema))
    mentions += _link_compared_numbers(asked, places, mentions, schema)
    mentions += _link_by_words(asked, index)
    mentions = _leave_out_adverbs(question, mentions)
    around = Surroundings.of(asked, schema)
    return _choose_best_mentions([_adjust_score_to_surroundings(m, around) for m in mentions])


def _leave_out_adverbs(question: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions without those in an adverb of several words: no foot is `right` right now."""
    adverbs = [match.span() for match in _ADVERBS.finditer(question)]
    return [m for m in mentions if not any(a <= m.start and m.end <= b for a, b in adverbs)]


def _find_value_spans(question: ParsedQuestion) -> list[Span]:
    """The spans that begin and end in words (`9-(488)105-0765` has many) and are informative."""
    chosen = []
    for span in find_spans(question):
        atoms = question.atoms_in(span)
        words = sum(atom.starts_word for atom in atoms)
        informative = any(atom.is_informative for atom in atoms)
        if informative and words <= _LONGEST and atoms[0].is_nameable and atoms[-1].is_nameable:
            chosen.append(span)
    return chosen


def _link_remembered_values(
    question: ParsedQuestion, span: Span, index: RememberedValues
) -> list[Mention]:
    """The mentions of the remembered values that a span says, or of the countries that it is the
    adjective of: `Italian` says the country Italy.

    Of a plural's possible singulars the first that exists is taken.
    """
    mentions: list[Mention] = []
    for key, how in question_keys(question.text_of(span)).items():
        if how != "plural" or not any(mention.best.how == "plural" for mention in mentions):
            stored_values = index.find_by_key(key)
            mentions += [_link_span(question, span, stored, how) for stored in stored_values]
    return mentions or [
        _link_span(question, span, stored, "spelling")
        for country in find_countries(question.text_of(span))
        for key, how in question_keys(country).items()
        if how == "exact"
        for stored in index.find_by_key(key)
    ]


def _link_span(
    question: ParsedQuestion, span: Span, stored: StoredValue, how: MatchKind
) -> Mention:
    """The mention of a stored value by a span; its score shows how they match."""
    text = question.text_of(span)
    if how == "exact" and bare_words(text) != bare_words(str(stored.value)):
        how = "spelling"
    cased = _SAME_CASE_BONUS if how == "exact" and is_same_case(text, str(stored.value)) else 0.0
    score = (_SCORES[how] + cased) * _estimate_trust(question, span, stored)
    return _build_mention(question, span, Link(stored, score, how))


def _build_mention(question: ParsedQuestion, span: Span, link: Link) -> Mention:
    return Mention(span.start, span.end, question.text_of(span), (link,))


def _estimate_trust(question: ParsedQuestion, span: Span, stored: StoredValue) -> float:
    """How far to trust a link: a single lower-case word hardly means a capitalised value."""
    worth = question.count_features(span)
    if worth.shaped or worth.words > 1 or is_same_case(question.text_of(span), str(stored.value)):
        return 1.0
    return _SMALL_WORD_TRUST


def _choose_searched_spans(
    question: ParsedQuestion, places: Iterable[Span], known: Sequence[Mention]
) -> list[Span]:
    """The spans to search by full text: those shaped like names or codes and not yet linked.

    Spans in which most words have such a shape come first, then longer ones.
    """
    taken = [_span_of(mention) for mention in known if mention.best.how in _WHOLE]
    shaped = [
        span
        for span in places
        if question.count_features(span).shaped
        and not any(_is_inside(span, other) for other in taken)
    ]
    return sorted(shaped, key=lambda span: _rank_key(question, span))[:_MOST_SEARCHED]


def _rank_key(question: ParsedQuestion, span: Span) -> tuple[int, int]:
    worth = question.count_features(span)
    return worth.words - worth.shaped, span.start - span.end


def _span_of(mention: Mention) -> Span:
    return Span(mention.start, mention.end)


def _is_inside(span: Span, outer: Span) -> bool:
    return outer.start <= span.start and span.end <= outer.end


def _link_whole_values(
    question: ParsedQuestion, span: Span, values: Iterable[StoredValue]
) -> list[Mention]:
    """The mentions of those values that the whole span matches, not only a part of it."""
    span_keys = question_keys(question.text_of(span))
    mentions = []
    for stored in values:
        matched = (span_keys[key] for key in stored_keys(stored.value) if key in span_keys)
        how = next(matched, None)
        if how:
            mentions.append(_link_span(question, span, stored, how))
    return mentions


async def _link_named_nodes(
    question: ParsedQuestion, places: Sequence[Span], graph: Graph, schema: Schema
) -> list[Mention]:
    """The mentions of nodes that a span names, whatever its shape: `glam rock`.

    Spans of the schema's own words say what is asked for, and are not looked up as names.
    """
    own = list_schema_words(schema)
    looked_up = {
        span: make_lookup_keys(question.text_of(span))
        for span in places
        if not _has_only_schema_words(question, span, own)
    }
    nodes = await graph.find_by_key(sorted({key for each in looked_up.values() for key in each}))
    naming = {kind.label: kind.naming for kind in schema.labels}
    return [
        _link_span(question, span, StoredValue(label, key, node.name), "exact")
        for span, span_keys in looked_up.items()
        for node in chain.from_iterable(nodes.get(name, ()) for name in span_keys)
        for label in node.labels
        if (key := naming.get(label))
    ]


def _has_only_schema_words(
    question: ParsedQuestion, span: Span, own_words: Collection[str]
) -> bool:
    """Whether all words of a span are words of the schema."""
    return all(is_schema_word(word, own_words) for word in words_of(question.text_of(span)))


def _link_by_words(question: ParsedQuestion, index: RememberedValues) -> list[Mention]:
    """The mentions of values of which enough words occur in the question, anywhere in it."""
    placed_words = [
        (word, atom.span)
        for atom in question.atoms
        if atom.is_nameable
        for word in words_of(question.text_of(atom.span))
    ]
    mentions = []
    for worded in index.find_by_words([word for word, _ in placed_words], _LEAST_SHARE):
        first, last = worded.word_indices[0], worded.word_indices[-1]
        span = Span(placed_words[first][1].start, placed_words[last][1].end)
        link = Link(worded.stored, _SCORES["words"] * worded.share, "words")
        mentions.append(_build_mention(question, span, link))
    return mentions


def _drop_inner_mentions(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions outside the span of a longer value: not the `124` of `124 Wapping Street`, nor
    the model `Escalade` of `Escalade ESVs`."""
    whole = {
        _span_of(mention)
        for mention in mentions
        if mention.best.how in _WHOLE or (mention.best.how == "plural" and " " in mention.text)
    }
    return [
        mention
        for mention in mentions
        if not any(_is_inside(_span_of(mention), other) for other in whole - {_span_of(mention)})
    ]


def _link_compared_numbers(
    question: ParsedQuestion, places: Iterable[Span], mentions: Sequence[Mention], schema: Schema
) -> list[Mention]:
    """Mentions of numbers that are stored nowhere: they may be compared with numeric properties."""
    taken = [_span_of(mention) for mention in mentions]
    numeric = [
        (kind.label, property.name, property.type)
        for kind in schema.labels
        for property in kind.properties
        if property.type in _NUMERIC
    ]
    compared = []
    for span in places:
        number = number_of(question.text_of(span))
        if number is None or any(_is_inside(span, other) for other in taken):
            continue
        for label, name, type in numeric:
            value = int(number) if type == "INTEGER" else number
            link = Link(StoredValue(label, name, value, type), _COMPARED_SCORE, "number")
            compared.append(_build_mention(question, span, link))
    return compared


def _adjust_score_to_surroundings(mention: Mention, surroundings: Surroundings) -> Mention:
    """Lower the score of a mention where no word around it fits the value's property or label."""
    link, stored = mention.best, mention.best.stored
    fit = surroundings.rate_fit(stored.label, stored.property, _span_of(mention))
    factor = 1 - _MOST_LOST_TO_SURROUNDINGS + _MOST_LOST_TO_SURROUNDINGS * fit
    return replace(mention, links=(replace(link, score=link.score * factor),))


def _choose_best_mentions(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Of each value the best mention, best first; ties have a fixed order."""
    best: dict[StoredValue, Mention] = {}
    for mention in mentions:
        stored = mention.best.stored
        if stored not in best or mention.score > best[stored].score:
            best[stored] = mention
    return tuple(sorted(best.values(), key=_make_order_key))


def _make_order_key(mention: Mention) -> tuple[object, ...]:
    stored = mention.best.stored
    return -mention.score, mention.start, stored.label, stored.property, stored.value
