"""What a question asks for as a noun phrase, so that a later question can speak of it.

`Which countries border Kenya?` asks for `the countries that border Kenya`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from trellis.linking.names.spans import FUNCTION_WORDS

_LEAD = re.compile(r"(?:and |but |so |then )*(?:please )?", re.I)
_WHICH = re.compile(r"(?:which|what|how many) (?P<rest>.+)", re.I)
_COPULA = re.compile(r"(?:what|who|which) (?:are|were|is|was) (?P<phrase>the .+)", re.I)
_LIST = re.compile(
    r"(?:list|name|give|show|tell)(?: me)?(?: all)?(?: of)?(?: the)? (?P<phrase>.+)", re.I
)
_INVERTED = re.compile(r"(?P<aux>does|do) (?P<subject>.+?) (?P<verb>[a-z]+)(?P<rest>(?: .*)?)")
_NO_VERB = frozenset(("of", "in", "and", "or", "did", "can", "could", "will", "would", "with"))
_LONGEST_ADJECTIVES = 3  # words before the noun: `Which official languages`, `Which African rivers`


def describe_asked(question: str, plurals: Collection[str]) -> str:
    """The things that a question asks for, as a noun phrase in the plural; empty where it cannot
    be told.

    `plurals`: what things are called, in the plural and in small letters.
    """
    text = _LEAD.sub("", " ".join(question.split()), count=1).rstrip(" ?.!")
    if copula := _COPULA.fullmatch(text):
        return _keep_plural(f"the {copula['phrase'][4:]}", plurals)
    if listed := _LIST.fullmatch(text):
        return _keep_plural(f"the {listed['phrase']}", plurals)
    parts = _split_at_noun(text, plurals)
    if parts is None:
        return ""
    noun, predicate = parts
    inverted = _INVERTED.fullmatch(predicate)
    if inverted:
        verb = inverted["verb"] if inverted["aux"] == "do" else _add_s(inverted["verb"])
        return f"the {noun} that {inverted['subject']} {verb}{inverted['rest']}"
    first = predicate.split(" ", 1)[0].lower()
    return "" if first in _NO_VERB | {"do", "does"} else f"the {noun} that {predicate}"


def add_predicate(question: str, predicate: str, plurals: Collection[str], word: str) -> str:
    """The question for those of the things asked for of which more is said; `word` begins it.

    `Which countries border Kenya and border Rwanda?` Empty where the question or the predicate does
    not speak of several things as its subject.
    """
    text = _LEAD.sub("", " ".join(question.split()), count=1).rstrip(" ?.!")
    parts = _split_at_noun(text, plurals)
    more = predicate.strip().rstrip(" ?.!")
    if parts is None or not _is_plural_predicate(parts[1]) or not _is_plural_predicate(more):
        return ""
    return f"{word} {parts[0]} {parts[1]} and {more}?"


def _is_plural_predicate(text: str) -> bool:
    """Whether a text begins with a verb in the plural, which no other subject follows."""
    first = text.split(" ", 1)[0].lower()
    return bool(first) and first not in _NO_VERB | {"do", "does", "was"} and not first.endswith("s")


def ask_how_many(question: str, plurals: Collection[str]) -> str:
    """The question that asks for the number of what a question asks for; empty where it cannot be
    told."""
    text = _LEAD.sub("", " ".join(question.split()), count=1).rstrip(" ?.!")
    if parts := _split_at_noun(text, plurals):
        return f"How many {parts[0]} {parts[1]}?"
    phrase = describe_asked(question, plurals)
    return f"How many {phrase.removeprefix('the ')} are there?" if phrase else ""


def _split_at_noun(text: str, plurals: Collection[str]) -> tuple[str, str] | None:
    """`countries` and `border Kenya` of `Which countries border Kenya`."""
    match = _WHICH.fullmatch(text)
    words = match["rest"].split() if match else []
    for end in range(1, min(len(words), _LONGEST_ADJECTIVES + 3)):
        for start in range(max(0, end - 3), end):
            noun, longer = (" ".join(words[start:e]).lower() for e in (end, end + 1))
            is_noun = noun in plurals and longer not in plurals
            if is_noun and FUNCTION_WORDS.isdisjoint(words[:start]):
                return " ".join(words[:end]), " ".join(words[end:])
    return None


def _keep_plural(phrase: str, plurals: Collection[str]) -> str:
    """The phrase if the noun before its first preposition is a plural."""
    head = re.split(r" (?:of|in|that|which|from|on|with|to|through|for|by|at) ", phrase)[0]
    words = head.lower().split()
    known = any(" ".join(words[-length:]) in plurals for length in (3, 2, 1))
    is_plural = words[-1].endswith("s") and not words[-1].endswith(("ss", "us", "is"))
    return phrase if (known or is_plural) and head != phrase else ""


def _add_s(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"
