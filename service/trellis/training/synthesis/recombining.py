"""New questions from given ones: their openings exchanged, and conditions put into one another.

`Which crimes | took place at v0` and `How many crimes | involve v0` lend each other what stands
before the bar; `Which crimes took place at v0 and involve v1` has both their conditions. `… of
people | named v0` and `Which people | live at v0` make `… of people who live at v0`: longer
questions than were given, in their own words. What is cut where is found by counting which
beginnings are shared.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.query import FORMS
from trellis.automata.cypher.returns import sort_words
from trellis.automata.cypher.wording import AND, ANOTHER, ARROWS
from trellis.domain.spans import FUNCTION_WORDS
from trellis.domain.value_index import alike
from trellis.steps.prompt import asked_in, asking
from trellis.training.examples import Example

_OPENING = range(2, 9)  # words
_SHARED = 3  # different conditions that an opening has to be seen with
_RELATIVES = ("who", "that", "which", "")
_TELLING = 0.9  # share of the questions with an opening that ask for the same
_EXCHANGED = 0.4
_BOTH = 0.3  # how often both conditions of two questions are tried first
_JOINTS = ("and", "and also", "that also", ", and")
_ARTICLES = ("a", "an", "the", "any", "some")
_BEFORE = (*_ARTICLES, "of", "with", "by", "to", "from", "for", "at", "in", "on")
_THOSE = ("the", "those", "")
_TRIES = 5
_NAME = re.compile(r"\bv(\d+)\b")

Moves = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Parts:
    """An example cut behind its opening: the words and moves before and behind the cut."""

    opening: tuple[str, ...]
    rest: tuple[str, ...]
    head: Moves
    body: Moves

    @property
    def label(self) -> str:
        return self.head[1]


class Recombining:
    """Draws new examples; equal seeds draw equal ones."""

    def __init__(self, examples: Sequence[Example], language: CypherLanguage, seed: int) -> None:
        self._random = random.Random(seed)
        wording = language.lexicon.wording
        self._types = {f" {t}{arrow}" for t in wording.types.values() for arrow in ARROWS.values()}
        self._sorts = set(sort_words(language.manner.limits))
        self._most = language.manner.nodes
        self._parts = list(_cut(examples, self._head))
        self._of: dict[str, list[_Parts]] = defaultdict(list)
        for parts in self._parts:
            self._of[parts.label].append(parts)

    def examples(self, count: int) -> tuple[Example, ...]:
        """Up to `count` different ones that were not given."""
        given = {(parts.head, parts.body) for parts in self._parts}
        found: dict[Example, None] = {}
        for _ in range(_TRIES * count if self._parts else 0):
            one = self._random.choice(self._parts)
            new = self._with_both(one) if self._random.random() < _BOTH else None
            new = new or self._longer(one) or one
            if new is one or self._random.random() < _EXCHANGED:
                new = self._exchanged(new)
            if (new.head, new.body) not in given:
                text = " ".join((*new.opening, *new.rest))
                found[Example(asking(text), (*new.head, *new.body))] = None
            if len(found) == count:
                break
        return tuple(found)

    def _exchanged(self, one: _Parts) -> _Parts:
        """The same conditions with another opening that ends in the same noun."""
        other = self._random.choice(self._of[one.label])
        fits = alike(other.opening[-1], one.opening[-1]) and not _names(other.opening)
        return _Parts(other.opening, one.rest, other.head, one.body) if fits else one

    def _with_both(self, one: _Parts) -> _Parts | None:
        """Its conditions and those of another question about the same kind of node, sorted as
        branches are: by relationship."""
        other = self._random.choice(self._of[one.label])
        at = self._edges(one)
        if not self._meet(one, other, at):
            return None
        before = len(_names((*one.opening, *one.rest)))
        first, second = sorted((one.body[at:], _shifted(other.body, before)))
        body = (*one.body[:at], *first, f" {AND}", one.label, *second)
        joint = self._random.choice(_JOINTS).split()
        said = " ".join(one.rest).rstrip(" ?.").split()
        rest = (*said, *joint, *_shifted(other.rest, before))
        return _Parts(one.opening, rest, one.head, body)

    def _meet(self, one: _Parts, other: _Parts, at: int) -> bool:
        """Whether both have relationships, of different types, that are all one branch."""
        branches = {f" {AND}", f" {ANOTHER}"} & {*one.body, *other.body}
        starts = one.body[at : at + 1], other.body[:1]
        return (
            not branches
            and all(start and start[0] in self._types for start in starts)
            and starts[0] != starts[1]
            and not _names(other.opening)
            and self._fits(one, other)
        )

    def _edges(self, one: _Parts) -> int:
        """Where the relationships begin: behind the conditions of the first node."""
        places = (i for i, move in enumerate(one.body) if move in self._types)
        return next(places, len(one.body))

    def _longer(self, one: _Parts) -> _Parts | None:
        """Its last node told by another question's conditions instead of by a value."""
        at = max((i for i, move in enumerate(one.body) if move in self._types), default=-1)
        if at < 0:
            return None
        options = self._of.get(one.body[at + 1])
        if not options:
            return None
        other = self._random.choice(options)
        kept = self._kept(one, other, at)
        if kept is None or not self._joins(one, other, at, kept):
            return None
        before = len(_names(kept))
        relative = self._random.choice(_RELATIVES)
        rest = (*kept, *filter(None, (relative, *_shifted(other.rest, before))))
        return _Parts(
            one.opening, rest, one.head, (*one.body[: at + 2], *_shifted(other.body, before))
        )

    def _kept(self, one: _Parts, other: _Parts, at: int) -> tuple[str, ...] | None:
        """The words up to the last node's noun, put in where its value stood alone at the end."""
        noun = other.opening[-1]
        place = _last(one.rest, noun)
        if place is not None:
            return one.rest[: place + 1]
        named = _names(one.body[at + 2 :])
        if noun in FUNCTION_WORDS:
            return None
        words = " ".join(one.rest).rstrip(" ?.").split()
        value = next((i for i, word in enumerate(words) if [word] == [f"v{n}" for n in named]), 0)
        alone = words[-1:] and words[-1].endswith(")") and "(" not in " ".join(words[value + 2 :])
        if not value or not alone or words[value - 1] not in _BEFORE:
            return None
        until = value - (words[value - 1] in _ARTICLES)
        return (*words[:until], *filter(None, (self._random.choice(_THOSE), noun)))

    def _joins(self, one: _Parts, other: _Parts, at: int, kept: Sequence[str]) -> bool:
        """Whether what is cut off is all that is said of the last node, and the rest fits."""
        cut, before = set(_names(one.body[at + 2 :])), set(_names(one.body[: at + 2]))
        told = set(_names(one.rest)) - set(_names(kept))
        plain = not {f" {AND}", f" {ANOTHER}"} & set(other.body) and not _names(other.opening)
        fits = plain and self._fits(one, other)
        return bool(cut) and cut == told and not cut & before and fits

    def _fits(self, one: _Parts, other: _Parts) -> bool:
        """Whether the nodes of both are no more than a pattern may have."""
        return sum(move in self._types for move in (*one.body, *other.body)) < self._most

    def _head(self, moves: Moves) -> int:
        """How many moves say what is asked for."""
        whole = {f" {form.word}" for form in FORMS if form.whole}
        count = 2 if moves[0] in whole else 3
        return count + 2 if moves[count : count + 1] and moves[count] in self._sorts else count


def _cut(examples: Sequence[Example], head: Callable[[Moves], int]) -> Iterator[_Parts]:
    """Examples cut behind the longest beginning that several with the same head share, and that
    hardly any with another head has: `Which crime` may be one that `… happened first`."""
    words_of = (tuple(asked_in(one.prompt).split()) for one in examples)
    read = [
        (said, e.segments, head(e.segments)) for said, e in zip(words_of, examples, strict=True)
    ]
    shared: dict[tuple[Moves, tuple[str, ...]], set[str]] = defaultdict(set)
    heads: dict[tuple[str, ...], Counter[Moves]] = defaultdict(Counter)
    for words, moves, at in read:
        for count in _OPENING:
            shared[moves[:at], words[:count]].update(moves[at : at + 1])
            heads[words[:count]][moves[:at]] += 1
    for words, moves, at in read:
        fitting = (
            n
            for n in reversed(_OPENING)
            if len(shared[moves[:at], words[:n]]) >= _SHARED
            and heads[words[:n]][moves[:at]] >= _TELLING * heads[words[:n]].total()
        )
        count = next(fitting, 0)
        if count and len(words) > count:
            yield _Parts(words[:count], words[count:], moves[:at], moves[at:])


def _last(words: Sequence[str], noun: str) -> int | None:
    """The last place of a noun, in the singular or the plural."""
    found = [at for at, word in enumerate(words) if word.isalpha() and alike(word, noun)]
    return found[-1] if found else None


def _names(texts: Sequence[str]) -> list[str]:
    return [found for text in texts for found in _NAME.findall(text)]


def _shifted(texts: Sequence[str], by: int) -> tuple[str, ...]:
    return tuple(_NAME.sub(lambda found: f"v{int(found[1]) + by}", text) for text in texts)
