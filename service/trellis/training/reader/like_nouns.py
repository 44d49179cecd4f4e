"""Nouns and comparisons for what nodes of one kind are to one another, and how people ask for
either side of them.

`Who is Ann's mentor?` and `Whose mentor is Ann?` have the same words. Nouns are said by possessives
and by `have` too, and some have another noun for the other side: who is the child of somebody.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.lexicon.label_kinds import is_person
from trellis.lexicon.plurals import add_article, make_plural

LIKE_NOUNS = """parent/child|teacher/pupil|mentor/mentee|employer/employee|ancestor/descendant|
    predecessor/successor|boss/subordinate|host/guest|landlord/tenant|grandparent/grandchild|
    supercategory/subcategory|superclass/subclass|superset/subset|cause/effect|sequel/prequel|
    creditor/debtor|master/apprentice|original/copy|hypernym/hyponym|source/target|supplier/customer|
    trainer/trainee|lawyer/client|sponsor/protégé|manager|supervisor|owner|founder|leader|captain|
    director|author|editor|guardian|heir|assistant|deputy|advisor|uncle|aunt|nephew|niece|tutor|
    coach|patron|donor|vendor|subsidiary|branch|component|ingredient|module|plugin|extension|fork|
    alias|version|variant|translation|adaptation|remake|symptom|tributary|moon|satellite|province|
    suburb|capital|member|type|instance|example|prerequisite|requirement|input|output|substitute|
    replacement|disciple|student|servant|bodyguard|agent|representative|delegate|proxy|secretary|
    referee|witness|victim|winner|successor|section|chapter|layer|template|draft|backup|mirror|
    dependency|attachment|revision|translator|reviewer|publisher|guide|follower|fan|creator|
    inventor|godfather|grandmother|mother|father|son|daughter|brother-in-law|stepfather|
    widow|nickname|subtopic|subtask|subproject|subsystem|subunit|submodule""".replace(
    "\n", ""
).split("|")
"""Nouns, and the noun for the other side where there is one, in the singular."""

LIKE_COMPARISONS = """older than/younger than|taller than/shorter than|larger than/smaller than|
    stronger than/weaker than|faster than/slower than|above/below|before/after|
    upstream of/downstream of|north of/south of|east of/west of|senior to/junior to|
    superior to/inferior to|better than/worse than|richer than/poorer than|ahead of/behind|
    inside/outside|dependent on|responsible for|afraid of|allergic to|jealous of|loyal to|
    visible from|derived from|named after|in charge of|in love with|in debt to|
    downwind of/upwind of|on top of/underneath""".replace("\n", "").split("|")
"""What stands behind `is`, and the same from the other side where that has words of its own."""

_NOUN_NAMES = {"of": 0.34, "is of": 0.08, "has": 0.28, "alone": 0.22, "other of": 0.08}
"""How a relation's name is made of a noun: `PARENT_OF`, `IS_PARENT_OF`, `HAS_PARENT`, `PARENT`."""

_TURNED = frozenset(("has", "alone", "other of"))
"""Names that lead from what has such a one, to that one."""

_OTHER, _IS = 0.4, 0.25  # share of comparisons named from the other side, and with `is`
_COMPARED = 0.28  # share of comparisons among what is drawn

_Texts = Iterator[str]


@dataclass(frozen=True, slots=True)
class LikeNoun:
    """What nodes of one kind are to one another: a noun (`parent`) or a comparison (`older than`),
    and the words for the other side where there are some (`child`, `younger than`).

    The names and phrases are as of `LikeVerb`: who is the parent does it, the child has it done.
    """

    words: str
    other: str = ""
    is_compared: bool = False

    @classmethod
    def parse(cls, text: str, *, is_compared: bool = False) -> LikeNoun:
        """The words of a text such as `parent/child`."""
        words, _, other = text.strip().partition("/")
        return cls(words, other, is_compared)

    def draw_name(self, choice: random.Random) -> tuple[str, bool]:
        """The words of a relation's name, and whether it leads to whom the words are said of."""
        if self.is_compared:
            is_other = bool(self.other) and choice.random() < _OTHER
            words = self.other if is_other else self.words
            return f"is {words}" if choice.random() < _IS else words, is_other
        form = choice.choices(list(_NOUN_NAMES), list(_NOUN_NAMES.values()))[0]
        if form == "other of" and not self.other:
            form = "has"
        names = {
            "of": f"{self.words} of",
            "is of": f"is {self.words} of",
            "has": f"has {self.words}",
            "alone": self.words,
            "other of": f"{self.other} of",
        }
        return names[form], form in _TURNED

    def say_relation(self, kind: str, *, is_turned: bool) -> Mapping[str, Any]:
        """The phrases of a relation between nodes of a kind, as the lexicon has them: forwards and
        `back`."""
        wh = "who" if is_person([kind]) else "what"
        nouns = [kind, "people" if kind == "person" else make_plural(kind)]
        does = self._say(self.words, self.other, nouns, wh)
        done = self._say(self.other, self.words, nouns, wh)
        return {**does, "back": done} if is_turned else {**done, "back": does}

    def _say(self, said: str, other: str, nouns: Sequence[str], wh: str) -> Mapping[str, Any]:
        """Phrases for those of whom `said` is said, which have the other as `other`."""
        ask, describe, ask_turned, describe_turned = (
            (_ask_compared, _describe_compared, _ask_comparing, _describe_comparing)
            if self.is_compared
            else (_ask_ones, _describe_ones, _ask_whose, _describe_whose)
        )
        asks = [*(ask(said, nouns, wh) if said else ())]
        clauses = [*(describe(said, nouns) if said else ())]
        if other:
            asks += ask_turned(other, nouns, wh)
            clauses += describe_turned(other, nouns)
        return {"wh": wh, "nouns": [], "asks": asks, "clauses": clauses}


def _ask_ones(noun: str, nouns: Sequence[str], wh: str) -> _Texts:
    """For whom a noun is said of: somebody's parents."""
    many, some = make_plural(noun), add_article(noun)
    yield f"{wh} is the {noun} of {{}}"
    yield f"{wh} is {{}}'s {noun}"
    yield f"{wh} are the {many} of {{}}"
    yield f"{wh} are {{}}'s {many}"
    yield f"{wh} is {some} of {{}}"
    yield f"which {nouns[0]} is the {noun} of {{}}"
    yield f"which {nouns[1]} are {many} of {{}}"
    yield f"which {many} does {{}} have"
    yield f"what {many} does {{}} have"
    yield f"which {noun} does {{}} have"
    yield f"{wh} does {{}} have as {some}"
    yield f"which {nouns[1]} does {{}} have as {many}"
    yield f"of {{}}, {wh} is the {noun}"


def _describe_ones(noun: str, nouns: Sequence[str]) -> _Texts:
    many = make_plural(noun)
    yield f"{many} of {{}}"
    yield f"the {many} of {{}}"
    yield f"{{}}'s {many}"
    yield f"the {noun} of {{}}"
    yield f"{{}}'s {noun}"
    yield f"{nouns[1]} that are {many} of {{}}"
    yield f"{nouns[1]} that {{}} has as {many}"


def _ask_whose(noun: str, nouns: Sequence[str], wh: str) -> _Texts:
    """Who has somebody as such a one: whose parent somebody is."""
    some = add_article(noun)
    yield f"{wh} is {{}} the {noun} of"
    yield f"{wh} is {{}} {some} of"
    yield f"whose {noun} is {{}}"
    yield f"whose {noun} might {{}} be"
    yield f"{{}} is whose {noun}"
    yield f"of which {nouns[1]} is {{}} the {noun}"
    yield f"of {'whom' if wh == 'who' else wh} is {{}} the {noun}"
    yield f"{wh} has {{}} as {some}"
    yield f"{wh} has {{}} as {noun}"
    yield f"which {nouns[0]} has {{}} as {some}"
    yield f"which {nouns[1]} have {{}} as {some}"
    yield f"which {nouns[1]} have {{}} as their {noun}"
    yield f"which {nouns[0]} is {{}} the {noun} of"
    yield f"which {nouns[1]} is {{}} the {noun} of"
    yield f"the {noun} of which {nouns[0]} is {{}}"


def _describe_whose(noun: str, nouns: Sequence[str]) -> _Texts:
    yield f"{nouns[1]} whose {noun} is {{}}"
    yield f"the {nouns[0]} whose {noun} is {{}}"
    yield f"{nouns[1]} that have {{}} as {noun}"
    yield f"{nouns[1]} that {{}} is the {noun} of"
    yield f"{nouns[1]} with {{}} as {noun}"


def _ask_compared(words: str, nouns: Sequence[str], wh: str) -> _Texts:
    yield f"{wh} is {words} {{}}"
    yield f"which {nouns[0]} is {words} {{}}"
    yield f"which {nouns[1]} are {words} {{}}"
    yield f"what {nouns[1]} are {words} {{}}"


def _describe_compared(words: str, nouns: Sequence[str]) -> _Texts:
    yield f"{nouns[1]} {words} {{}}"
    yield f"{nouns[1]} that are {words} {{}}"
    yield f"the {nouns[0]} {words} {{}}"
    yield f"everything {words} {{}}"


def _ask_comparing(words: str, nouns: Sequence[str], wh: str) -> _Texts:
    """Who is compared to somebody."""
    yield f"{wh} is {{}} {words}"
    yield f"which {nouns[0]} is {{}} {words}"
    yield f"which {nouns[1]} is {{}} {words}"
    yield f"what {nouns[1]} is {{}} {words}"


def _describe_comparing(words: str, nouns: Sequence[str]) -> _Texts:
    yield f"{nouns[1]} that {{}} is {words}"
    yield f"the {nouns[1]} which {{}} is {words}"
    yield f"everything that {{}} is {words}"


_NOUNS = (
    *map(LikeNoun.parse, LIKE_NOUNS),
    *(LikeNoun.parse(text, is_compared=True) for text in LIKE_COMPARISONS),
)
_WEIGHTS = [
    *[(1 - _COMPARED) / len(LIKE_NOUNS)] * len(LIKE_NOUNS),
    *[_COMPARED / len(LIKE_COMPARISONS)] * len(LIKE_COMPARISONS),
]


def draw_like_noun(choice: random.Random) -> LikeNoun:
    """One of the nouns or comparisons."""
    return choice.choices(_NOUNS, _WEIGHTS)[0]
