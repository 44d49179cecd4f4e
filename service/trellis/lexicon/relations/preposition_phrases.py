"""Phrases of names that end in a preposition: `works in`, `stored in`, `allergic to`, `head of`.

A past form before it says what was done to something (`stored in`), what somebody did (`studied
at`), or either (`ordered from`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from trellis.lexicon.asked_nouns import AskedNouns
from trellis.lexicon.label_kinds import is_place
from trellis.lexicon.names import PREPOSITIONS, NameWords
from trellis.lexicon.plurals import add_article, make_plural
from trellis.lexicon.relations.phrases import Phrases
from trellis.lexicon.relations.verb_groups import is_done, is_intransitive, list_alike
from trellis.lexicon.relations.verbs import (
    Verb,
    make_gerund,
    make_third,
    make_verb,
    read_participle,
    read_third,
)

_PRESENT = re.compile(r"\w{2,}[^su\W]s")  # flows, lies, uses
_WHERE = frozenset(("at", "in", "on", "to"))
"""Prepositions before a place that `where` stands for."""


def read_present_verb(name: NameWords) -> str:
    """The verb of a name such as `flows into`, in its base form; empty for names without one."""
    first, *others = name.core.split()
    is_verb = bool(_PRESENT.fullmatch(first)) and bool(others) and others[-1] in PREPOSITIONS
    return " ".join((read_third(first), *others)) if is_verb else ""


def say_with_preposition(
    name: NameWords, back: bool, types: tuple[str, ...], taken: Collection[str]
) -> Phrases:
    """The phrases of words that end in a preposition: `works in`, `stored in`, `allergic to`."""
    *before, preposition = name.core.split()
    kind = AskedNouns(types)
    verb = read_participle(before[0]) if len(before) == 1 else None
    asks: list[str] = []
    clauses: list[str] = []
    if present := read_present_verb(name):
        base, behind = present.split(" ", 1)
        bases = (base, *list_alike(base, taken))
        said = [_say_doing(make_verb(each), behind, "does") for each in bases]
    elif verb:
        alike = [make_verb(each) for each in list_alike(verb.base, taken)]
        said = list[_Said]()
        if not is_done(verb.base):
            said += [_say_doing(each, preposition, "did") for each in (verb, *alike)]
        if not is_intransitive(verb.base):
            said += [_say_state(each.participle, preposition) for each in (verb, *alike)]
            said.append(_say_state(verb.participle, preposition, ("was", "were")))
    elif preposition == "of":
        return _say_noun_of(" ".join(before), back, kind)
    else:
        said = [_say_state(" ".join(before), preposition)]
    has_where = preposition in _WHERE and is_place(types)
    for each in said:
        if back:
            phrases = (each.third, each.plain, each.behind)
            third, plain, behind = (f"{text} {each.preposition} {{}}" for text in phrases)
            asks += kind.ask_subject(third, plain)
            clauses += [*kind.add_clause(third, plain), *kind.describe(behind)]
        else:
            asks += [f"where {each.asked}"] if has_where else []
            asks += kind.ask_object(each.asked, each.preposition)
        kind = kind.shorten()
    if not back:
        asks.append(f"{{}} {said[0].third} {said[0].preposition} {kind.wh}")
    return Phrases(types, tuple(asks), tuple(clauses), types, kind.wh)


def _say_noun_of(noun: str, back: bool, kind: AskedNouns) -> Phrases:
    """The phrases of `head of`, `subcategory of`: back from there, what is its head."""
    one, plural = f"{add_article(noun)} of", f"{make_plural(noun)} of"
    if back:
        asks = kind.ask_subject(f"is {one} {{}}", f"are {plural} {{}}")
        clauses = [*kind.add_clause(f"is {one} {{}}", f"are {plural} {{}}"), f"{plural} {{}}"]
        nouns = (noun, make_plural(noun), *kind.nouns)
        return Phrases(nouns, tuple(asks), tuple(clauses), kind.nouns, kind.wh)
    asks = kind.ask_object(f"is {{}} {add_article(noun)}", "of")
    return Phrases(kind.nouns, (*asks, f"{{}} is {one} {kind.wh}"), (), kind.nouns, kind.wh)


@dataclass(frozen=True, slots=True)
class _Said:
    """What is said before a preposition: of several things, of one, right behind a noun, and in a
    question for what is behind the preposition, with `{}` for what does it."""

    preposition: str
    plain: str
    third: str
    behind: str
    asked: str


def _say_doing(verb: Verb, preposition: str, auxiliary: str) -> _Said:
    """What is done now, or was (`did`): `works in`, `studied at`."""
    is_now = auxiliary == "does"
    plain, third = (verb.base, make_third(verb.base)) if is_now else (verb.past, verb.past)
    gerund = make_gerund(verb.base)
    return _Said(preposition, plain, third, gerund, f"{auxiliary} {{}} {verb.base}")


def _say_state(words: str, preposition: str, be: tuple[str, str] = ("is", "are")) -> _Said:
    """How something is, or what was done to it: `stored in`, `allergic to`."""
    one, several = be
    return _Said(preposition, f"{several} {words}", f"{one} {words}", words, f"{one} {{}} {words}")
