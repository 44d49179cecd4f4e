"""A question as text: its atoms, the spans that may be names, and the features of each span.

An atom is a word, a punctuation mark, a possessive `'s`, or one character of a script that writes
without spaces. A span runs from the start of an atom to the end of one, so that `Mr. & Mrs. Smith`,
`(500) Days of Summer` and `frank_lloyd_wright` in `frank_lloyd_wright's` are all spans. Nothing
here knows the graph.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from trellis.linking.text import name_key, put_article_last

FUNCTION_WORDS = frozenset(
    """a about after all also am an and any are as at be been before being both but by can could
    did do does doing down during each every few find for from get give had has have having he her
    here hers him his how i if in into is it its just know list many may me might more most much
    my name no nor not of off on one only or other our ours out over please same shall she should
    show so some such tell than that the their theirs them then there these they this those through
    to too under until up us very was we were what when where whether which while who whom whose
    why will with would you your yours""".split()  # noqa: SIM905
)
"""Words that are hardly ever a name by themselves when written small."""

LONGEST_NAME = 16
"""The most words of a name that is looked for."""

_LONGEST_ATOMS = 40
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"  # Japanese, Chinese, Korean
)
_ATOM = re.compile(
    rf"[{_UNSPACED}]|['’]s\b|(?:(?![{_UNSPACED}])\w)+(?:['’](?!s\b)(?![{_UNSPACED}])\w+)*|[^\w\s]"
)
_CONTRACTED = re.compile(r"(?P<stem>[a-z]+?)(?:n['’]t|['’](?:d|ll|m|re|s|ve))")
_STRAIGHT = str.maketrans("‘’“”–—", "''\"\"--")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters `[start, end)` of a question."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Atom:
    """One unit of a question; `is_nameable`: whether it is more than punctuation, and can be a
    name."""

    span: Span
    starts_word: bool  # white space, or nothing, is before it
    is_nameable: bool
    is_common: bool  # a word of questions rather than of names
    is_function_word: bool  # a function word
    has_name_shape: (
        bool  # it has the shape of a name: an informative capital, a digit or an underscore
    )

    @property
    def is_informative(self) -> bool:
        return self.is_nameable and (self.has_name_shape or not self.is_common)


@dataclass(frozen=True, slots=True)
class SpanFeatures:
    """The features that show whether a span is a name, each a number of its words."""

    informative: int  # words with the shape of a name, or not common in questions
    rare: int  # words that are not common in questions
    shaped: int  # words with the shape of a name
    function_words: int  # function words
    words: int  # all words


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question and its atoms."""

    text: str
    atoms: tuple[Atom, ...]

    def text_of(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def atoms_in(self, span: Span) -> tuple[Atom, ...]:
        first = bisect_left(self.atoms, span.start, key=lambda atom: atom.span.start)
        last = bisect_right(self.atoms, span.end, key=lambda atom: atom.span.end)
        return self.atoms[first:last]

    def count_features(self, span: Span) -> SpanFeatures:
        words = [atom for atom in self.atoms_in(span) if atom.is_nameable]
        return SpanFeatures(
            informative=sum(atom.is_informative for atom in words),
            rare=sum(not atom.is_common for atom in words),
            shaped=sum(atom.has_name_shape for atom in words),
            function_words=sum(atom.is_function_word for atom in words),
            words=len(words),
        )


def parse_question(text: str, wording: Collection[str] = ()) -> ParsedQuestion:
    """Split a question into atoms; `wording`: words (lower case) that are common in questions."""
    pieces = [Span(*match.span()) for match in _ATOM.finditer(text)]
    speaks = _has_meaningful_case([text[p.start : p.end] for p in pieces])
    atoms = []
    for piece in pieces:
        opening = _opens_sentence(text, piece)
        atoms.append(_build_atom(text, piece, wording, capitals=speaks and not opening))
    return ParsedQuestion(text, tuple(atoms))


def find_spans(question: ParsedQuestion) -> Iterator[Span]:
    """All spans of up to `LONGEST_NAME` words that may be a name, from left to right."""
    atoms = question.atoms
    for at, opening in enumerate(atoms):
        if _is_possessive(question.text_of(opening.span)):
            continue
        words, counts = 0, False
        for atom in atoms[at : at + _LONGEST_ATOMS]:
            words += atom.starts_word
            counts = counts or atom.is_nameable
            if words > LONGEST_NAME:
                break
            if counts:
                yield Span(opening.span.start, atom.span.end)


def make_lookup_keys(text: str) -> frozenset[str]:
    """The keys that a span's text is looked up by: of the text itself, with plain quotes, and with
    its article behind it."""
    straight = text.translate(_STRAIGHT)
    return frozenset(map(name_key, (text, straight, put_article_last(straight)))) - {""}


def is_same_case(text: str, name: str) -> bool:
    """Whether a text is a name letter by letter, case included; underscores count as spaces."""
    return text == name or _normalise_text(text) == _normalise_text(name)


def find_occurrences(text: str, name: str) -> list[Span]:
    """The places of a name in a text: those of exact case first, whole words before parts."""
    pattern = r"[\s_]+".join(map(re.escape, name.replace("_", " ").split()))
    if not pattern:
        return []
    whole = rf"(?<!\w){pattern}(?!\w)"
    tries = ((whole, re.NOFLAG), (whole, re.IGNORECASE), (pattern, re.IGNORECASE))
    straight = text.translate(_STRAIGHT)
    places = [
        Span(*match.span())
        for form, flags in tries
        for source in dict.fromkeys((text, straight))
        for match in re.finditer(form, source, flags)
    ]
    return list(dict.fromkeys(places))


def _build_atom(text: str, span: Span, wording: Collection[str], *, capitals: bool) -> Atom:
    piece = text[span.start : span.end]
    key = name_key(piece)
    function = key in FUNCTION_WORDS or _is_contracted(piece)
    capital = capitals and piece[0].isupper() and piece != "I"
    return Atom(
        span=span,
        starts_word=span.start == 0 or text[span.start - 1].isspace(),
        is_nameable=not _is_possessive(piece)
        and any(unicodedata.category(c)[0] in "LNS" for c in piece),
        is_common=function or key in wording,
        is_function_word=function,
        has_name_shape=capital or "_" in piece.strip("_") or any(char.isdigit() for char in piece),
    )


def _is_contracted(piece: str) -> bool:
    """Whether a word is a function word with another behind it: `we've`, `haven't`."""
    found = _CONTRACTED.fullmatch(piece.lower())
    return found is not None and (
        found["stem"] in FUNCTION_WORDS or found["stem"] in ("ca", "sha", "wo")
    )


def _is_possessive(piece: str) -> bool:
    return piece in ("'s", "’s")


def _has_meaningful_case(pieces: Iterable[str]) -> bool:
    """Whether capitals carry information; they do not in a text all in capitals or In Title
    Case."""
    return any(piece[0].islower() for piece in pieces)


def _opens_sentence(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 16) : span.start].rstrip(" \t\n\"'“‘«(")
    if not before:
        return span.start < 16
    return before[-1] in "?!" or (before[-1] == "." and before[-3:-1].islower())


def _normalise_text(text: str) -> str:
    """The text in NFKC with plain quotes, spaces for underscores and single spaces; case is
    kept."""
    spaced = unicodedata.normalize("NFKC", text).translate(_STRAIGHT).replace("_", " ")
    return " ".join(spaced.split())
