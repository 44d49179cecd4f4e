"""English verbs in names of relations: the forms of `directed`, `wrote` and the like.

Past forms are read by their ending, or from a list where they are irregular; the base form follows
the rules of spelling, which are right for most verbs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trellis.domain.grammar_words import IRREGULAR_VERBS
from trellis.lexicon.names import strip_endings
from trellis.lexicon.plurals import HISSING

_PAST_OF = {participle: past for past, (_, participle) in IRREGULAR_VERBS.items()}
_BASES = {base: (past, participle) for past, (base, participle) in IRREGULAR_VERBS.items()}
_STATES = frozenset(
    (
        "affiliated",
        "associated",
        "based",
        "became",
        "connected",
        "dated",
        "engaged",
        "fell",
        "had",
        "interested",
        "involved",
        "linked",
        "located",
        "married",
        "named",
        "related",
        "rose",
        "situated",
        "titled",
    )
)
"""Forms that say how something is or becomes, and not what was done to something."""

_DOUBLED = re.compile(r"([bdgmnprt])\1$")  # planned, starred; called and assessed stay
_SILENT_E = re.compile(
    r"(?:[cuvz]|[^s]s|(?<!on)(?<!in)g|[bcdfgkptz]l|[^aeiou][iu]l|rib"
    r"|[^ao]id|[^aeo]ad|[^o]od|[^ao]ud|[^o]ok|[^eo]ak|ik|[^aeiou]am|[^a]im|um|[^aeo]in|ph?on"
    r"|[^aeiou]ap|[hc]op|[^hp]ip|yp|[^aeiou]ar|[^aeo]ir|(?:l|st|sc|gn)or|[^aeo]ur"
    r"|creat|[^aeo]at|[^aeo]ut|(?:^c|[nrv]|qu)it|(?:[mnv]|qu)ot|let)$"
)
"""Ends of past forms without `ed` whose base form ends in `e`: managed, described, created."""

_DOUBLING = re.compile(r"^[^aeiou]*(?:qu)?[aeiou][bdgmnprt]$|(?:con|de|in|re|trans)fer$")
"""Base forms that double their last letter: plan, ship, refer."""

_OR = re.compile(r"(?:ct|..ate|it|vise|nvent|cess|ssess)$")  # director, editor, supervisor


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb's forms: `write`, `wrote`, `written`."""

    base: str
    past: str
    participle: str

    @property
    def agent(self) -> str:
        """Who does it: `director`, `writer`."""
        return name_agent(self.base)


def make_verb(base: str) -> Verb:
    """The forms of a verb by its base form."""
    if base in _BASES:
        return Verb(base, *_BASES[base])
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        past = f"{base[:-1]}ied"
    else:
        past = f"{_double_last(base).removesuffix('e')}ed"
    return Verb(base, past, past)


def name_agent(base: str) -> str:
    """Who does what a verb says in its base form: `supplier`, `creator`, `referrer`."""
    stem = _double_last(base).removesuffix("e")
    if stem.endswith("y") and stem[-2:-1] not in "aeiou":
        stem = f"{stem[:-1]}i"
    return f"{stem}or" if _OR.search(base) else f"{stem}er"


def make_third(base: str) -> str:
    """A verb in the third person: `supplies`, `teaches`, `has`."""
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith((*HISSING, "o")) else f"{base}s"


def read_third(word: str) -> str:
    """The base form of a verb in the third person: `teaches`, `supplies`, `uses`."""
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return strip_endings(word)


def make_gerund(base: str) -> str:
    """A verb's form in `ing`: `working`, `living`, `running`, `seeing`, `lying`."""
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    stem = base[:-1] if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) else base
    return f"{_double_last(stem)}ing" if stem == base else f"{stem}ing"


def _double_last(base: str) -> str:
    """The base form with the last letter doubled where an ending does so: `plann` of `plan`."""
    return f"{base}{base[-1]}" if _DOUBLING.search(base) else base


def is_irregular(past: str) -> bool:
    """Whether a word is a past form that its ending does not show."""
    return past in IRREGULAR_VERBS


def read_past(word: str) -> Verb | None:
    """The verb of a past form in small letters; None for other words."""
    is_regular = len(word) >= 4 and word.endswith("ed") and not word.endswith("eed")
    if word in _STATES or not (is_regular or word in IRREGULAR_VERBS):
        return None
    _, participle = IRREGULAR_VERBS.get(word, ("", word))
    return Verb(find_base(word), word, participle)


def read_participle(word: str) -> Verb | None:
    """The verb of a participle in small letters; None for other words."""
    return read_past(_PAST_OF.get(word, word))


def find_base(past: str) -> str:
    """The base form of a past form."""
    if past in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[past][0]
    stem = past[:-2]
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    if _DOUBLED.search(stem):
        return stem[:-1]
    return f"{stem}e" if _SILENT_E.search(stem) else stem
