"""Phrases that the name of a relation alone gives: `flows into`, `written by`, `wrote`, `heads`.

What a name says is read by its form: a passive verb with `by`, an active verb, words that end in a
preposition, or else a noun. An active verb says the same as the passive one the other way round.
People say other verbs too: what is stored in a warehouse is kept there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from trellis.lexicon.label_kinds import is_agent, is_person, is_place
from trellis.lexicon.names import PREPOSITIONS, NameWords, strip_endings
from trellis.lexicon.phrases import Phrases
from trellis.lexicon.plurals import add_article, is_plural, make_plural
from trellis.lexicon.verb_groups import is_done, is_intransitive, is_known_verb, list_alike
from trellis.lexicon.verbs import (
    Verb,
    make_gerund,
    make_third,
    make_verb,
    read_participle,
    read_past,
)

_ONE = ("the one", "the thing")  # where the kind of node is not known
_PASSIVE = frozenset(("is", "was", "are", "were", "be"))
_PRESENT = re.compile(r"\w{2,}[^su\W]s")  # flows, lies, uses
_FEW = 2  # nouns of a kind that are said in each of a verb's forms
_OF_PLACE = frozenset(("at", "in", "on"))
_WHERE = frozenset(("at", "in", "on", "to"))
"""Prepositions before a place that `where` stands for."""


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


def read_present_verb(name: NameWords) -> str:
    """The verb of a name such as `flows into`, in its base form; empty for names without one."""
    first, *others = name.core.split()
    is_verb = bool(_PRESENT.fullmatch(first)) and bool(others) and others[-1] in PREPOSITIONS
    return " ".join((_read_third(first), *others)) if is_verb else ""


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
        return _say_with_preposition(name, back, types, taken)
    if len(words) == 1 and words[0].endswith("s") and types and not _is_noun(words[0], types):
        return _say_done_by(make_verb(_read_third(words[0])), not back, types, taken)
    return _say_noun(name, back, types)


def _say_noun(name: NameWords, back: bool, types: tuple[str, ...]) -> Phrases:
    """The phrases of a noun such as `postcode`, with a preposition before it if any: `in area`, or
    `location in area`, which says what it is at both ends."""
    before, preposition, noun = _split_preposition(name, back, types)
    kind = _Kind(types)
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


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is asked for: its nouns, and by which word people ask for it."""

    nouns: tuple[str, ...]

    @property
    def wh(self) -> str:
        return "who" if is_person(self.nouns) else "what"

    @property
    def askings(self) -> tuple[str, ...]:
        """The words that ask for it alone: both where it may be anything, or people together."""
        if is_person(self.nouns):
            return ("who",)
        is_either = not self.nouns or (is_agent(self.nouns) and not is_place(self.nouns))
        return ("what", "who") if is_either else ("what",)

    def shorten(self) -> _Kind:
        """The same with its first nouns alone, for what is said less often."""
        return _Kind(self.nouns[:_FEW])

    def ask_subject(self, third: str, plain: str) -> Iterator[str]:
        """Questions for what does something: a verb phrase in the third person and in its base
        form, with `{}`."""
        yield from (f"{wh} {third}" for wh in self.askings)
        for noun in self.nouns:
            yield f"which {noun} {plain if is_plural(noun) else third}"

    def ask_object(self, rest: str, preposition: str = "") -> Iterator[str]:
        """Questions for what something is done to, with a preposition at either end if any."""
        behind = f" {preposition}" if preposition else ""
        yield from (f"{wh} {rest}{behind}" for wh in self.askings)
        for noun in self.nouns:
            yield f"which {noun} {rest}{behind}"
            if preposition:
                yield f"{preposition} which {noun} {rest}"

    def add_clause(self, third: str, plain: str) -> Iterator[str]:
        """Noun phrases with a relative clause: a verb phrase as in `ask_subject`."""
        for noun in self.nouns or _ONE:
            yield f"{noun} that {plain if is_plural(noun) else third}"

    def describe(self, rest: str) -> Iterator[str]:
        """Noun phrases with words right behind the noun."""
        yield from (f"{noun} {rest}" for noun in self.nouns or _ONE)


def _say_done_by(verb: Verb, back: bool, types: tuple[str, ...], taken: Collection[str]) -> Phrases:
    """The phrases of `written by`: who wrote something; back from there, what somebody wrote."""
    kind, ask, describe = _Kind(types), *_BY_DIRECTION[back]
    asks, clauses = [*ask(verb, kind)], [*describe(verb, kind)]
    few = _Kind(types[:1])
    for each in map(make_verb, list_alike(verb.base, taken)):
        asks += list(ask(each, few))[: 2 * len((*few.askings, *few.nouns))]
        clauses += list(describe(each, kind))[:_FEW]
    if back:
        return Phrases(types, tuple(asks), tuple(clauses) if types else (), types, kind.wh)
    agents = (verb.agent, make_plural(verb.agent))
    nouns = (*agents, *types) if not types or is_agent(types) else types
    wh = kind.wh if types else "who"
    return Phrases(nouns, tuple(asks), tuple(clauses) if types else (), types, wh)


def _ask_agent(verb: Verb, kind: _Kind) -> Iterator[str]:
    third = make_third(verb.base)
    yield from kind.ask_subject(f"{verb.past} {{}}", f"{verb.past} {{}}")
    yield from kind.shorten().ask_subject(f"{third} {{}}", f"{verb.base} {{}}")
    wh = "whom" if kind.wh == "who" or not kind.nouns else "what"
    yield f"{{}} was {verb.participle} by {wh}"
    yield f"by {wh} was {{}} {verb.participle}"


def _describe_agent(verb: Verb, kind: _Kind) -> Iterator[str]:
    yield from kind.add_clause(f"{verb.past} {{}}", f"{verb.past} {{}}")
    yield from kind.shorten().add_clause(f"{make_third(verb.base)} {{}}", f"{verb.base} {{}}")


def _ask_patient(verb: Verb, kind: _Kind) -> Iterator[str]:
    yield from kind.ask_object(f"did {{}} {verb.base}")
    usual = kind.shorten()
    yield from usual.ask_object(f"does {{}} {verb.base}")
    yield from usual.ask_object(f"has {{}} {verb.participle}")
    was, were = f"was {verb.participle} by {{}}", f"were {verb.participle} by {{}}"
    yield from usual.ask_subject(was, were)


def _describe_patient(verb: Verb, kind: _Kind) -> Iterator[str]:
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


def _say_with_preposition(
    name: NameWords, back: bool, types: tuple[str, ...], taken: Collection[str]
) -> Phrases:
    """The phrases of words that end in a preposition: `works in`, `stored in`, `allergic to`."""
    *before, preposition = name.core.split()
    kind, place = _Kind(types), _Place(preposition, types)
    verb = read_participle(before[0]) if len(before) == 1 else None
    asks: list[str] = []
    clauses: list[str] = []
    if base := read_present_verb(name).removesuffix(f" {preposition}"):
        bases = (base, *list_alike(base, taken))
        said = [_say_doing(make_verb(each), preposition, "does") for each in bases]
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
    for each in said:
        if back:
            asks += kind.ask_subject(each.third, each.plain)
            clauses += kind.add_clause(each.third, each.plain)
            clauses += kind.describe(each.behind)
            kind = kind.shorten()
        else:
            asks += [*place.ask_where(each.asked), *kind.ask_object(each.asked, preposition)]
            kind = kind.shorten()
    if not back:
        asks.append(f"{{}} {said[0].finite} {kind.wh}")
    return Phrases(types, tuple(asks), tuple(clauses), types, kind.wh)


def _say_noun_of(noun: str, back: bool, kind: _Kind) -> Phrases:
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
    """A verb phrase with a preposition: of several things, of one, and behind a noun, all with `{}`
    for what is behind the preposition; in a question for that, with `{}` for what does it; and
    behind its name."""

    plain: str
    third: str
    behind: str
    asked: str
    finite: str


def _say_doing(verb: Verb, preposition: str, auxiliary: str) -> _Said:
    """What is done now, or was (`did`): `works in`, `studied at`."""
    third = make_third(verb.base) if auxiliary == "does" else verb.past
    plain = verb.base if auxiliary == "does" else verb.past
    return _Said(
        plain=f"{plain} {preposition} {{}}",
        third=f"{third} {preposition} {{}}",
        behind=f"{make_gerund(verb.base)} {preposition} {{}}",
        asked=f"{auxiliary} {{}} {verb.base}",
        finite=f"{third} {preposition}",
    )


def _say_state(words: str, preposition: str, be: tuple[str, str] = ("is", "are")) -> _Said:
    """How something is, or what was done to it: `stored in`, `allergic to`."""
    one, several = be
    text = f"{words} {preposition}"
    return _Said(
        plain=f"{several} {text} {{}}",
        third=f"{one} {text} {{}}",
        behind=f"{text} {{}}",
        asked=f"{one} {{}} {words}",
        finite=f"{one} {text}",
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """What is behind a preposition, for which people ask by `where` if it is a place."""

    preposition: str
    nouns: tuple[str, ...]

    def ask_where(self, asked: str) -> Iterator[str]:
        if self.preposition in _WHERE and is_place(self.nouns):
            yield f"where {asked}"


def _read_usual_verb(word: str) -> Verb | None:
    """The verb of a form in the third person, where it is one of those that graphs use."""
    base = _read_third(word) if word.endswith("s") else ""
    return make_verb(base) if is_known_verb(base) else None


def _read_third(word: str) -> str:
    """The base form of a verb in the third person: `teaches`, `supplies`, `uses`."""
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return strip_endings(word)


def _is_noun(word: str, types: tuple[str, ...]) -> bool:
    """Whether a word is a noun of what a relation leads to, and no verb: `tags`."""
    return word in types or strip_endings(word) in types


def _add_types(types: Sequence[str], rest: str) -> tuple[str, ...]:
    return tuple(f"{noun} {rest}" for noun in types or _ONE)
