"""English verbs in names of relations: the forms of `directed`, `wrote` and the like.

Past forms are read by their ending, or from a list where they are irregular; the base form follows
the rules of spelling, which are right for most verbs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trellis.lexicon.names import strip_endings
from trellis.lexicon.plurals import HISSING

_IRREGULAR = {  # past: base, participle
    "ate": ("eat", "eaten"),
    "beat": ("beat", "beaten"),
    "became": ("become", "become"),
    "began": ("begin", "begun"),
    "bore": ("bear", "borne"),
    "bought": ("buy", "bought"),
    "broke": ("break", "broken"),
    "brought": ("bring", "brought"),
    "built": ("build", "built"),
    "cancelled": ("cancel", "cancelled"),
    "caught": ("catch", "caught"),
    "chose": ("choose", "chosen"),
    "controlled": ("control", "controlled"),
    "did": ("do", "done"),
    "drew": ("draw", "drawn"),
    "drove": ("drive", "driven"),
    "fell": ("fall", "fallen"),
    "fed": ("feed", "fed"),
    "felt": ("feel", "felt"),
    "flew": ("fly", "flown"),
    "forbade": ("forbid", "forbidden"),
    "forgave": ("forgive", "forgiven"),
    "fought": ("fight", "fought"),
    "got": ("get", "got"),
    "grew": ("grow", "grown"),
    "found": ("find", "found"),
    "gave": ("give", "given"),
    "had": ("have", "had"),
    "heard": ("hear", "heard"),
    "held": ("hold", "held"),
    "hid": ("hide", "hidden"),
    "kept": ("keep", "kept"),
    "knew": ("know", "known"),
    "led": ("lead", "led"),
    "left": ("leave", "left"),
    "lent": ("lend", "lent"),
    "lost": ("lose", "lost"),
    "made": ("make", "made"),
    "met": ("meet", "met"),
    "overcame": ("overcome", "overcome"),
    "overrode": ("override", "overridden"),
    "oversaw": ("oversee", "overseen"),
    "paid": ("pay", "paid"),
    "ran": ("run", "run"),
    "rang": ("ring", "rung"),
    "rode": ("ride", "ridden"),
    "rose": ("rise", "risen"),
    "sang": ("sing", "sung"),
    "saw": ("see", "seen"),
    "sent": ("send", "sent"),
    "shot": ("shoot", "shot"),
    "sold": ("sell", "sold"),
    "spent": ("spend", "spent"),
    "spoke": ("speak", "spoken"),
    "stole": ("steal", "stolen"),
    "stood": ("stand", "stood"),
    "swam": ("swim", "swum"),
    "taught": ("teach", "taught"),
    "threw": ("throw", "thrown"),
    "told": ("tell", "told"),
    "took": ("take", "taken"),
    "won": ("win", "won"),
    "went": ("go", "gone"),
    "wore": ("wear", "worn"),
    "wrote": ("write", "written"),
}
_PAST_OF = {participle: past for past, (_, participle) in _IRREGULAR.items()}
_IRREGULAR_BASES = {base: (past, participle) for past, (base, participle) in _IRREGULAR.items()}
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
    if base in _IRREGULAR_BASES:
        return Verb(base, *_IRREGULAR_BASES[base])
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
    return past in _IRREGULAR


def read_past(word: str) -> Verb | None:
    """The verb of a past form in small letters; None for other words."""
    is_regular = len(word) >= 4 and word.endswith("ed") and not word.endswith("eed")
    if word in _STATES or not (is_regular or word in _IRREGULAR):
        return None
    _, participle = _IRREGULAR.get(word, ("", word))
    return Verb(find_base(word), word, participle)


def read_participle(word: str) -> Verb | None:
    """The verb of a participle in small letters; None for other words."""
    return read_past(_PAST_OF.get(word, word))


def find_base(past: str) -> str:
    """The base form of a past form."""
    if past in _IRREGULAR:
        return _IRREGULAR[past][0]
    stem = past[:-2]
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    if _DOUBLED.search(stem):
        return stem[:-1]
    return f"{stem}e" if _SILENT_E.search(stem) else stem
