"""Verb phrases that hold of an answer, for relative clauses; they are cut from whole questions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trellis.training.synthesis.phrasebook import Phrases

_QUESTION = re.compile(r"^(?:which|what|who)(?: (?P<rest>.*))$")
_RELATIVE = ("that ", "which ", "who ")
_NO_START = ("is the ", "are the ", "was the ", "is {}", "are {}", "was {}", "do ", "does ", "did ")


def list_predicates(phrases: Phrases) -> tuple[str, ...]:
    """Verb phrases with `{}` that hold of the step's answers: `borders {}`, `has {} as capital`."""
    kinds = sorted({*phrases.types, "country", "place", "one"}, key=len, reverse=True)
    predicates = [_cut_question(question, kinds) for question in phrases.asks]
    predicates += [_cut_clause(clause, kinds) for clause in phrases.clauses]
    return tuple(dict.fromkeys(predicate for predicate in predicates if predicate))


def _cut_question(question: str, kinds: Sequence[str]) -> str | None:
    """The predicate of a question: `which country borders {}` gives `borders {}`."""
    match = _QUESTION.match(question)
    if match is None:
        return None
    rest = _cut_noun(match["rest"], kinds)
    return None if rest.startswith(_NO_START) or rest.startswith("{}") else rest


def _cut_clause(clause: str, kinds: Sequence[str]) -> str | None:
    """The predicate of a noun phrase: `the country that borders {}` gives `borders {}`."""
    rest = re.sub(r"^(?:the|a|an|any|all) ", "", clause)
    behind = _cut_noun(rest, kinds)
    if behind == rest or not behind or behind.startswith("{}"):
        return None
    relative = next((word for word in _RELATIVE if behind.startswith(word)), "")
    return behind.removeprefix(relative) if relative else f"is {behind}"


def _cut_noun(text: str, kinds: Sequence[str]) -> str:
    """The text behind the noun that it begins with."""
    kind = next((kind for kind in kinds if text.startswith(f"{kind} ")), "")
    return text.removeprefix(kind).strip()
