"""Verb phrases in other forms: `borders {}` as `does not border {}`, `border {}`; `is in {}`."""

from __future__ import annotations

import random

from trellis.domain.grammar_words import BEING, MODALS
from trellis.lexicon.relations.verbs import find_base, is_irregular
from trellis.steps.describe.phrases import make_plural_verb

_NOT = {"is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "can": "can't"}


def negate_predicate(predicate: str, choice: random.Random) -> str:
    """The denial of a verb phrase, in one of its usual forms."""
    verb, _, rest = predicate.partition(" ")
    if verb in BEING or verb in MODALS:
        short = _NOT.get(verb, f"{verb} not")
        return f"{choice.choice((f'{verb} not', f'{verb} not', short))} {rest}"
    if verb == "has" and choice.random() < 0.3:
        return f"{choice.choice(('has no', 'have no'))} {_drop_article(rest)}"
    denied = "did" if is_past(verb) else choice.choice(("does", "do", "do"))
    word = choice.choice((f"{denied} not", f"{denied}n't"))
    return f"{word} {make_base(predicate)}"


def make_base(predicate: str) -> str:
    """A verb phrase in its base form: `borders {}` as `border {}`."""
    verb, space, rest = predicate.partition(" ")
    return f"{make_base_verb(verb)}{space}{rest}"


def make_base_verb(verb: str) -> str:
    """The base form of a verb in the third person or in the past."""
    if verb in BEING:
        return "be"
    return find_base(verb) if is_past(verb) else make_plural_verb(verb)


def is_past(verb: str) -> bool:
    """Whether a verb is in the past."""
    return is_irregular(verb) or (verb.endswith("ed") and len(verb) > 4)


def agree_verb(verb_phrase: str) -> str:
    """A verb phrase in its base form as that of several things: `be longer` as `are longer`."""
    return f"are {verb_phrase[3:]}" if verb_phrase.startswith("be ") else verb_phrase


def ask_verb(name: str, verb_phrase: str) -> str:
    """The question whether a verb phrase in its base form holds of one thing."""
    if verb_phrase.startswith("be "):
        return f"is {name} {verb_phrase[3:]}"
    return f"does {name} {verb_phrase}"


def find_behind_be(predicate: str) -> str | None:
    """What stands behind `is` or `are` in a verb phrase; None where it has another verb."""
    verb, _, rest = predicate.partition(" ")
    return rest if verb in BEING and rest else None


def _drop_article(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if first in ("a", "an", "any", "the") else text
