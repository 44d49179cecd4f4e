"""Asked noun: the noun behind the words by which a question asks, whatever it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from trellis.lexicon.asking import WORD, stands_alone
from trellis.lexicon.plurals import is_plural
from trellis.linking.names.spans import FUNCTION_WORDS, Span

_MOST_BEFORE = 2  # words that may stand before the noun: `which gold customers`


def find_asked_noun(
    asking: re.Match[str] | None,
    names: Sequence[Span],
    find_meanings: Callable[[str], Collection[object]],
) -> str:
    """The first noun behind the words of a question by which it asks that stands alone and means
    something, in small letters; empty where there is none, and where nothing asks.
    `names`: the spans of names; `find_meanings`: what a noun means, if anything."""
    if asking is None:
        return ""
    question, start = asking.string, asking.end()
    said = [
        match
        for match in WORD.finditer(question, start)
        if not any(span.start <= match.start() < span.end for span in names)
    ]
    for first in range(min(_MOST_BEFORE + 1, len(said))):
        if said[first].group().lower() in FUNCTION_WORDS:
            break
        if first and any(start <= span.start < said[first - 1].start() for span in names):
            break  # the name is what is asked for: `which Sergeants investigated crimes`
        if first and is_plural(said[first - 1].group().lower()):  # a noun that means nothing here
            break
        for size in (3, 2, 1):
            those = said[first : first + size]
            noun = " ".join(match.group().lower() for match in those)
            if find_meanings(noun) and stands_alone(noun, question[those[-1].end() :]):
                return noun
    return ""
