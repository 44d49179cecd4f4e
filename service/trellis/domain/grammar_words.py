"""The small words of English grammar, each list once: articles, auxiliaries, prepositions, months.

Lists are in lower case. What reads or writes English takes its words from here, so that two readers
of a question agree on what an auxiliary is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

ARTICLES = ("a", "an", "the")
BEING = ("is", "are", "was", "were")
HAVING = ("has", "have", "had")
DOING = ("do", "does", "did")
AUXILIARIES = (*BEING, *HAVING, *DOING)
"""Verbs that may stand before the subject of a question, beside `MODALS`."""

MODALS = ("can", "could", "will", "would", "shall", "should", "may", "might", "must")
QUESTION_WORDS = ("who", "whom", "whose", "what", "which", "when", "where", "why", "how")
RELATIVES = ("that", "where", "which", "who", "whose")
PREPOSITIONS = frozenset(
    """about above across after against along around as at before behind below beside between by
    during for from in inside into near of off on onto outside over past than through to toward
    towards under until upon with within""".split()  # noqa: SIM905
)
MONTHS = tuple(
    """january february march april may june july august september october november
    december""".split()  # noqa: SIM905
)
SHORT_MONTHS = tuple(month[:3] for month in MONTHS)
NUMBERS = tuple(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen""".split()  # noqa: SIM905
)
"""Each at the place that it says."""

IRREGULAR_VERBS = {  # past: base, participle
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


def match_words(words: Iterable[str]) -> str:
    """A regular expression, without a group of its own, that matches one of some words."""
    return "|".join(map(re.escape, words))
