"""The phrases by which questions speak of flags, properties that are true or false.

`injured` is said of a player, `on loan` too; `has_parking` is what a hotel has, `allows_pets` what
it does, and a `captain` what somebody is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trellis.lexicon.names import read_name
from trellis.lexicon.plurals import make_plural

Texts = tuple[str, ...]

_STATES = ("is", "are", "was", "were")
_OWNED = ("has", "have", "had", "with")
_MODALS = ("can", "could", "may", "must", "should", "will")
_DEEDS = frozenset(
    """accepts allows contains delivers does drinks exports gives holds imports includes knows needs
    offers permits prints provides requires runs sells serves ships smokes speaks supports takes
    uses wants wears""".split()  # noqa: SIM905
)
"""Verbs that say what something does, in front of what it does it to."""

_PREPOSITIONS = frozenset(
    ("at", "for", "from", "in", "off", "on", "out", "over", "to", "under", "up", "without")
)
_ADJECTIVE = re.compile(
    r".{2,}(?:ed|able|ible|al|ive|ful|less|ous|ic|ant|ent|ary|ory|ern|ish|ing|only|free|like|y)$"
)
_ADJECTIVES = frozenset(
    """active alive awake bad big broken busy closed common correct current cold dead deaf deep
    divorced done dry easy empty equal extinct false fast fat final fine fit flat fresh full good
    great half hard hidden high hot ill intact junior known late local lost low main male minor
    married mobile modern naked new nice old open own poor proven pure quick rare raw ready real
    rich right sacred safe senior sick simple single slow small smart soft solar solid sound spare
    strong sure tall true urban valid vegan warm weak wet whole wide wild wrong young""".split()  # noqa: SIM905
)
_NOUNS = frozenset(("capital", "city", "company", "entry", "family", "holiday", "key", "party"))
"""Nouns that end as adjectives do."""

_IRREGULAR = ("read", "sold", "won", "lost", "paid", "sent", "built", "made", "known", "shown")
_MARKS = ("flag", "status", "yn")


@dataclass(frozen=True, slots=True)
class FlagPhrases:
    """The phrases for a flag of a thing, where it is set and where it is not.

    `before` and `not_before`: words in front of a noun. `behind` and `not_behind`: phrases behind
    one. `asks`: whole questions for `{}`. `beside`: phrases behind a deed that it is said of: `on
    loan`, `as captain`. `roles`: nouns for who has it.
    """

    before: Texts = ()
    not_before: Texts = ()
    behind: Texts = ()
    not_behind: Texts = ()
    asks: Texts = ()
    beside: Texts = ()
    roles: Texts = ()

    def deny(self) -> FlagPhrases:
        """The phrases of things for which the flag is not set."""
        beside = tuple(f"not {each}" for each in self.beside)
        return FlagPhrases(before=self.not_before, behind=self.not_behind, beside=beside)


def make_flag_phrases(name: str, *, of_person: bool) -> FlagPhrases:
    """The phrases of a flag by its name; `of_person`: whether persons have it."""
    first, *rest = words = _read_words(name)
    if first in _OWNED and rest:
        return _say_owned(" ".join(rest))
    if first in _MODALS and rest:
        return _say_deed(first, f"{first} not", " ".join(rest), of_person=of_person)
    if first in _DEEDS and rest:
        return _say_deed(
            "", "do not", " ".join((first.removesuffix("s"), *rest)), of_person=of_person
        )
    said = " ".join(words)
    if first in _PREPOSITIONS and rest:
        return _say_state((), said, of_person=of_person)
    state = _say_state((said,), said, of_person=of_person)
    if _is_adjective(words[-1]):
        return state
    return _join(state, _say_role(said) if of_person else _say_owned(said), _say_role(said))


def _read_words(name: str) -> tuple[str, ...]:
    """The words of a flag's name, without those that only mark it as one."""
    words = list(read_name(name).words)
    if len(words) > 1 and words[-1] in _MARKS:
        words = words[:-1]
    if len(words) > 1 and words[0] in _STATES:
        words = words[1:]
    return tuple(words) or (name,)


def _is_adjective(word: str) -> bool:
    if word in _NOUNS:
        return False
    return word in _ADJECTIVES or word in _IRREGULAR or bool(_ADJECTIVE.fullmatch(word))


def _say_state(before: Texts, said: str, *, of_person: bool) -> FlagPhrases:
    """A state that something is in: `injured`, `on loan`."""
    who = "who" if of_person else "which"
    is_plain = before and " " not in said
    un = (f"un{said}",) if is_plain and said.endswith("ed") else ()
    return FlagPhrases(
        before=before,
        not_before=(*un, *(f"non {each}" for each in before)),
        behind=(f"that are {said}", f"{who} are {said}", f"that is {said}", said, f"being {said}"),
        not_behind=(
            f"that are not {said}",
            f"{who} are not {said}",
            f"that aren't {said}",
            f"{who} isn't {said}",
            f"not {said}",
        ),
        asks=(f"is {{}} {said}", f"is {{}} {said} or not", f"was {{}} {said}", f"{{}} : {said} ?"),
        beside=(said, f"while {said}", f"and is {said}", f"and are {said}"),
    )


def _say_owned(noun: str) -> FlagPhrases:
    """A thing that something has: `parking`."""
    return FlagPhrases(
        behind=(
            f"with {noun}",
            f"with a {noun}",
            f"that have {noun}",
            f"that has a {noun}",
            f"having {noun}",
        ),
        not_behind=(
            f"without {noun}",
            f"without a {noun}",
            f"that have no {noun}",
            f"with no {noun}",
            f"that don't have a {noun}",
        ),
        asks=(
            f"does {{}} have {noun}",
            f"does {{}} have a {noun}",
            f"has {{}} got a {noun}",
            f"is there {noun} at {{}}",
        ),
        beside=(f"with {noun}", f"with a {noun}"),
    )


def _say_role(noun: str) -> FlagPhrases:
    """What something is: `captain`."""
    several = make_plural(noun)
    return FlagPhrases(
        behind=(f"who are {several}", f"that are {several}", f"who is a {noun}"),
        not_behind=(f"who are not {several}", f"that aren't {several}", f"who is no {noun}"),
        asks=(f"is {{}} a {noun}", f"is {{}} the {noun}", f"is {{}} {noun}"),
        beside=(f"as {noun}", f"as a {noun}", f"as the {noun}"),
        roles=(noun,),
    )


def _say_deed(modal: str, denied: str, deed: str, *, of_person: bool) -> FlagPhrases:
    """What something does: `allow pets`, `can fly`."""
    who = "who" if of_person else "which"
    said = f"{modal} {deed}".strip()
    asks = f"{modal or 'does'} {{}} {deed}"
    return FlagPhrases(
        behind=(f"that {said}", f"{who} {said}"),
        not_behind=(f"that {denied} {deed}", f"{who} {denied} {deed}", f"that don't {deed}"),
        asks=(asks,),
        beside=(f"and {said}",),
    )


def _join(*several: FlagPhrases) -> FlagPhrases:
    """The phrases of all, each once."""

    def unite(kind: str) -> Texts:
        return tuple(dict.fromkeys(text for each in several for text in getattr(each, kind)))

    return FlagPhrases(**{kind: unite(kind) for kind in FlagPhrases.__dataclass_fields__})
