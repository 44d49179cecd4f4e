"""Texts copied from a question: runs of its whole words, as moves of a language."""

from __future__ import annotations

import re

from trellis.linking.names.spans import Span, parse_question

_PLACEHOLDER = re.compile(r"(?:ENT|v)\d+")


def list_span_texts(question: str, most_words: int) -> tuple[str, ...]:
    """The distinct runs of at most `most_words` words of a question, from left to right.

    They begin and end with a word rather than punctuation, have single spaces, and hold no
    placeholder of a mention or value.
    """
    parsed = parse_question(question)
    atoms = parsed.atoms
    texts: dict[str, None] = {}
    for at, first in enumerate(atoms):
        words = 0
        for last in atoms[at:]:
            words += last.is_nameable
            is_placeholder = _PLACEHOLDER.fullmatch(parsed.text_of(last.span))
            if words > most_words or not first.is_nameable or is_placeholder:
                break
            if last.is_nameable:
                text = parsed.text_of(Span(first.span.start, last.span.end))
                texts[" ".join(text.split())] = None
    return tuple(texts)
