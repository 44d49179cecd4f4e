"""Verbs that go one way: who reports to somebody is not reported to.

Of a mutual relation a graph stores one way, and people ask for both: who is married to somebody has
the other one as a spouse. Names of mutual relations are a small class of English. Nouns go one way
too (`parent of`), but questions say them by either end (`Which parts does it have?`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from trellis.domain.sentences import is_verb_phrase
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.verbs import make_gerund, make_third, make_verb

_VERBS = """
abut adjoin border bound connect correlate divorce equal intersect join link marry match meet
neighbor neighbour overlap pair relate resemble touch twin wed
"""
_NOUNS = """
acquaintance ally antonym associate brother buddy classmate coauthor colleague collaborator
companion competitor conflict connection contact cousin counterpart duplicate enemy fiance flatmate
friend friendship husband link marriage mate neighbor neighbour opposite partner partnership peer
relation relative rival roommate sibling sister spouse synonym teammate twin wife
"""
_OTHERS = """
adjacent akin alike beside close compatible equivalent identical kin near nearby next opposed
parallel related same similar together with
"""
_WITHOUT_MEANING = frozenset(("has", "is", "was"))
"""Verbs behind which a noun says the relation: `has part`."""


def is_one_way_verb(words: str) -> bool:
    """Whether the name of a relation, as words, is a verb whose direction questions tell: `reports
    to`; neither `married to` nor `parent of`."""
    split = words.split()
    if not split or split[0] in _WITHOUT_MEANING or not is_verb_phrase(split):
        return False
    return _list_mutual_words().isdisjoint(split)


@cache
def _list_mutual_words() -> frozenset[str]:
    nouns = (form for noun in _NOUNS.split() for form in (noun, make_plural(noun)))
    verbs = (form for verb in _VERBS.split() for form in _list_forms(verb))
    return frozenset((*nouns, *verbs, *_OTHERS.split()))


def _list_forms(base: str) -> Iterator[str]:
    verb = make_verb(base)
    yield from (base, make_third(base), make_gerund(base), verb.participle, verb.past)
