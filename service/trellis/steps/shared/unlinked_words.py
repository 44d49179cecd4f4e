"""Unlinked words: what a question says beside grammar and what was linked."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.links import Mention
from trellis.linking.spans import Atom, ParsedQuestion


def list_unlinked_words(question: ParsedQuestion, mentions: Sequence[Mention]) -> list[Atom]:
    """The words that are neither grammar nor part of a mention."""
    return [
        atom
        for atom in question.atoms
        if atom.is_nameable
        and not atom.is_function_word
        and not any(m.start < atom.span.end and atom.span.start < m.end for m in mentions)
    ]
