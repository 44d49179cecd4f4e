"""The numbers that a question says, in digits and in words: `600,000`, `5 million`, `twenty-five`.

`one` alone is mostly no number (`which one`), `second` never is one here, and what is a part of
another word (`three-letter`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from trellis.domain.grammar_words import NUMBERS
from trellis.linking.names.spans import Span

_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate(NUMBERS)} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), 2)
}
_TIMES = {
    "hundred": 1e2,
    "dozen": 12.0,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mio": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
}
_GLUED = ("k", "bn", "mio")  # multipliers that are read only where they touch the digits
_UNIT = r"(?:[kcm]?m|ft|mi|[km]?g|l|h|min|s|[kmgt]b|sq)(?![a-z])"  # units that may touch the digits


_DIGITS = r"[-+]?(?:\d{1,3}(?:[,\u00a0\u202f']\d{3})+|\d+)(?:\.\d+)?"
_WORDS = "|".join((*_SMALL, *(word for word in _TIMES if word not in _GLUED)))
_NUMBER = re.compile(
    rf"(?<![\w.,])(?:(?P<digits>{_DIGITS})(?:(?P<glued>{'|'.join(_GLUED)})(?!\w)|(?!\w)|(?={_UNIT}))"
    rf"(?!\.\d)"
    rf"(?P<times>(?:[ -](?:hundred|dozen|thousand|million|billion|trillion)\b)*)"
    rf"|(?P<begin>(?:half an?|an?) )?(?P<words>(?:{_WORDS})\b"
    rf"(?:(?:[ -]| and )(?:{_WORDS})\b)*)(?!-[a-z]))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SaidNumber:
    """A number, and where a text says it."""

    span: Span
    value: int | float


def find_numbers(text: str) -> tuple[SaidNumber, ...]:
    """The numbers of a text, in its order, none overlapping."""
    return tuple(_iterate_numbers(text))


def _iterate_numbers(text: str) -> Iterator[SaidNumber]:
    for match in _NUMBER.finditer(text):
        if match["digits"]:
            value = float(re.sub(r"[^\d.+-]", "", match["digits"]))
            value *= _TIMES.get((match["glued"] or "").lower(), 1.0)
            for word in match["times"].lower().replace("-", " ").split():
                value *= _TIMES[word]
            yield _build_number(Span(*match.span()), value)
        else:
            yield from _read_words(match)


def _read_words(match: re.Match[str]) -> Iterator[SaidNumber]:
    """The number that words say; none for `one` alone, and for a multiplier without a beginning."""
    words = [word for word in re.split(r"[ -]", match["words"].lower()) if word != "and"]
    begin = (match["begin"] or "").strip().lower()
    said = _add_words(words)
    if words[0] in _TIMES:
        if begin:
            factor = 0.5 if begin.startswith("half") else 1.0
            yield _build_number(Span(*match.span()), factor * _add_words(["one", *words]))
    elif words != ["one"]:
        yield _build_number(Span(*match.span("words")), said)


def _add_words(words: list[str]) -> float:
    """The value of number words: multipliers multiply what stands before them."""
    total, part = 0.0, 0.0
    for word in words:
        if word in _SMALL:
            part += _SMALL[word]
        elif _TIMES[word] < 1e3:
            part = (part or 1.0) * _TIMES[word]
        else:
            total, part = total + (part or 1.0) * _TIMES[word], 0.0
    return total + part


def _build_number(span: Span, value: float) -> SaidNumber:
    return SaidNumber(span, int(value) if value.is_integer() else value)
