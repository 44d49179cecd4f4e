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

from trellis.lexicon.plurals import add_article, make_plural
from trellis.training.reader.like_verbs import call_kind

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


@dataclass(frozen=True, slots=True)
class _Forms:
    """Phrases for those of whom `said` is said with regard to `{}`: somebody's parents; and,
    turned, for those to whom `{}` is that: whose parent somebody is. `many`, `some`: the same in
    the plural, and with an article."""

    asks: tuple[str, ...]
    clauses: tuple[str, ...]
    turned_asks: tuple[str, ...]
    turned_clauses: tuple[str, ...]


_NOUN = _Forms(
    asks=(
        "{wh} is the {said} of {}",
        "{wh} is {}'s {said}",
        "{wh} are the {many} of {}",
        "{wh} are {}'s {many}",
        "{wh} is {some} of {}",
        "which {kind} is the {said} of {}",
        "which {kinds} are {many} of {}",
        "which {many} does {} have",
        "what {many} does {} have",
        "which {said} does {} have",
        "{wh} does {} have as {some}",
        "which {kinds} does {} have as {many}",
        "of {}, {wh} is the {said}",
    ),
    clauses=(
        "{many} of {}",
        "the {many} of {}",
        "{}'s {many}",
        "the {said} of {}",
        "{}'s {said}",
        "{kinds} that are {many} of {}",
        "{kinds} that {} has as {many}",
    ),
    turned_asks=(
        "{wh} is {} the {said} of",
        "{wh} is {} {some} of",
        "whose {said} is {}",
        "whose {said} might {} be",
        "{} is whose {said}",
        "of which {kinds} is {} the {said}",
        "of {whom} is {} the {said}",
        "{wh} has {} as {some}",
        "{wh} has {} as {said}",
        "which {kind} has {} as {some}",
        "which {kinds} have {} as {some}",
        "which {kinds} have {} as their {said}",
        "which {kind} is {} the {said} of",
        "which {kinds} is {} the {said} of",
        "the {said} of which {kind} is {}",
    ),
    turned_clauses=(
        "{kinds} whose {said} is {}",
        "the {kind} whose {said} is {}",
        "{kinds} that have {} as {said}",
        "{kinds} that {} is the {said} of",
        "{kinds} with {} as {said}",
    ),
)

_COMPARISON = _Forms(
    asks=(
        "{wh} is {said} {}",
        "which {kind} is {said} {}",
        "which {kinds} are {said} {}",
        "what {kinds} are {said} {}",
    ),
    clauses=(
        "{kinds} {said} {}",
        "{kinds} that are {said} {}",
        "the {kind} {said} {}",
        "everything {said} {}",
    ),
    turned_asks=(
        "{wh} is {} {said}",
        "which {kind} is {} {said}",
        "which {kinds} is {} {said}",
        "what {kinds} is {} {said}",
    ),
    turned_clauses=(
        "{kinds} that {} is {said}",
        "the {kinds} which {} is {said}",
        "everything that {} is {said}",
    ),
)


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
        does = self._say(self.words, self.other, kind)
        done = self._say(self.other, self.words, kind)
        return {**does, "back": done} if is_turned else {**done, "back": does}

    def _say(self, said: str, other: str, kind: str) -> Mapping[str, Any]:
        """Phrases for those of whom `said` is said, which have the other as `other`."""
        forms = _COMPARISON if self.is_compared else _NOUN
        asks = (*_write(forms.asks, said, kind), *_write(forms.turned_asks, other, kind))
        clauses = (*_write(forms.clauses, said, kind), *_write(forms.turned_clauses, other, kind))
        return {"wh": call_kind(kind)[0], "nouns": [], "asks": [*asks], "clauses": [*clauses]}


def _write(forms: Sequence[str], said: str, kind: str) -> Iterator[str]:
    """The phrases with these words; none where there are no words."""
    if not said:
        return
    wh, (one, several) = call_kind(kind)
    words = {"said": said, "many": make_plural(said), "some": add_article(said)}
    asked = {"wh": wh, "whom": "whom" if wh == "who" else wh, "kind": one, "kinds": several}
    yield from (form.format("{}", **words, **asked) for form in forms)


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
