"""Spans of a question that look like names, though nothing of their name was found."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence

from trellis.domain.grammar_words import ARTICLES
from trellis.linking.names.spans import Atom, ParsedQuestion, Span
from trellis.linking.text import name_key

_BRIDGE = 3  # atoms
_MOST_TELLING = 5  # words of a part of a run
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|(?<!\w)['‘]([^'‘’]+)['’](?!\w)")


def find_name_like_spans(question: ParsedQuestion, taken: Collection[Span]) -> dict[Span, bool]:
    """Spans that look like names and contain more than the spans that are `taken`.

    These are quoted texts, runs of words with the shape of a name, and runs of rare words in small
    letters. Where a taken span has the shape of a name, the asker seems to write names so; then
    runs in small letters count only where they touch a taken span. The value says whether a span
    may be a name of its own: it touches no taken span, and has the shape of a name (or nothing is
    taken).
    """
    quoted = find_quoted_spans(question.text)
    covered = {atom for span in taken for atom in question.atoms_in(span)}
    runs_of_shape = [*_find_runs(question, small=False)]
    shaped = dict.fromkeys([*quoted, *runs_of_shape, *_extend_to_left(question, runs_of_shape)])
    styled = any(atom.has_name_shape for atom in covered)
    small = _find_runs(question, small=True, bridges=(0,) if styled else (_BRIDGE, 0))
    touching = [s for s in small if not styled or any(map(s.overlaps, taken))]
    runs = dict.fromkeys([*shaped, *touching, *_extend_to_left(question, touching)])
    names = {span: span in shaped or not taken for span in runs}
    for span in runs:
        if any(map(span.overlaps, taken)):
            names |= dict.fromkeys([span, *_find_uncovered_runs(question, span, taken)], False)
    if not taken:
        words = (atom.span for atom in question.atoms if atom.is_informative)
        names = dict.fromkeys(words, False) | names
        names = dict.fromkeys((s for run in runs for s in _split_run(question, run)), True) | names
    return {
        span: alone
        for span, alone in names.items()
        if any(atom.is_informative and atom not in covered for atom in question.atoms_in(span))
    }


def find_quoted_spans(text: str) -> list[Span]:
    """The spans inside quotation marks."""
    return [Span(*match.span(match.lastindex or 0)) for match in _QUOTED.finditer(text)]


def _find_runs(
    question: ParsedQuestion, *, small: bool, bridges: Sequence[int] = (_BRIDGE, 0)
) -> Iterator[Span]:
    """Maximal runs of words with the shape of a name; `small`: of all telling words.

    `bridges`: the most atoms that a run may bridge between two such words, as in `Lord of the
    Rings` or `City of te Living Dead`; there are runs for each of them.
    """
    for bridge in bridges:
        run: list[Atom] = []
        gap = 0
        for atom in question.atoms:
            if not atom.is_informative or not (small or atom.has_name_shape):
                gap += (
                    1
                    if atom.is_function_word or atom.is_informative or not atom.is_nameable
                    else _BRIDGE + 1
                )
                continue
            if run and gap > bridge:
                yield Span(run[0].span.start, run[-1].span.end)
                run = []
            run.append(atom)
            gap = 0
        if run:
            yield Span(run[0].span.start, run[-1].span.end)


def _split_run(question: ParsedQuestion, run: Span) -> Iterator[Span]:
    """The parts of a run that begin and end with a telling word and have two to five of them."""
    telling = [atom.span for atom in question.atoms_in(run) if atom.is_informative]
    for at, first in enumerate(telling):
        for last in telling[at + 1 : at + _MOST_TELLING]:
            yield Span(first.start, last.end)


def _extend_to_left(question: ParsedQuestion, runs: Iterable[Span]) -> Iterator[Span]:
    """Runs extended to the left by words that cannot show a shape.

    Such a word is an article before the run, or the capitalized word that opens the question.
    """
    for span in runs:
        at = bisect_left(question.atoms, span.start, key=lambda atom: atom.span.start)
        before = question.atoms[max(0, at - 1) : at]
        if before and name_key(question.text_of(before[0].span)) in ARTICLES:
            yield Span(before[0].span.start, span.end)
        opening = question.atoms[0]
        if (
            0 < at <= 1 + _BRIDGE
            and opening.is_informative
            and question.text_of(opening.span)[0].isupper()
        ):
            yield Span(opening.span.start, span.end)


def _find_uncovered_runs(
    question: ParsedQuestion, span: Span, taken: Collection[Span]
) -> Iterator[Span]:
    """The parts of a span outside of the spans that are taken, as runs of whole atoms."""
    run: list[Atom] = []
    for atom in question.atoms_in(span):
        if atom.is_nameable and not any(atom.span.overlaps(other) for other in taken):
            run.append(atom)
        elif run and atom.is_nameable:
            yield Span(run[0].span.start, run[-1].span.end)
            run = []
    if run:
        yield Span(run[0].span.start, run[-1].span.end)
