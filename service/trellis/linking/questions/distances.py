"""What asks for distances between places: how far, the nearest, within so many kilometres.

`Which station is nearest to X?`, `How far is X from Y?`, `Which shops are within 5 km of X?`:
names, a noun for a kind of thing, a word for a distance, an amount, and words of grammar. Whatever
else such a question says is given back as unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from trellis.linking.names.spans import Span, parse_question
from trellis.linking.values.numbers import find_numbers
from trellis.linking.values.units import UNITS, find_unit_behind

METRES = {"km": 1000.0, "m": 1.0, "mi": 1609.344, "ft": 0.3048}
"""The units in which distances are asked for, and the metres of each."""

DISTANCE_WORDS = frozenset(
    """apart away beyond close closer closest distance distances far farther farthest further
    furthest near nearer nearest outside radius within""".split()  # noqa: SIM905
)
"""Words that say how far apart things are."""

Comparison = Literal["<", "<=", ">", ">="]
Order = Literal["nearest", "farthest"]

_UNIT_OF = {text: unit for unit in METRES for text in UNITS[unit]}
_COMPARISONS: tuple[tuple[Comparison, str], ...] = (
    ("<=", "at most|up to|within|in|(?:no|not) (?:more|farther|further) than"),
    (">=", "at least|(?:no|not) (?:less|closer|nearer) than"),
    ("<", "(?:less|closer|nearer) than|under|below"),
    (">", "(?:more|farther|further) than|over|beyond|outside|above"),
)
_COMPARED = tuple(
    (
        sign,
        re.compile(
            rf"(?<!\S)(?:{texts})(?: an?)?(?: distance| radius)?(?: of)? #"
            r"(?= (?:away |apart )?(?:from|of|to)(?!\S))"
        ),
    )
    for sign, texts in _COMPARISONS
)
_ORDERS: dict[str, Order] = {
    "closest": "nearest",
    "nearest": "nearest",
    "farthest": "farthest",
    "furthest": "farthest",
}
_FAR = re.compile(
    r"\bhow far\b|\bdistances?\b(?! of #)|\bhow many (?:" + "|".join(_UNIT_OF) + r")\b"
)
_GRAMMAR = frozenset(
    """a all an and any apart are as at away be between by can distance distances do does each far
    find for from give have how i in is it lie lies list located many me of off one please show
    tell that the their them there these they those to we were what where which who with
    you""".split()  # noqa: SIM905
)
_READ = _GRAMMAR.union(_ORDERS, _UNIT_OF, ("N", "K", "#", "*"))
_BEFORE_NAMES = frozenset(("and", "between", "from", "is", "of", "to"))
_LONGEST_NOUN = 4  # words of a noun for a kind of thing


@dataclass(frozen=True, slots=True)
class DistanceRequest:
    """What a question asks of distances.

    `order`: which come first, where only some are asked for; `count`: how many, None where it is
    not said. `comparison`: how distances compare with `amount`. `unit`: of the amount or the answer
    (km, m, mi, ft), empty where none is said. `asks_far`: how far is asked, not which.
    `asks_whether`: a yes or a no is. `nouns`: of the kinds asked for, in small letters; none where
    it may be any. `unread`: what else it says. `unknown_names`: the words in the place of a name.
    """

    order: Order | None
    count: int | None
    comparison: Comparison | None
    amount: float
    unit: str
    asks_far: bool
    asks_whether: bool
    nouns: tuple[str, ...]
    unread: tuple[str, ...] = ()
    unknown_names: tuple[str, ...] = ()

    @property
    def names_both(self) -> bool:
        """Whether it is about two places that are both named."""
        return not (self.nouns or self.order) and (self.comparison is None or self.asks_whether)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a question. `sign`: N for a name, K for the noun of a kind, # for an amount, * for
    a comparison with one, else the word itself in small letters. `value` and `unit`: of amounts."""

    sign: str
    span: Span
    has_shape: bool = False
    value: float = 0.0
    unit: str = ""


def speaks_of_distance(question: str) -> bool:
    """Whether a word of the question says how far apart things are."""
    words = re.findall(r"[a-z]+", question.lower())
    return not DISTANCE_WORDS.union(_UNIT_OF).isdisjoint(words)


def read_distance_request(
    question: str, names: Sequence[Span], is_noun: Callable[[str], bool]
) -> DistanceRequest | None:
    """What is asked where a question asks for distances from what it names; None of all others.

    `is_noun`: whether words in small letters are the noun of a kind of thing that the graph has.
    """
    pieces, comparison = _mark_comparison([*_cut_pieces(question, names, is_noun)])
    request = _read_request(question, pieces, comparison)
    if request is None:
        return None
    runs = [[*run] for is_read, run in groupby(pieces, _is_read) if not is_read]
    texts = tuple(question[run[0].span.start : run[-1].span.end] for run in runs)
    missing = 1 + request.names_both - len(names)
    if missing <= 0:
        return replace(request, unread=texts)
    if len(runs) == missing and all(_may_be_name(run, pieces) for run in runs):
        return replace(request, unknown_names=texts)
    return None


def _read_request(
    question: str, pieces: Sequence[_Piece], comparison: Comparison | None
) -> DistanceRequest | None:
    signs = [piece.sign for piece in pieces]
    order = next((_ORDERS[sign] for sign in signs if sign in _ORDERS), None)
    nouns = [question[it.span.start : it.span.end].lower() for it in _list_asked_nouns(pieces)]
    asks_far = bool(_FAR.search(" ".join(signs)))
    numbers = [piece for piece in pieces if piece.sign == "#"]
    compared = next((piece for piece in pieces if piece.sign == "*"), None)
    is_one = [bool(order), compared is not None, asks_far and not order].count(True) == 1
    if not is_one or len(numbers) > bool(order) or any(it.unit for it in numbers):
        return None
    if asks_far and not order and nouns:
        return None
    unit = next((_UNIT_OF[sign] for sign in signs if sign in _UNIT_OF), "")
    return DistanceRequest(
        order,
        int(numbers[0].value) if numbers else None,
        comparison,
        compared.value if compared else 0.0,
        compared.unit if compared else unit,
        asks_far,
        compared is not None and signs[0] in ("are", "is"),
        tuple(dict.fromkeys(nouns)),
    )


def _cut_pieces(
    question: str, names: Sequence[Span], is_noun: Callable[[str], bool]
) -> Iterator[_Piece]:
    """The names, amounts, nouns and words of a question, in its order."""
    parsed = parse_question(question)
    given = [_Piece("N", span) for span in names]
    given += [it for it in _list_amounts(question) if not _overlaps(it.span, names)]
    atoms = [it for it in parsed.atoms if not _overlaps(it.span, [each.span for each in given])]
    words = [
        _Piece(parsed.text_of(it.span).lower(), it.span, it.has_name_shape)
        for it in atoms
        if it.is_nameable
    ]
    pieces = sorted([*given, *words], key=lambda it: it.span)
    at = 0
    while at < len(pieces):
        length = _measure_noun(question, pieces[at:], is_noun)
        span = Span(pieces[at].span.start, pieces[at + max(length, 1) - 1].span.end)
        yield _Piece("K", span) if length else pieces[at]
        at += max(length, 1)


def _list_amounts(question: str) -> Iterator[_Piece]:
    """The numbers of a question, those of lengths with their units; no other measures."""
    for number in find_numbers(question):
        unit, written = find_unit_behind(question, number.span.end)
        if unit and unit not in METRES:
            continue
        end = question.index(written, number.span.end) + len(written)
        yield _Piece("#", Span(number.span.start, end), False, number.value, unit)


def _measure_noun(question: str, pieces: Sequence[_Piece], is_noun: Callable[[str], bool]) -> int:
    """Of how many pieces the longest noun consists that begins with the first; 0: there is none."""
    for length in range(min(_LONGEST_NOUN, len(pieces)), 0, -1):
        if all(piece.sign not in ("N", "#") for piece in pieces[:length]):
            text = question[pieces[0].span.start : pieces[length - 1].span.end]
            if is_noun(text.lower()) and text.lower() not in DISTANCE_WORDS:
                return length
    return 0


def _mark_comparison(pieces: list[_Piece]) -> tuple[list[_Piece], Comparison | None]:
    """The pieces with one for a comparison and its amount, and how these compare."""
    line = " ".join(piece.sign for piece in pieces)
    for comparison, pattern in _COMPARED:
        if found := pattern.search(line):
            first, last = line.count(" ", 0, found.start()), line.count(" ", 0, found.end())
            marked = replace(pieces[last], sign="*")
            return [*pieces[:first], marked, *pieces[last + 1 :]], comparison
    return pieces, None


def _list_asked_nouns(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """The nouns that do not stand beside a name, as in `the river Rhine`."""
    padded = [None, *pieces, None]
    for before, piece, after in zip(padded, pieces, padded[2:], strict=False):
        beside = [it.sign for it in (before, after) if it is not None]
        if piece.sign == "K" and "N" not in beside:
            yield piece


def _is_read(piece: _Piece) -> bool:
    return piece.sign in _READ


def _may_be_name(run: Sequence[_Piece], pieces: Sequence[_Piece]) -> bool:
    """Whether words that are not read stand where a name would, or look like one."""
    before = [piece.sign for piece in pieces if piece.span < run[0].span][-1:]
    return any(piece.has_shape for piece in run) or not _BEFORE_NAMES.isdisjoint(before)


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span.overlaps(other) for other in others)
