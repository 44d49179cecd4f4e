"""Phrases that the name of a relation alone gives: `flows into`, `written by`, `wrote`, `heads`.

What a name says is read by its form: a passive verb with `by`, an active verb, words that end in a
preposition, or else a noun. An active verb says the same as the passive one the other way round.
People say other verbs too: what is stored in a warehouse is kept there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from trellis.lexicon.asked_nouns import FEW, ONE, AskedNouns
from trellis.lexicon.label_kinds import is_agent
from trellis.lexicon.names import PREPOSITIONS, NameWords, strip_endings
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.relations.phrases import Phrases
from trellis.lexicon.relations.preposition_phrases import read_present_verb, say_with_preposition
from trellis.lexicon.relations.verb_groups import is_known_verb, list_alike
from trellis.lexicon.relations.verbs import (
    Verb,
    make_third,
    make_verb,
    read_participle,
    read_past,
    read_third,
)

_PASSIVE = frozenset(("is", "was", "are", "were", "be"))
_OF_PLACE = frozenset(("at", "in", "on"))


def read_as_passive(name: NameWords) -> NameWords:
    """An active verb such as `directed`, or a usual one such as `supplies`, as the inverse of
    `directed by`; other names unchanged."""
    words = name.core.split()
    is_active = len(words) == 1 and name.words[0] not in _PASSIVE
    verb = (read_past(words[0]) or _read_usual_verb(words[0])) if is_active else None
    if verb is None:
        return name
    return replace(name, words=(verb.participle, "by"), inverse=not name.inverse)


def find_verb(name: NameWords) -> str:
    """The verb of a relation's name, in its base form; empty for names without one."""
    first, *others = name.core.split()
    verb = read_participle(first)
    if verb and (not others or others[-1] in (*PREPOSITIONS, "by")):
        return verb.base
    if not others:
        usual = _read_usual_verb(first)
        return usual.base if usual else ""
    return read_present_verb(name).partition(" ")[0]


@lru_cache(maxsize=20_000)
def derive_phrases(
    name: NameWords, back: bool, types: tuple[str, ...], taken: frozenset[str] = frozenset()
) -> Phrases:
    """The phrases for a step; `back`: whether it goes against the name, `types`: nouns for the
    nodes at its end, `taken`: verbs that say something else in the same graph."""
    words = name.core.split()
    if words[-1] == "by":
        verb = read_participle(words[0]) if len(words) == 2 else None
        return _say_done_by(verb, back, types, taken) if verb else _say_by(words, back, types)
    if len(words) > 1 and words[-1] in PREPOSITIONS:
        return say_with_preposition(name, back, types, taken)
    if len(words) == 1 and words[0].endswith("s") and types and not _is_noun(words[0], types):
        return _say_done_by(make_verb(read_third(words[0])), not back, types, taken)
    return _say_noun(name, back, types)


def _say_noun(name: NameWords, back: bool, types: tuple[str, ...]) -> Phrases:
    """The phrases of a noun such as `postcode`, with a preposition before it if any: `in area`, or
    `location in area`, which says what it is at both ends."""
    before, preposition, noun = _split_preposition(name, back, types)
    kind = AskedNouns(types)
    if back:
        asks = [f"whose {noun} is {{}}", f"what has {{}} as {noun}"]
        clauses = list(_add_types(types, f"whose {noun} is {{}}"))
        if preposition:
            asks += kind.ask_subject(f"is {preposition} {{}}", f"are {preposition} {{}}")
            clauses += kind.describe(f"{preposition} {{}}")
        return Phrases((*before, *types), tuple(asks), tuple(clauses), types, kind.wh)
    asks = list(kind.ask_object("is {}", preposition)) if preposition else []
    return Phrases((noun, *types), tuple(asks), (), types, kind.wh)


def _split_preposition(
    name: NameWords, back: bool, types: Collection[str]
) -> tuple[tuple[str, ...], str, str]:
    """The nouns before a preposition of place, that, and the noun behind it: none and empty where a
    name has no such preposition, or names neither kind beside it, as `goals in season` may not."""
    words = name.core.split()
    places = [place for place, word in enumerate(words[:-1]) if word in _OF_PLACE]
    if not places:
        return (), "", name.noun
    at = places[-1]
    before, behind = " ".join(words[:at]), " ".join(words[at + 1 :])
    own = {noun.replace(" ", "") for noun in types}
    if before and (before if back else behind).replace(" ", "") not in own:
        return (), "", name.noun
    return ((before, make_plural(before)) if before else ()), words[at], behind


def _say_done_by(verb: Verb, back: bool, types: tuple[str, ...], taken: Collection[str]) -> Phrases:
    """The phrases of `written by`: who wrote something; back from there, what somebody wrote."""
    kind, ask, describe = AskedNouns(types), *_BY_DIRECTION[back]
    asks, clauses = [*ask(verb, kind)], [*describe(verb, kind)]
    few = AskedNouns(types[:1])
    for each in map(make_verb, list_alike(verb.base, taken)):
        asks += list(ask(each, few))[: 2 * len((*few.askings, *few.nouns))]
        clauses += list(describe(each, kind))[:FEW]
    if back:
        return Phrases(types, tuple(asks), tuple(clauses) if types else (), types, kind.wh)
    agents = (verb.agent, make_plural(verb.agent))
    nouns = (*agents, *types) if not types or is_agent(types) else types
    wh = kind.wh if types else "who"
    return Phrases(nouns, tuple(asks), tuple(clauses) if types else (), types, wh)


def _ask_agent(verb: Verb, kind: AskedNouns) -> Iterator[str]:
    third = make_third(verb.base)
    yield from kind.ask_subject(f"{verb.past} {{}}", f"{verb.past} {{}}")
    yield from kind.shorten().ask_subject(f"{third} {{}}", f"{verb.base} {{}}")
    wh = "whom" if kind.wh == "who" or not kind.nouns else "what"
    yield f"{{}} was {verb.participle} by {wh}"
    yield f"by {wh} was {{}} {verb.participle}"


def _describe_agent(verb: Verb, kind: AskedNouns) -> Iterator[str]:
    yield from kind.add_clause(f"{verb.past} {{}}", f"{verb.past} {{}}")
    yield from kind.shorten().add_clause(f"{make_third(verb.base)} {{}}", f"{verb.base} {{}}")


def _ask_patient(verb: Verb, kind: AskedNouns) -> Iterator[str]:
    yield from kind.ask_object(f"did {{}} {verb.base}")
    usual = kind.shorten()
    yield from usual.ask_object(f"does {{}} {verb.base}")
    yield from usual.ask_object(f"has {{}} {verb.participle}")
    was, were = f"was {verb.participle} by {{}}", f"were {verb.participle} by {{}}"
    yield from usual.ask_subject(was, were)


def _describe_patient(verb: Verb, kind: AskedNouns) -> Iterator[str]:
    yield from kind.describe(f"{verb.participle} by {{}}")
    yield from kind.shorten().describe(f"that {{}} {verb.past}")
    yield from kind.shorten().describe(f"{{}} {make_third(verb.base)}")


_BY_DIRECTION = ((_ask_agent, _describe_agent), (_ask_patient, _describe_patient))
"""How who does something is asked for and described, and what it is done to."""


def _say_by(words: Sequence[str], back: bool, types: tuple[str, ...]) -> Phrases:
    """The phrases of words with `by` that are no passive verb: `member by`."""
    core = " ".join(words)
    if back:
        return Phrases(types, (f"what was {core} {{}}",), _add_types(types, f"{core} {{}}"), types)
    past = " ".join(words[:-1])
    asks = (f"who {past} {{}}", *(f"which {noun} {past} {{}}" for noun in types))
    clauses = _add_types(types, f"that {past} {{}}") if types else ()
    return Phrases((), (*asks, f"{{}} was {core} whom"), clauses, types, "who")


def _read_usual_verb(word: str) -> Verb | None:
    """The verb of a form in the third person, where it is one of those that graphs use."""
    base = read_third(word) if word.endswith("s") else ""
    return make_verb(base) if is_known_verb(base) else None


def _is_noun(word: str, types: tuple[str, ...]) -> bool:
    """Whether a word is a noun of what a relation leads to, and no verb: `tags`."""
    return word in types or strip_endings(word) in types


def _add_types(types: Sequence[str], rest: str) -> tuple[str, ...]:
    return tuple(f"{noun} {rest}" for noun in types or ONE)
