"""Questions that leave out what an earlier one said: `And of Uganda?`, `How many?`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trellis.domain.grammar_words import PREPOSITIONS, match_words
from trellis.linking.names.spans import ParsedQuestion, Span

EllipsisKind = Literal["instead", "aspect", "most", "count", "bare"]

_OPENING = r"(?:(?:and|but|so|or|then|ok|okay|now|also|well)[, ]+)*"
_ABOUT = r"(?:(?:what|how) about|what of|same for|the same for)"
_GAP = "\ufffc"  # stands for a name
_ENDING = r"(?: (?:then|too|as well|instead|please))?[ ?.!]*"
_PREPOSITION = rf"(?:(?:{match_words(sorted(PREPOSITIONS))}) )?"
_INSTEAD = re.compile(
    rf"{_OPENING}(?:{_ABOUT} )?(?:(?:that|those|the ones?) )?{_PREPOSITION}(?:the )?{_GAP}(?:'s)?"
    rf"{_ENDING}",
    re.I,
)
_ASPECT = re.compile(
    rf"{_OPENING}(?P<about>{_ABOUT} )?(?P<owner>its|their|his|her|the) (?P<noun>[^?.!,;{_GAP}]+?)"
    rf"(?P<of> of {_GAP})?{_ENDING}",
    re.I,
)
_MOST_WORD = r"(?:(?:most|least) [a-z-]+|[a-z]{2,}est)(?: one)?"
_MOST = re.compile(
    rf"{_OPENING}(?:(?:which|what|who)(?: one)? (?:is|was) |{_ABOUT} )?(?P<most>the {_MOST_WORD})"
    rf"{_ENDING}",
    re.I,
)
_COUNT = re.compile(
    rf"{_OPENING}how many(?: (?:are|is|were) (?:there|they|that|those|these))?"
    rf"(?: in (?:all|total))?{_ENDING}",
    re.I,
)
_COUNT_OF_THEM = re.compile(
    rf"{_OPENING}how many of (?:them|these|those)(?: are there)?{_ENDING}", re.I
)
_BARE = re.compile(
    rf"{_OPENING}(?:since )?(?:why|how|when|where|who|whom|which|what)(?: not| else)?{_ENDING}"
    rf"|{_OPENING}(?:which|what) (?:one|is it|are they){_ENDING}"
    r"|.*\bthe (?:former|latter|(?:first|second|third|last|other) ones?)\b.*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Ellipsis:
    """What a question leaves out.

    `instead`: it names something in the place of another thing. `aspect`: it asks for something
    else (`noun`) of the same thing. `most`: it asks for one of several (`noun`: `the largest`).
    `count`: it asks how many there are. `bare`: it says nothing but a question word, or points to
    a place in a list.
    """

    kind: EllipsisKind
    noun: str = ""
    is_whole: bool = False  # an aspect of something that is named: `And the capital of Uganda?`


def find_ellipsis(question: ParsedQuestion, names: Sequence[Span]) -> Ellipsis | None:
    """What the question leaves out; None where it is whole, or incomplete in another way."""
    text = " ".join(_blank_names(question.text, names).split())
    if _INSTEAD.fullmatch(text):
        return Ellipsis("instead")
    if _COUNT.fullmatch(text) or _COUNT_OF_THEM.fullmatch(text):
        return Ellipsis("count")
    if match := _MOST.fullmatch(text):
        return Ellipsis("most", match["most"])
    match = _ASPECT.fullmatch(text)
    has_opening = bool(match and (match["about"] or match.start("owner")))
    if match and (has_opening or match["owner"].lower() != "the"):
        return Ellipsis("aspect", match["noun"], bool(match["of"]))
    return Ellipsis("bare") if _BARE.fullmatch(text) else None


def _blank_names(text: str, names: Sequence[Span]) -> str:
    """The text with one gap in place of each name."""
    for name in sorted(names, reverse=True):
        text = f"{text[: name.start]}{_GAP}{text[name.end :]}"
    return text
