"""New questions from given ones: openings and noun phrases exchanged, conditions put together.

`Which crimes | took place at v0` and `How many crimes | involve v0` lend each other what stands
before the bar; `Which crimes took place at v0 and involve v1` has both their conditions. `… of
| people named v0` and `Which people | live at v0` make `… of people who live at v0`: longer
questions than were given, in their own words. What is cut where is found by counting which
beginnings are shared, and which ends.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import TypedMove
from trellis.automata.cypher.wording import AND
from trellis.domain.prompt import Prompt
from trellis.linking.spans import FUNCTION_WORDS
from trellis.linking.value_index import has_same_stem
from trellis.steps.queries.query_prompt import build_masked_query_prompt
from trellis.training.examples import Example
from trellis.training.synthesis.noun_phrases import (
    ANYBODY,
    Moves,
    Phrase,
    Place,
    Whole,
    Words,
    find_places,
    has_branch,
    has_relationship,
    names_in,
    number_values,
    shift_moves,
    shift_words,
)
from trellis.training.synthesis.openings import Parts, find_openings

_PREPOSITIONS = ("with", "of", "in", "at", "on", "by", "from", "for", "to", "without")
_RELATIVES = ("who", "that", "which", "")
_TOLD_ANEW = 0.6  # how often a node at the end is told in other words
_BOTH = 0.3  # how often the conditions of another question are put beside
_EXCHANGED = 0.4
_BEFORE = 0.3  # how often these come first
_FILTERED = 0.25  # how often a node that is told by its relationships is given a value, too
_FAR = 100  # no question has as many values
_JOINTS = ("and", "and also", "that also", ", and", "that", "")
_TRIES = 5
_WORD = re.compile(r"v\d+ \([^)]*\)|\S+")  # a value with its kinds is one word


@dataclass(frozen=True, slots=True)
class _CutExample:
    """An example, where its opening ends, and the phrases that it may end in."""

    whole: Whole
    parts: Parts | None
    places: Sequence[Place]


class Recombining:
    """Draws new examples; equal seeds draw equal ones."""

    def __init__(
        self,
        examples: Sequence[Example],
        moves: Sequence[Moves],
        options: RenderingOptions,
        seed: int,
    ) -> None:
        """`moves`: those of each example's query."""
        self._random = random.Random(seed)
        self._most = options.nodes
        read = [(_words_of(one), of) for one, of in zip(examples, moves, strict=True)]
        cut = list(find_openings(read, _count_head_moves))
        self._nouns = ANYBODY | {parts.noun for parts in cut if parts and self._ends_in_noun(parts)}
        ends = find_places(read, self._nouns)
        known = [_cut_example(*each) for each in zip(read, cut, ends, strict=True)]
        self._known = [each for each in known if each.parts or each.places]
        self._given = {moves for _, moves in read}
        self._of: dict[TypedMove, list[Parts]] = defaultdict(list)
        self._phrases: dict[TypedMove, dict[Moves, list[Words]]] = defaultdict(dict)
        for each in self._known:
            self._learn_example(each)

    def draw_examples(self, count: int) -> tuple[Example, ...]:
        """Up to `count` different ones that were not given."""
        found: dict[Example, None] = {}
        for _ in range(_TRIES * count if self._known else 0):
            words, moves = self._rephrase(self._random.choice(self._known))
            if moves not in self._given:
                found[Example(_write_prompt(words), tuple(move.text for move in moves))] = None
            if len(found) == count:
                break
        return tuple(found)

    def _learn_example(self, each: _CutExample) -> None:
        """What it lends to others."""
        if each.parts:
            self._of[each.parts.label].append(each.parts)
            if self._can_lend(each.parts):
                of = self._phrases[each.parts.label]
                plain = each.parts.rest[0] in (*_PREPOSITIONS, *_RELATIVES)
                for relative in ("",) if plain else _RELATIVES:
                    said = (each.parts.noun, *filter(None, (relative,)), *each.parts.rest)
                    of.setdefault(each.parts.body, []).append(said)
        for place in each.places:
            of = self._phrases[place.label]
            of.setdefault(place.phrase.moves, []).append(place.phrase.words)

    def _can_lend(self, parts: Parts) -> bool:
        """Whether what it says of its answers may tell another question's node."""
        plain = not has_branch(parts.body) and not names_in(parts.opening)
        return plain and parts.noun in self._nouns

    def _ends_in_noun(self, parts: Parts) -> bool:
        """Not in a value, a function word, or the adjective of an extreme."""
        is_sorted = any(move.kind == "order" for move in parts.head)
        return not is_sorted and parts.noun.isalpha() and parts.noun not in FUNCTION_WORDS

    def _rephrase(self, one: _CutExample) -> Whole:
        """A question in other words; itself where nothing fits."""
        whole = one.whole
        if one.places and self._random.random() < _TOLD_ANEW:
            whole = self._told_anew(self._random.choice(one.places)) or whole
        parts = one.parts and one.parts.cut_again(whole)
        if parts and self._random.random() < _BOTH:
            parts = self._with_both(parts) or parts
        if parts and self._random.random() < _EXCHANGED:
            parts = self._exchange_opening(parts)
        return parts.whole if parts else whole

    def _told_anew(self, place: Place) -> Whole | None:
        """With other conditions for the node at its end."""
        phrase, other = self._draw_phrase(place.label), self._draw_phrase(place.label)
        if self._random.random() < _FILTERED:
            phrase = self._add_filter(phrase, other) or phrase
        if self._random.random() < _BOTH and _names_once(place):
            phrase = self._add_branch(phrase, other, place.label) or phrase
        new = place.fill_place(phrase)
        return new if self._is_small_enough(new[1]) else None

    def _draw_phrase(self, label: TypedMove) -> Phrase:
        """Any description of a node of a label, in any of its wordings."""
        of = self._phrases[label]
        moves = self._random.choice(list(of))
        return Phrase(self._random.choice(of[moves]), moves)

    def _add_filter(self, one: Phrase, other: Phrase) -> Phrase | None:
        """`People | who live at v0` and `someone | named v0`: `people named v0 who live at v1`."""
        at, cut = self._noun_of(one), self._noun_of(other)
        related = has_relationship(one.moves[:1])
        if not at or not cut or not related or has_relationship(other.moves):
            return None
        words = (*one.words[:at], *other.words[cut:])
        words = (*words, *shift_words(one.words[at:], _FAR))
        return Phrase(*number_values(words, (*other.moves, *shift_moves(one.moves, _FAR))))

    def _add_branch(self, one: Phrase, other: Phrase, label: TypedMove) -> Phrase | None:
        """`A crime | in v0` and `crimes | that involve v0`: `a crime in v0 that involves v1`."""
        at, cut = _find_edges(one.moves), self._noun_of(other)
        if not cut or not self._can_meet(one.moves, other.moves, at) or at == len(one.moves):
            return None
        words = (*one.words, *self._join_conditions(), *shift_words(other.words[cut:], _FAR))
        moves = _lay_beside(one.moves, shift_moves(other.moves, _FAR), at, label)
        return Phrase(*number_values(words, moves))

    def _noun_of(self, phrase: Phrase) -> int:
        """Where the words behind the noun that it begins with are; 0 where they begin otherwise."""
        found = (at + 1 for at, word in enumerate(phrase.words[:2]) if word in self._nouns)
        return next(found, 0)

    def _exchange_opening(self, one: Parts) -> Parts:
        """The same conditions with another opening that ends in the same noun."""
        other = self._random.choice(self._of[one.label])
        fits = has_same_stem(other.noun, one.noun) and not names_in(other.opening)
        return Parts(other.opening, one.rest, other.head, one.body) if fits else one

    def _with_both(self, one: Parts) -> Parts | None:
        """Its conditions and those of another question about the same kind of node."""
        other = self._random.choice(self._of[one.label])
        at = _find_edges(one.body)
        if names_in(other.opening) or not self._can_meet(one.body, other.body, at):
            return None
        body = _lay_beside(one.body, shift_moves(other.body, _FAR), at, one.label)
        rests = [one.rest, shift_words(other.rest, _FAR)]
        if self._random.random() < _BEFORE:
            rests.reverse()
        words = (*one.opening, *rests[0], *self._join_conditions(), *rests[1])
        return one.cut_again(number_values(words, (*one.head, *body)))

    def _join_conditions(self) -> Words:
        return tuple(self._random.choice(_JOINTS).split())

    def _can_meet(self, one: Moves, other: Moves, at: int) -> bool:
        """Whether both have relationships, of different types, that are all one branch; or the
        first has none."""
        return (
            not has_branch((*one, *other))
            and has_relationship(other[:1])
            and one[at : at + 1] != other[:1]
            and self._is_small_enough((*one, *other))
        )

    def _is_small_enough(self, moves: Moves) -> bool:
        """Whether it has no more nodes than a pattern may have."""
        return sum(move.kind == "relationship" for move in moves) < self._most


def _count_head_moves(moves: Moves) -> int:
    """How many moves say what is asked for: a form, a label, its property, and their order."""
    kinds = [move.kind for move in moves]
    count = 3 if kinds[2:3] == ["property"] else 2
    return count + 2 if kinds[count : count + 1] == ["order"] else count


def _find_edges(moves: Moves) -> int:
    """Where the relationships begin: behind the conditions of the node."""
    kinds = [move.kind for move in moves]
    return kinds.index("relationship") if "relationship" in kinds else len(kinds)


def _names_once(place: Place) -> bool:
    """Whether no other node before the phrase is called as its own."""
    return sum(move.text == place.label.text for move in place.before) == 1


def _lay_beside(one: Moves, other: Moves, at: int, label: TypedMove) -> Moves:
    """A node's description, its relationships from `at` on, and another's relationships beside
    them, sorted as branches are: by relationship."""
    if at == len(one):
        return (*one, *other)
    first, second = sorted((one[at:], other))
    branch = (TypedMove(f" {AND}", "branch"), TypedMove(label.text, "node"))
    return (*one[:at], *first, *branch, *second)


def _cut_example(whole: Whole, parts: Parts | None, ends: Sequence[Place]) -> _CutExample:
    opened = len(parts.opening) if parts else 0
    return _CutExample(whole, parts, [place for place in ends if len(place.words) >= opened])


def _words_of(example: Example) -> Words:
    """Its question's words, without what ends a question."""
    words = tuple(_WORD.findall(example.prompt.question))
    return tuple(filter(None, (*words[:-1], words[-1].rstrip("?.")))) if words else ()


def _write_prompt(words: Words) -> Prompt:
    apart = " " if words[-1].endswith(")") else ""
    return build_masked_query_prompt(f"{' '.join(words)}{apart}?")
