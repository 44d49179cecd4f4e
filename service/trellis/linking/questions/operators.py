"""Words by which a question asks for more than a walk: not, or, more than, the most, the average.

Only English is known. What stands inside a name is no operator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from trellis.domain.grammar_words import AUXILIARIES, MODALS, SHORT_MONTHS, match_words
from trellis.linking.names.spans import Span

OperatorKind = Literal[
    "negation", "comparison", "choice", "superlative", "order", "aggregate", "yes-no"
]

_NUMBER = r"(?:\d|two|three|four|five|six|seven|eight|nine|ten|a (?:hundred|thousand|million))"
_MONTHS = match_words(SHORT_MONTHS)
_NO_SUPERLATIVES = (
    "west|southwest|northwest|midwest|rest|forest|interest|guest|test|contest|request|harvest|"
    "arrest|protest|quest|honest|modest|invest|suggest|latest|nearest|best|chest|nest|priest|"
    "conquest|budapest|everest|bucharest|manifest|digest"
)
_ORDER = (
    r"\b(?:first|last|latest)\b(?! (?:\w+ )?(?:names?|letters?|characters?|digits?|language|world"
    r"|class|lady|aid|night|week|weekend|month|quarter|season|year|decade|century|summer|winter)\b)"
)
"""Words that ask for the first or the last of some, and not for a part of a name or a time."""
_UN = r"\bun(?!der|til\b|its?\b|ion|ivers|ique|cles?\b|less\b)\w{3,}"
"""Words that begin with a denial: `unable`, and not `under`."""
_PATTERNS: dict[OperatorKind, str] = {
    "negation": (
        r"\b(?:not|without|neither|nor|except|excluding|never|outside|nobody|none|besides"
        r"|(?:apart|aside) from|other than)\b|n['’]t\b"
        r"|\b(?:do|does|did|is|are|was|were|has|have|had|could|would|should|ca|wo)nt\b"
        r"|\bno (?!(?:of|for)\b)(?=\w|\x00)"
    ),
    "comparison": (
        r"\b(?:more|fewer|less)\b[^?.]*?\bthan\b|\b\w{2,}er\b(?: \w+){0,3} than\b"
        rf"|\b(?:over|under|above|below|at least|at most|exceed\w*) (?={_NUMBER})"
        rf"|\b{_NUMBER}\w* or (?:more|fewer|less)\b"
        rf"|\b(?:after|before) (?:the (?:year|end of|beginning of) )?(?=\d|(?:{_MONTHS})[a-z]* \d)"
    ),
    "choice": r"(?<=\x00),? or\b|\bor (?=(?:(?:in|on|of|at|by) )?(?:the )?\x00)",
    "superlative": rf"\b(?:most|fewest)\b|\b(?!(?:{_NO_SUPERLATIVES})\b)[a-z]+[^aeiou\W]est\b",
    "order": _ORDER,
    "aggregate": r"\b(?:averages?|median|sum|(?:the )?mean (?:\w+ )?of|combined|altogether)\b",
    "yes-no": (
        r"^[^\w\x00]*(?:is|are|was|were|does|do|did|has|have|can (?:i|we|one)) "
        r"(?!there\b|it\b|you\b)"
    ),
}

_THING = r"(?:(?:an?|any) )?(?:\x00+|[\w-]+)(?: (?!(?:or|nor|and)\b)(?:\x00+|[\w-]+))?"
_JOINT_DENIALS = (
    ("neither … nor", r"\bneither\b[^?.]*\bn?or\b"),
    ("no … and no", r"\b(?:no|without)\b[^?.]*(?:,| and| nor)(?: [\w-]+)? (?:no|without)\b"),
    ("no … or", rf"\b(?:no|without) {_THING},? n?or\b"),
)
"""How a question denies two things at once, surest first. The last may say one in two words: `no
sea or ocean`."""

_COMPILED = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _PATTERNS.items()}
_ASKS_FOR_NAMES = re.compile(
    r"\b(?:who|whom|whose|what|which|where|when|how|list|name|need|tell|or)\b", re.IGNORECASE
)
_ASKS_WHETHER = re.compile(
    rf"\b(?:{match_words((*AUXILIARIES, *MODALS))}|am|be|been|ever|true|correct)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words of which a question has one, at least, that asks whether something is so."""
_WHETHER = re.compile(r"\b(?:whether|if)\b", re.IGNORECASE)
_NAME_MARK = "\x00"  # stands for each character of a name


@dataclass(frozen=True, slots=True)
class QuestionOperator:
    """An operator that a question says, and the words that say it."""

    kind: OperatorKind
    text: str


def find_operators(question: str, names: Sequence[Span] = ()) -> tuple[QuestionOperator, ...]:
    """The operators of a question, outside of names. `or` counts beside a name only: `sea or
    ocean` says one thing in two words."""
    return tuple(_iterate_operators(question, _blank_names(question, names)))


def may_ask_whether(question: str, names: Sequence[Span] = ()) -> bool:
    """Whether a question may ask if something is so, outside of names: by a verb such as `is` or
    `does`, with no word that asks for something. `capital of Peru` has no such verb."""
    text = _blank_names(question, names)
    asks_for_names = _ASKS_FOR_NAMES.search(text)
    return bool(_WHETHER.search(text) or (_ASKS_WHETHER.search(text) and not asks_for_names))


def find_joint_denial(question: str, names: Sequence[Span] = ()) -> str:
    """How a question denies two things at once, outside of names: `neither … nor`, `no … and no` or
    `no … or`, the last of which may say one thing in two words; empty where it does not."""
    text = _blank_names(question, names)
    found = (form for form, by in _JOINT_DENIALS if re.search(by, text, re.IGNORECASE))
    return next(found, "")


def has_comparison(text: str) -> bool:
    """Whether a text compares, as in `is older than`."""
    return bool(_COMPILED["comparison"].search(text))


def has_superlative(text: str) -> bool:
    """Whether a text has a superlative, as in `has highest point`."""
    return bool(_COMPILED["superlative"].search(text))


def has_order(text: str) -> bool:
    """Whether a text speaks of the first or the last, as in `last checked`."""
    return bool(_COMPILED["order"].search(text))


def has_aggregate(text: str) -> bool:
    """Whether a text speaks of a mean or a sum, as in `average temperature`."""
    return bool(_COMPILED["aggregate"].search(text))


def has_negation(text: str) -> bool:
    """Whether a text denies something, as in `no suspect identified` or `unable to prosecute`."""
    return bool(_COMPILED["negation"].search(text)) or bool(re.search(_UN, text.lower()))


def _iterate_operators(question: str, text: str) -> Iterator[QuestionOperator]:
    """The operators of a question; `text`: the same with marks in place of names."""
    for kind, pattern in _COMPILED.items():
        if kind == "yes-no" and _ASKS_FOR_NAMES.search(text):
            continue
        for match in pattern.finditer(text):
            yield QuestionOperator(kind, question[match.start() : match.end()].strip(" ,"))


def _blank_names(question: str, names: Sequence[Span]) -> str:
    """The question with a mark in place of every character of a name."""
    characters = list(question)
    for span in names:
        characters[span.start : span.end] = _NAME_MARK * (span.end - span.start)
    return "".join(characters)
