"""Which part of a question describes a node, where the rest asks for what is related to it.

In `Which team maintains the tool that turns subtitles into other formats?` the schema explains all
but `the tool that turns subtitles into other formats`: what these words say stands in a text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from trellis.domain.grammar_words import ARTICLES, AUXILIARIES, RELATIVES
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.names import PREPOSITIONS
from trellis.lexicon.plurals import is_plural
from trellis.linking.names.spans import Atom, ParsedQuestion, Span
from trellis.linking.text import bare_words
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.schema_words import is_schema_word, list_schema_words

_SENTENCE_END = re.compile(r"[.?!]\s")
_LEAST_WORDS = 2  # unexplained words of a description
_MOST_IN_NOUN = 4  # words in front of a relative clause


def find_described_part(form: QuestionForm, labels: Collection[str]) -> Span | None:
    """The span of a question that describes a node of some labels, whose nodes have texts; None
    where nothing begins one, where it says little or more than one sentence, or where the rest
    says more than the schema and names explain, or nothing but what those nodes are called.

    It begins with an article before the first unexplained word, or with a plural that a relative
    clause is about (`tools that …`), and ends with the question; a verb of the schema that an
    auxiliary has put there does not belong to it: `What does the tool that … depend on?`.
    """
    asked, schema = form.parsed, form.schema
    own = list_schema_words(schema).union(form.vocabulary.list_noun_words())
    strange = _list_unexplained(form, own)
    if len(strange) < _LEAST_WORDS:
        return None
    nouns = {noun for noun, label in form.vocabulary.nouns.items() if label in labels}
    for start in sorted(_list_starts(asked, strange[0].span.start, nouns)):
        part = Span(start, _find_end(asked, start, strange[-1].span.end, schema))
        is_one = not _SENTENCE_END.search(asked.text_of(part))
        if is_one and _says_relation(asked, part, own, nouns):
            return part
    return None


def describes_several(part: str) -> bool:
    """Whether a part of a question describes several nodes: its first noun, or the last word before
    a relative clause, is a plural."""
    words = bare_words(part)
    said = words[1:] if words[0] in ARTICLES else words
    before = _list_before_clause(said)
    return any(map(is_plural, (*said[:1], *before[-1:])))


def _list_before_clause(words: Sequence[str]) -> list[str]:
    """The words in front of a relative clause; none where there is no such clause."""
    before = list(takewhile(lambda word: word not in RELATIVES, words))
    return before if len(before) < len(words) else []


def shift_mentions(mentions: Sequence[Mention], part: Span) -> list[Mention]:
    """The mentions inside a part of a question, as spans of that part."""
    return [
        replace(mention, start=mention.start - part.start, end=mention.end - part.start)
        for mention in mentions
        if part.start <= mention.start and mention.end <= part.end
    ]


def _list_unexplained(form: QuestionForm, own_words: Collection[str]) -> list[Atom]:
    """The words that are neither grammar nor names of the graph or of its schema."""
    return [
        atom
        for atom in form.unnamed_words
        if not is_schema_word(form.parsed.text_of(atom.span).lower(), own_words)
    ]


def _list_starts(asked: ParsedQuestion, first: int, nouns: Collection[str]) -> Iterator[int]:
    """Where a description may begin: at an article in front of a noun for nodes with texts, or of
    what a relative clause is about, and at the last article in front of the first unexplained
    word; else at such a noun in the plural, or at another that a relative clause is about."""
    words = [(atom.span.start, asked.text_of(atom.span).lower()) for atom in asked.atoms]
    before = [(start, word) for start, word in words if start < first]
    places = [at for at, (_, word) in enumerate(before) if word in ARTICLES]
    for at in places[:-1]:
        clause = {word for _, word in before[at : places[-1]]}
        if words[at + 1][1] in nouns or not clause.isdisjoint(RELATIVES):
            yield before[at][0]
    if places:
        yield before[places[-1]][0]
    yield from (start for start, word in before[1:] if word in nouns and is_plural(word))
    noun = _list_before_clause([word for start, word in words if start >= first])
    if len(noun) <= _MOST_IN_NOUN and any(map(is_plural, noun[-1:])):
        yield first


def _find_end(asked: ParsedQuestion, start: int, last: int, schema: Schema) -> int:
    """The end of the part: behind it there may be a preposition and a verb of the schema, where an
    auxiliary stands before it."""
    atoms = [atom for atom in asked.atoms if atom.is_nameable]
    words = [asked.text_of(atom.span).lower() for atom in atoms]
    before = takewhile(lambda pair: pair[0].span.start < start, zip(atoms, words, strict=True))
    at = len(words)
    if any(word in AUXILIARIES for _, word in before):
        types = {word for kind in schema.relationships for word in kind.type.lower().split("_")}
        at -= words[at - 1] in PREPOSITIONS
        at -= words[at - 1] not in PREPOSITIONS and is_schema_word(words[at - 1], types)
    return max(last, atoms[at - 1].span.end)


def _says_relation(
    asked: ParsedQuestion, part: Span, own_words: Collection[str], nouns: Collection[str]
) -> bool:
    """Whether a word outside of a part is one of the schema's, and no noun for nodes with texts:
    `packages of the …` says no relation."""
    words = (
        asked.text_of(atom.span).lower()
        for atom in asked.atoms
        if atom.is_nameable and not atom.is_function_word and not part.overlaps(atom.span)
    )
    return any(is_schema_word(word, own_words) and word not in nouns for word in words)
