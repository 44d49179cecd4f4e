"""What can be said of an answer in a relative clause: the part of a question behind its type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trellis.training.synthesis.phrasebook import Phrases

_ASKED = re.compile(r"^(?:which|what|who)(?: (?P<rest>.*))$")
_RELATIVE = ("that ", "which ", "who ")
_NO_START = ("is the ", "are the ", "was the ", "is {}", "are {}", "was {}", "do ", "does ", "did ")


def list_predicates(phrases: Phrases) -> tuple[str, ...]:
    """Verb phrases with `{}` that hold of the step's answers: `borders {}`, `has {} as capital`."""
    kinds = sorted({*phrases.types, "country", "place", "one"}, key=len, reverse=True)
    found = [_of_question(ask, kinds) for ask in phrases.asks]
    found += [_of_clause(clause, kinds) for clause in phrases.clauses]
    return tuple(dict.fromkeys(one for one in found if one))


def _of_question(ask: str, kinds: Sequence[str]) -> str | None:
    """`which country borders {}` -> `borders {}`."""
    match = _ASKED.match(ask)
    if match is None:
        return None
    rest = _cut_noun(match["rest"], kinds)
    return None if rest.startswith(_NO_START) or rest.startswith("{}") else rest


def _of_clause(clause: str, kinds: Sequence[str]) -> str | None:
    """`the country that borders {}` -> `borders {}`; other clauses keep their opening."""
    rest = re.sub(r"^(?:the|a|an|any|all) ", "", clause)
    behind = _cut_noun(rest, kinds)
    if behind == rest or not behind or behind.startswith("{}"):
        return None
    relative = next((word for word in _RELATIVE if behind.startswith(word)), "")
    return behind.removeprefix(relative) if relative else f"is {behind}"


def _cut_noun(text: str, kinds: Sequence[str]) -> str:
    """What stands behind the noun that a text begins with."""
    kind = next((kind for kind in kinds if text.startswith(f"{kind} ")), "")
    return text.removeprefix(kind).strip()
