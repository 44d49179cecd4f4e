"""Verbs that go one way: who reports to somebody is not reported to.

Of a mutual relation a graph stores one way, and people ask for both: who is married to somebody has
the other one as a spouse. Names of mutual relations are a small class of English. Nouns go one way
too (`parent of`), but questions say them by either end (`Which parts does it have?`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from trellis.domain.sentences import is_verb_phrase
from trellis.lexicon.names import AUXILIARIES
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.verbs import (
    make_gerund,
    make_third,
    make_verb,
    name_agent,
    read_past,
    read_third,
)
from trellis.linking.text import bare_words

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


def list_one_way_verbs(relations: Iterable[str], question: str) -> frozenset[str]:
    """The names of relations, as words, that are verbs whose direction a question tells: `reports
    to`; neither `married to` nor the nouns of `parent of` and `has part`. Who asks for somebody's
    supervisor says the verb by a noun, and tells no direction."""
    asked = frozenset(bare_words(question))
    return frozenset(words for words in relations if _goes_one_way(words.split(), asked))


def _goes_one_way(words: Sequence[str], asked: frozenset[str]) -> bool:
    if not words or words[0] in AUXILIARIES or not is_verb_phrase([*words]):
        return False
    past = read_past(words[0])
    agent = name_agent(past.base if past else read_third(words[0]))
    said_as_nouns = {agent, make_plural(agent)} & asked
    return not said_as_nouns and _list_mutual_words().isdisjoint(words)


@cache
def _list_mutual_words() -> frozenset[str]:
    nouns = (form for noun in _NOUNS.split() for form in (noun, make_plural(noun)))
    verbs = (form for verb in _VERBS.split() for form in _list_forms(verb))
    return frozenset((*nouns, *verbs, *_OTHERS.split()))


def _list_forms(base: str) -> Iterator[str]:
    verb = make_verb(base)
    yield from (base, make_third(base), make_gerund(base), verb.participle, verb.past)
