"""Pronouns of a question that stand for something said before the question.

A pronoun is bound where the question itself says what it stands for: `Which country has its capital
on a coast?`, `Which rivers flow through Kenya and its neighbours?`. Only unbound ones are found.
The rules are those of English; other languages have no pronouns here, so that nothing is changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from trellis.domain.grammar_words import BEING, DOING, HAVING, MODALS, PREPOSITIONS
from trellis.linking.names.spans import ParsedQuestion, Span

Role = Literal["subject", "object", "owner"]
Sort = Literal["thing", "person", "several", "place"]

_SORTS: dict[str, Sort] = {
    **dict.fromkeys(("it", "its"), "thing"),
    **dict.fromkeys(("he", "him", "his", "she", "her"), "person"),
    **dict.fromkeys(("they", "them", "their"), "several"),
    "there": "place",
}
_OWNERS = frozenset(("its", "his", "her", "their"))
_POINTERS = {"this": False, "that": False, "these": True, "those": True}
_BEING = frozenset((*BEING, "be", "been"))
_BEFORE_SUBJECT = frozenset((*DOING, *MODALS, *_BEING))
_BREAKS = frozenset(
    "and but or while when where whose which who that if because , ; . ? ! :".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A pronoun, or a noun that points back, such as `that country`.

    `noun`: the noun of the latter, in small letters. `preposition`: the word before it where that
    is one.
    """

    span: Span
    text: str
    sort: Sort
    role: Role
    noun: str = ""
    preposition: str = ""


def find_unbound_pronouns(
    question: ParsedQuestion, names: Sequence[Span], nouns: Collection[str]
) -> list[Pronoun]:
    """The unbound pronouns from left to right.

    `names`: the spans that name something. `nouns`: what things are called, in small letters, so
    that `that country` is told from `the river that countries share`.
    """
    words = [question.text_of(atom.span).lower() for atom in question.atoms]
    found = list(_find_pronouns(question, words, nouns))
    return [
        pronoun
        for at, pronoun in found
        if not any(map(pronoun.span.overlaps, names))
        and not _is_bound(question, words, at, pronoun, names)
    ]


def _find_pronouns(
    question: ParsedQuestion, words: Sequence[str], nouns: Collection[str]
) -> Iterator[tuple[int, Pronoun]]:
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        preposition = before if before in PREPOSITIONS else ""
        span = question.atoms[at].span
        if word in _POINTERS:
            if pronoun := _read_pointer(question, words, at, nouns):
                yield at, pronoun
        elif word in ("ones", "one") and at == 1 and words[0] == "which":
            yield at, Pronoun(span, word, "several", "object", preposition="which")
        elif word in _SORTS and not _is_expletive(word, before, after):
            role = _find_role(word, before, at)
            if (before == "of" and at == 2) or (before == "many" and at == 3):
                role = "subject"  # `Which of them border Uganda?`
            if role == "subject" and "have" in words[at:]:
                role = "owner"  # `Which neighbours does it have?`
            yield at, Pronoun(span, word, _SORTS[word], role, preposition=preposition)


def _read_pointer(
    question: ParsedQuestion, words: Sequence[str], at: int, nouns: Collection[str]
) -> Pronoun | None:
    """`that country`, `these rivers`, or `those` alone behind a preposition."""
    before = words[at - 1] if at else ""
    preposition = before if before in PREPOSITIONS else ""
    sort: Sort = "several" if _POINTERS[words[at]] else "thing"
    span = question.atoms[at].span
    role = _find_role(words[at], before, at)
    for length in (3, 2, 1):
        noun = " ".join(words[at + 1 : at + 1 + length])
        if noun in nouns and (sort == "several" or not noun.endswith("s")):
            end = question.atoms[at + length].span.end
            whole = Span(span.start, end)
            text = question.text_of(whole)
            return Pronoun(whole, text, sort, role, noun, preposition)
    is_last = all(not atom.is_nameable for atom in question.atoms[at + 1 :])
    if preposition and (is_last or (sort == "several" and preposition == "of")):
        return Pronoun(span, words[at], sort, role, preposition=preposition)
    return None


def _find_role(word: str, before: str, at: int) -> Role:
    if word in _OWNERS:
        return "owner"
    return "subject" if at == 0 or before in _BEFORE_SUBJECT else "object"


def _is_expletive(word: str, before: str, after: str) -> bool:
    """`are there`, `there is`, `is it true`, `it takes`."""
    if word == "there":
        return before in _BEING or after in _BEING
    return word == "it" and after in ("true", "that", "take", "takes", "possible", "known")


def _is_bound(
    question: ParsedQuestion,
    words: Sequence[str],
    at: int,
    pronoun: Pronoun,
    names: Sequence[Span],
) -> bool:
    """Whether the question says itself what the pronoun stands for."""
    before = words[at - 1] if at else ""
    last = max((name.end for name in names if name.end <= pronoun.span.start), default=-1)
    if last >= 0:
        between = [
            word
            for word, atom in zip(words, question.atoms, strict=True)
            if last <= atom.span.start < pronoun.span.start
        ]
        if between in (["and"], ["or"]) and pronoun.role != "owner":
            return False  # `Which countries border Kenya and it?`
        if not _BREAKS.isdisjoint(between):
            return True
        return pronoun.role == "owner" and not (words[0] in _BEING and not between)
    if pronoun.role != "owner" or words[0] not in ("which", "what", "who"):
        return False
    is_copula = at <= 2  # `What is its capital?`
    return before in (*HAVING, "with") or not (
        is_copula or before in PREPOSITIONS | _BEFORE_SUBJECT
    )
