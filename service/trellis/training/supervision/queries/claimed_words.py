"""Which words the given questions use of one relationship type alone.

What is made from the schema uses the words of a lexicon, in which `friends` may be any people who
know one another. Where given questions say `friends` of `KNOWS_SN` alone, a made question that says
it of another type would teach the opposite, and is left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.steps.retrieve.queries.query_prompt import split_masked_words
from trellis.training.examples import Example

_LEAST = 5  # questions that say a word
_SHARE = 0.95  # of these, the share that has the type
_LIFT = 3.0  # how much more often the type comes with the word than without
_ARROW = re.compile(r" (?:->|<-)$")


def find_claimed_words(
    examples: Sequence[Example], types: Collection[str]
) -> Mapping[str, frozenset[str]]:
    """For each word that is said of a relationship type alone, those types; in all its questions.

    `types`: the relationship types in the words of sentences.
    """
    said: Counter[str] = Counter()
    had: Counter[str] = Counter()
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for example in examples:
        own = list_types(example, types)
        had.update(own)
        for word in _list_words(example):
            said[word] += 1
            together[word].update(own)
    usual = {name: count / len(examples) for name, count in had.items()}
    claimed = {
        word: frozenset(
            name
            for name, count in together[word].items()
            if count >= _SHARE * many and count >= _LIFT * usual[name] * many
        )
        for word, many in said.items()
        if many >= _LEAST
    }
    return {word: names for word, names in claimed.items() if names}


def drop_contradicting(
    made: Sequence[Example], claimed: Mapping[str, Collection[str]], types: Collection[str]
) -> tuple[Example, ...]:
    """The made examples without those that use a claimed word of other types only.

    A word of a type's own name may be said of that type.
    """
    return tuple(each for each in made if not _contradicts(each, claimed, types))


def list_types(example: Example, types: Collection[str]) -> frozenset[str]:
    """The relationship types that a query has, in the words of sentences."""
    texts = (_ARROW.sub("", segment).strip() for segment in example.segments)
    return frozenset(text for text in texts if text in types)


def _contradicts(
    example: Example, claimed: Mapping[str, Collection[str]], types: Collection[str]
) -> bool:
    own = list_types(example, types)
    named = {word for name in own for word in name.split()}
    return bool(own) and any(
        own.isdisjoint(claimed.get(word, own)) and word not in named
        for word in _list_words(example)
    )


def _list_words(example: Example) -> set[str]:
    return set(split_masked_words(example.prompt.question)) - FUNCTION_WORDS
