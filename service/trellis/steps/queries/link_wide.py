"""Link what wide queries compare with: stored values, names of nodes, numbers and quoted texts.

Names are linked as for paths, with other names, spellings and adjectives (`Danish`), so that a
query can say which node it means by the property that names it. A stored value that only shares
words with such a name, or that is a code like an ordinary word (`lie` and `LIE`), is no value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from trellis.domain.errors import NotIndexedError
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.ports import Embedder, Graph
from trellis.domain.schema import Schema
from trellis.linking.spans import FUNCTION_WORDS, parse_question
from trellis.linking.value_index import has_same_stem, words_of
from trellis.steps.queries.link_literals import link_literals
from trellis.steps.queries.link_values import link_values
from trellis.steps.queries.value_mentions import is_scattered, is_schema_word, list_schema_words
from trellis.steps.shared.link import link_mentions

_LEAST_NAME = 0.6  # score of a name's link that searching found, at least
_TIED = 0.97  # share of a label's best score from which another name of it is meant too
_LONGEST_CODE = 4  # letters


async def link_wide_values(
    question: str, graph: Graph, embedder: Embedder | None, wording: Collection[str] = ()
) -> tuple[Mention, ...]:
    """A mention of each value, name and literal that a question may mean, best first.

    `wording`: lower-case words that questions over this graph use, rather than names.
    """
    schema = await graph.schema()
    named = await _link_names(question, graph, embedder, wording)
    names = tuple(chain.from_iterable(_convert_mention(each, schema) for each in named))
    literals = [each for each in link_literals(question) if not _is_named(each, names)]
    values = [
        each
        for each in await link_values(question, graph)
        if not _is_covered(each, (*names, *literals)) and not _is_word_like_code(each, question)
    ]
    whole = [*names, *(each for each in values if not is_scattered(each))]
    own = list_schema_words(schema)
    scattered = [
        each for each in values if is_scattered(each) and not _adds_nothing(each, whole, own)
    ]
    return (*whole, *scattered, *literals)


async def _link_names(
    question: str, graph: Graph, embedder: Embedder | None, wording: Collection[str]
) -> tuple[Mention, ...]:
    """The mentions of nodes; by spelling alone where the graph has no vectors, and none where it
    has no names."""
    for means in dict.fromkeys((embedder, None)):
        with suppress(NotIndexedError):
            return await link_mentions(question, graph, means, wording)
    return ()


def _convert_mention(mention: Mention, schema: Schema) -> Iterator[Mention]:
    """A mention of nodes as one of the values that name them; of a label the best, and its ties."""
    naming = {kind.label: kind.naming for kind in schema.labels if kind.naming}
    best: dict[str, float] = {}
    links: dict[StoredValue, Link] = {}
    for link in mention.links:
        if link.how in ("text", "vector") and link.score < _LEAST_NAME:
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


def _is_covered(value: Mention, others: Sequence[Mention]) -> bool:
    """Whether the span of a value lies inside a longer name or number."""
    return not is_scattered(value) and any(
        other.start <= value.start
        and value.end <= other.end
        and (other.start, other.end) != (value.start, value.end)
        for other in others
    )


def _is_word_like_code(value: Mention, question: str) -> bool:
    """Whether a lower-case word only happens to be spelled like a code, as `lie` is like `LIE`.

    In a question without capitals, a code may be meant.
    """
    stored = str(value.best.stored.value)
    is_code = stored.isalpha() and stored.isupper() and len(stored) <= _LONGEST_CODE
    if not is_code or not value.text.islower():
        return False
    return value.best.how == "plural" or any(
        atom.has_name_shape for atom in parse_question(question).atoms
    )


def _adds_nothing(value: Mention, whole: Sequence[Mention], own_words: Collection[str]) -> bool:
    """Whether the words that a scattered value shares with the question are those of whole names
    or of the schema, or only one of several is not."""
    shared = [
        word
        for word in words_of(value.text)
        if word not in FUNCTION_WORDS
        and any(has_same_stem(word, other) for other in words_of(str(value.best.stored.value)))
    ]
    said = {word for each in whole for word in words_of(each.text)}
    left = [w for w in shared if w not in said and not is_schema_word(w, own_words)]
    return len(left) < min(2, len(shared))
