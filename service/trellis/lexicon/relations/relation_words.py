"""Relation words: those that a relation's name, and the phrases of its concept, bring."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from trellis.domain.grammar_words import BEING, DOING, QUESTION_WORDS, match_words
from trellis.lexicon.relations.phrases import Phrases

_NAME, _PHRASE = 0.4, 0.25  # how often a word of the name, and one of a phrase, is brought
_ASKING = re.compile(rf"^(?:{match_words((*QUESTION_WORDS, *BEING, *DOING))})\b")
_WORD = re.compile(r"[^\W\d_]{2,}")


def weigh_relation_words(name: Sequence[str], phrases: Phrases) -> dict[str, float]:
    """How often each word is said where a relation is spoken of, from the words of its name and
    from its phrases."""
    texts = [*phrases.nouns, *phrases.asks, *phrases.clauses, *phrases.some]
    counts = Counter(word for text in texts for word in set(split_phrase(text)))
    words = {word: min(_PHRASE, _PHRASE * n / 3) for word, n in counts.items()}
    return words | dict.fromkeys(name, _NAME)


def limit_words(words: Mapping[str, float], most: float) -> dict[str, float]:
    """The words, said less often where they are said more often than `most` in all, so that long
    lists of phrases cost no more than short names."""
    share = min(1.0, most / (sum(words.values()) or 1.0))
    return {word: often * share for word, often in words.items()}


def split_phrase(text: str) -> Iterable[str]:
    """The words of a phrase without what only asks, and without its gaps."""
    return _WORD.findall(_ASKING.sub("", text.lower().replace("{}", " ").replace("{n}", " ")))
