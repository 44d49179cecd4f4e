"""Relations that go one way: who reports to somebody is not reported to.

Of a mutual relation a graph stores one way, and people ask for both: who is married to somebody has
the other one as a spouse. Names of mutual relations are a small class of English.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from trellis.lexicon.plurals import make_plural
from trellis.lexicon.relations.verbs import make_gerund, make_third, make_verb

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


def list_one_way_relations(relations: Iterable[str]) -> frozenset[str]:
    """The names of relations, as words, whose direction a question tells: `reports to`, `parent of`
    and `has part`, but not `married to`."""
    mutual = _list_mutual_words()
    return frozenset(words for words in relations if mutual.isdisjoint(words.split()))


@cache
def _list_mutual_words() -> frozenset[str]:
    nouns = (form for noun in _NOUNS.split() for form in (noun, make_plural(noun)))
    verbs = (form for verb in _VERBS.split() for form in _list_forms(verb))
    return frozenset((*nouns, *verbs, *_OTHERS.split()))


def _list_forms(base: str) -> Iterator[str]:
    verb = make_verb(base)
    yield from (base, make_third(base), make_gerund(base), verb.participle, verb.past)
