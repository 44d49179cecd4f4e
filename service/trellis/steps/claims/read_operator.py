"""Read operator: what a claim says beside its pattern, by a closed list of English phrases.

Not, how many, older than, more than, as many as, the oldest: these are read from the claim's own
words, outside of names, so that no model has to count or compare.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from trellis.domain.replies.claims import (
    Bound,
    ClaimMention,
    ClaimOperator,
    ClaimOperatorKind,
    Sign,
)

_NAMES, _NUMBERS = 0xE000, 0xF000  # characters that stand for names, and for numbers
_E, _N = "[\ue000-\uefff]", "[\uf000-\uf8ff]"
_UNITS = (
    "years?|minutes?|hours?|days?|months?|weeks?|kilograms?|kilos?|kg|pounds?|dollars?|euros?|"
    "million|thousand|meters?|metres?|km|miles?|percent|cm|or|and|as|in|on|at|of|for|to|but|with"
)
_PLURAL = "(?:s|ren|ple|men|rew)"
_NOUNS = (
    rf"(?=(?: (?!(?:{_UNITS})\b)[a-z-]+)?? (?!(?:{_UNITS}|is|was|has|does)\b)[a-z-]+{_PLURAL}\b)"
)
_OF_THEM = r" of (?:the|them|its|their|his|her)\b"
_THING = rf"(?= (?!(?:{_UNITS})\b)[a-z-]+|{_OF_THEM})"

_COUNTS: tuple[tuple[str, Sign], ...] = (
    (rf"\b(?:at least|(?:no|not) (?:fewer|less) than|a minimum of) ({_N})", ">="),
    (rf"\b(?:at most|(?:no|not) more than|up to|a maximum of) ({_N})", "<="),
    (rf"\b(?:more than|over|upwards of) ({_N}){_THING}", ">"),
    (rf"\b(?:fewer than|less than|under) ({_N}){_THING}", "<"),
    (rf"({_N}) or more\b", ">="),
    (rf"({_N}) or (?:fewer|less)\b", "<="),
    (rf"\b(?:exactly|precisely|just|only|as many as|a total of|all) ({_N}){_THING}", "="),
    (rf"({_N})(?={_OF_THEM})", "="),
    (rf"(?<!number )({_N})(?: different| distinct)?{_NOUNS}", "="),
    (rf"({_N})(?= (?:of them|in all|in total|altogether)\b)", "="),
)
"""How many, and how the number compares; the first that is said counts."""

_BOUNDS: tuple[tuple[str, Sign], ...] = (
    (rf"\b(?:older than|longer ago than) (?:the age of |age )?({_N})", "older"),
    (rf"\b(?:younger than|newer than|more recent than) (?:the age of |age )?({_N})", "younger"),
    (rf"\b(?:before|earlier than|prior to|predates) (?:the year )?({_N})", "<"),
    (rf"\b(?:after|later than|past) (?:the year )?({_N})", ">"),
    (rf"\b(?:since|from) ({_N}) (?:on|onwards)\b", ">="),
    (rf"\b(?:higher|greater|larger|bigger|more) than ({_N})", ">"),
    (rf"\b(?:lower|smaller|less|fewer) than ({_N})", "<"),
    (rf"\b(?:above|over|exceeding|beyond) ({_N})", ">"),
    (rf"\b(?:below|under) ({_N})", "<"),
    (rf"\bat least ({_N})", ">="),
    (rf"\bat most ({_N})", "<="),
)
"""What a number is a bound of."""

_LARGER, _SMALLER = "higher|greater", "lower|lesser"
_MORE = "longer|taller|heavier|faster|larger|bigger"  # these tell of what
_LESS = "shorter|lighter|slower|smaller"
_FEW_WORDS = r"((?: [\w-]+){0,2}?)"
_TO_NAME = rf"(?=(?: [\w'’-]+){{0,6}}? ?{_E})"
_NEXT_NAME = rf"(?= (?:the [a-z]+ )?{_E})"
_AT_NAME = rf"(?=[^\ue000-\uf8ff]*{_E}[^\ue000-\uf8ff]* than\b)"
_SAME = rf"as (?:old|young|high|new) as|(?:of )?the same (?:age|year|number|date){_FEW_WORDS} as"
_COMPARISONS: tuple[tuple[str, ClaimOperatorKind, Sign], ...] = (
    (rf"\bas many ([\w\s-]+?) as\b{_TO_NAME}", "counts", "="),
    (r"\bthe same number of\b", "counts", "="),
    (r"\bmore recent(?:ly)?(?: [\w-]+){0,3}? than\b", "values", "younger"),
    (rf"\bmore ((?:[\w-]+ ){{0,3}}?)than\b{_TO_NAME}", "counts", ">"),
    (rf"\b(?:fewer|less) ((?:[\w-]+ ){{0,3}}?)than\b{_TO_NAME}", "counts", "<"),
    (rf"\bmore\b{_AT_NAME}", "counts", ">"),
    (rf"\b(?:fewer|less)\b{_AT_NAME}", "counts", "<"),
    (rf"\bolder{_FEW_WORDS} than\b{_TO_NAME}", "values", "older"),
    (rf"\b(?:younger|newer){_FEW_WORDS} than\b{_TO_NAME}", "values", "younger"),
    (rf"\b(?:earlier|sooner) than\b{_TO_NAME}", "values", "<"),
    (rf"\blater than\b{_TO_NAME}", "values", ">"),
    (rf"\b(?:before|ahead of|prior to|predate[sd]?|precede[sd]?)\b{_NEXT_NAME}", "values", "<"),
    (rf"\b(?:after|postdate[sd]?|follow(?:s|ed))\b{_NEXT_NAME}", "values", ">"),
    (rf"\b(?:{_LARGER}|({_MORE})){_FEW_WORDS} than\b{_TO_NAME}", "values", ">"),
    (rf"\b(?:{_SMALLER}|({_LESS})){_FEW_WORDS} than\b{_TO_NAME}", "values", "<"),
    (rf"\b(?:{_SAME})\b{_TO_NAME}", "values", "="),
    (r"\bsame (?:age|year|number|date)\b", "values", "="),
)
"""How what one has compares with what another has: how many, or which value."""

_EXTREMES: tuple[tuple[str, Sign], ...] = (
    (r"\b(?:oldest|eldest)\b", "older"),
    (r"\b(?:youngest|newest|latest|most recent)\b", "younger"),
    (r"\b(?:earliest)\b", "<"),
    (r"\b(?:highest|largest|biggest|greatest)\b", ">"),
    (r"\b(?:lowest|smallest|fewest)\b", "<"),
)
_SINGLE = "(?:a single|one|any)"
_NEGATION = re.compile(
    rf"\b(?:not {_SINGLE}|not|never|nobody|no one|none of|none|nothing|nowhere|neither|nor|"
    rf"without {_SINGLE}|without|lacks?|fail(?:ed|s) to|no(?! (?:more|fewer|less) than))\b"
    r"|n['’]t\b|\bcannot\b"
)
_NEITHER = re.compile(
    r",? (?:no|not) (?:more|fewer|less),? (?:(?:and|or|nor) )?"
    r"(?:no |not )?(?:more|fewer|less)\b(?! than)"
)  # what only says: exactly
_CLAUSE = re.compile(r",? (?:but|and|while|whereas|though|although|yet)\b|;|, (?=not\b)")


@dataclass(frozen=True, slots=True)
class ClaimOperatorReading:
    """What a claim says beside its pattern.

    `operator`: how many, or how two things compare. `mentions`: those of the claim, numbers that
    are bounds among them, without those that the operator uses. `denied`: characters of the claim
    that are denied; empty where nothing is. `words`: the claim in lower case without its mentions
    and the phrases that were read.
    """

    operator: ClaimOperator
    mentions: tuple[ClaimMention, ...]
    words: str
    denied: tuple[int, int] = (0, 0)
    is_all_denied: bool = False


@dataclass
class _Reading:
    """A claim while it is read: one character for each name and number."""

    mentions: list[ClaimMention]
    text: str = ""
    starts: list[int] = field(default_factory=list)  # of each character, in the claim
    used: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, claim: str, mentions: Sequence[ClaimMention]) -> _Reading:
        reading = cls(sorted(mentions, key=lambda m: m.start))
        at, parts = 0, []
        for number, mention in enumerate(reading.mentions):
            parts += [(char, at + i) for i, char in enumerate(claim[at : mention.start].lower())]
            base = _NUMBERS if _is_number(mention) else _NAMES
            parts.append((chr(base + number), mention.start))
            at = mention.end
        parts += [(char, at + i) for i, char in enumerate(claim[at:].lower())]
        reading.text = "".join(char for char, _ in parts)
        reading.starts = [start for _, start in parts]
        return reading

    def cut(self, start: int, end: int) -> None:
        """Take a phrase out, names in it aside."""
        kept = "".join(c if ord(c) >= _NAMES else " " for c in self.text[start:end])
        self.text = self.text[:start] + kept + self.text[end:]

    def cut_but_groups(self, found: re.Match[str]) -> None:
        """Take a phrase out, but for what its groups caught."""
        kept = [span for span in found.regs[1:] if span[0] >= 0]
        for at in range(*found.span()):
            if not any(begin <= at < end for begin, end in kept):
                self.cut(at, at + 1)

    def index_of(self, char: str) -> int:
        return ord(char) - (_NUMBERS if ord(char) >= _NUMBERS else _NAMES)


def read_operator(claim: str, mentions: Sequence[ClaimMention]) -> ClaimOperatorReading:
    """What a claim says beside its pattern.

    A mention that is an ordinary word (`director`) stays among the words, too.
    """
    ordinary = [mention for mention in mentions if mention.is_ordinary]
    reading = _Reading.of(claim, [each for each in mentions if not each.is_ordinary])
    for found in reversed(list(_NEITHER.finditer(reading.text))):
        reading.cut(*found.span())
    operator = _read_count(reading)
    _read_bounds(reading)
    if operator.kind == "exists":
        operator = _read_comparison(reading)
    if operator.kind == "exists":
        operator = _read_extreme(reading)
    denied, is_all = _read_negation(reading, len(claim))
    kept = [m for number, m in enumerate(reading.mentions) if number not in reading.used]
    kept = sorted([*kept, *ordinary], key=lambda mention: mention.start)
    words = "".join(" " if ord(char) >= _NAMES else char for char in reading.text)
    return ClaimOperatorReading(operator, tuple(kept), " ".join(words.split()), denied, is_all)


def _is_number(mention: ClaimMention) -> bool:
    return mention.bound is not None


def _read_count(reading: _Reading) -> ClaimOperator:
    for pattern, sign in _COUNTS:
        for found in re.finditer(pattern, reading.text):
            index = reading.index_of(found[1])
            bound = reading.mentions[index].bound
            if bound is None or not 0 <= float(bound.quantity) < 1000:
                continue
            reading.used.add(index)
            reading.cut(*found.span())
            return ClaimOperator("count", sign, float(bound.quantity))
    return ClaimOperator()


def _read_bounds(reading: _Reading) -> None:
    for pattern, sign in _BOUNDS:
        for found in list(re.finditer(pattern, reading.text)):
            index = reading.index_of(found[1])
            mention = reading.mentions[index]
            if index in reading.used or mention.bound is None or mention.bound.sign != "=":
                continue
            bound = Bound(sign, mention.bound.quantity)
            reading.mentions[index] = replace(mention, nodes=(), values=(), bound=bound)


def _read_comparison(reading: _Reading) -> ClaimOperator:
    for pattern, kind, sign in _COMPARISONS:
        if found := re.search(pattern, reading.text):
            if kind == "counts" or sign in ("<", ">"):  # older, of the same age tell of what
                reading.cut_but_groups(found)
            return ClaimOperator(kind, sign)
    return ClaimOperator()


def _read_extreme(reading: _Reading) -> ClaimOperator:
    for pattern, sign in _EXTREMES:
        if re.search(pattern, reading.text):
            return ClaimOperator("extreme", sign)
    return ClaimOperator()


def _joins_names(text: str, found: re.Match[str]) -> bool:
    """Whether a word such as `and` joins two names, rather than two clauses."""
    before, behind = text[: found.start()].rstrip()[-1:], text[found.end() :].lstrip()[:1]
    return bool(before and behind) and min(ord(before), ord(behind)) >= _NAMES


def _read_negation(reading: _Reading, length: int) -> tuple[tuple[int, int], bool]:
    """The part of the claim that is denied, and whether that is all of it."""
    found = list(_NEGATION.finditer(reading.text))
    if not found:
        return (0, 0), False
    at = found[0].start()
    clauses = (m for m in _CLAUSE.finditer(reading.text) if not _joins_names(reading.text, m))
    ends = [0, *(m.start() for m in clauses), len(reading.text)]
    begin = max(end for end in ends if end <= at)
    end = min((end for end in ends if end > at), default=len(reading.text))
    named = [any(ord(c) >= _NAMES for c in reading.text[a:b]) for a, b in pairwise(ends)]
    starts = [*reading.starts, length]
    is_all = sum(named) < 2 or begin == 0
    for phrase in reversed(found):
        reading.cut(*phrase.span())
    return (starts[begin], starts[min(end, len(starts) - 1)]), is_all
