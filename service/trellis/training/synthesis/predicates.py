"""Verb phrases that hold of an answer, for relative clauses; they are cut from whole questions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trellis.domain.grammar_words import AUXILIARIES, BEING, HAVING, MODALS
from trellis.lexicon.relations.phrases import Phrases

_QUESTION = re.compile(r"^(?:which|what|who)(?: (?P<rest>.*))$")
_RELATIVE = ("that ", "which ", "who ")
_NO_START = ("is the ", "are the ", "was the ", "is {}", "are {}", "was {}", "do ", "does ", "did ")
_BE = (*BEING, *HAVING)
_AFTER_BE = frozenset(
    """in on at of for from to with under over near by along beside around next home
    known""".split()  # noqa: SIM905
)
_NO_VERBS = frozenset(
    "a an the of in on at to by from with and or i one you we they there".split()  # noqa: SIM905
)


def list_predicates(phrases: Phrases) -> tuple[str, ...]:
    """Verb phrases with `{}` that hold of the step's answers: `borders {}`, `has {} as capital`."""
    kinds = sorted({*phrases.types, "country", "place", "one"}, key=len, reverse=True)
    predicates = [_cut_question(question, kinds) for question in phrases.asks]
    predicates += [_cut_clause(clause, kinds) for clause in phrases.clauses]
    verbs = dict.fromkeys(filter(None, predicates))
    return tuple(predicate for predicate in verbs if _begins_with_verb(predicate))


def _begins_with_verb(predicate: str) -> bool:
    """Whether a text may be a verb phrase: not `can i see {}`, `parties is {} in`, `of {} {}`."""
    first, *others = predicate.split()
    second = others[0] if others else ""
    if first.startswith("'"):
        return False
    if first in MODALS:
        return second not in ("i", "one", "you", "we", "they", "{}")
    if first in _BE:
        return second not in _BE
    return first not in _NO_VERBS and second not in (*AUXILIARIES, *MODALS)


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
    if relative:
        return behind.removeprefix(relative)
    first = behind.split()[0]
    return f"is {behind}" if first in _AFTER_BE or first.endswith(("ed", "ing")) else None


def _cut_noun(text: str, kinds: Sequence[str]) -> str:
    """The text behind the noun that it begins with."""
    kind = next((kind for kind in kinds if text.startswith(f"{kind} ")), "")
    return text.removeprefix(kind).strip()
