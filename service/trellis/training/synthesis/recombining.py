"""Makes new questions from given ones, in their own words, and often longer ones.

`Which crimes | took place at v0` and `How many crimes | involve v0` can exchange the words before
the bar, and `Which crimes took place at v0 and involve v1` has the conditions of both. `… of |
people named v0` and `Which people | live at v0` give `… of people who live at v0`. Questions are
cut at openings and noun phrases, which are found by counting.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import TypedMove
from trellis.domain.models.prompt import Prompt
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.retrieve.queries.query_prompt import build_masked_query_prompt
from trellis.training.examples import Example
from trellis.training.synthesis.noun_phrases import ANYBODY, Phrase, Place, find_places
from trellis.training.synthesis.openings import Parts, find_openings
from trellis.training.synthesis.whole import (
    Moves,
    QuestionQueryPair,
    Words,
    count_head_moves,
    find_edges,
    has_branch,
    has_relationship,
    join_branches,
    list_names,
    number_values,
    shift_moves,
    shift_words,
)

_PREPOSITIONS = ("with", "of", "in", "at", "on", "by", "from", "for", "to", "without")
_RELATIVES = ("who", "that", "which", "")
_REDESCRIBED = 0.6  # probability of another description of a node at the end
_BOTH = 0.3  # probability of adding the conditions of another question
_EXCHANGED = 0.4  # probability of another opening
_BEFORE = 0.3  # probability that added conditions come first
_FILTERED = 0.25  # probability of a value for a node that is described by its relationships
_FAR = 100  # more values than any question has
_JOINTS = ("and", "and also", "that also", ", and", "that", "")
_TRIES = 5  # questions that are drawn for each one that is asked for
_WORD = re.compile(r"v\d+ \([^)]*\)|\S+")  # a value with its kinds is one word


@dataclass(frozen=True, slots=True)
class _CutExample:
    """An example, its parts where it has an opening, and the places for phrases at its end."""

    whole: QuestionQueryPair
    parts: Parts | None
    places: Sequence[Place]


class Recombiner:
    """Draws new examples. Equal seeds give equal examples."""

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
        wholes = [
            (_split_words(example), its_moves)
            for example, its_moves in zip(examples, moves, strict=True)
        ]
        openings = list(find_openings(wholes, count_head_moves))
        self._nouns = ANYBODY | {parts.noun for parts in openings if parts and _ends_in_noun(parts)}
        places = find_places(wholes, self._nouns)
        cut_examples = map(_cut_example, wholes, openings, places)
        self._known = [example for example in cut_examples if example.parts or example.places]
        self._given = {moves for _, moves in wholes}
        self._parts: dict[TypedMove, list[Parts]] = defaultdict(list)  # by label, as below
        self._phrases: dict[TypedMove, dict[Moves, list[Words]]] = defaultdict(dict)
        for example in self._known:
            self._learn_example(example)

    def draw_examples(self, count: int) -> tuple[Example, ...]:
        """Up to `count` different examples, none of whose queries was given."""
        drawn: dict[Example, None] = {}
        for _ in range(_TRIES * count if self._known else 0):
            words, moves = self._rephrase_example(self._random.choice(self._known))
            if moves not in self._given:
                drawn[Example(_write_prompt(words), tuple(move.text for move in moves))] = None
            if len(drawn) == count:
                break
        return tuple(drawn)

    def _learn_example(self, example: _CutExample) -> None:
        """Keep the parts and phrases of an example, for use in others."""
        if example.parts:
            self._parts[example.parts.label].append(example.parts)
            if self._can_describe_node(example.parts):
                self._learn_conditions(example.parts)
        for place in example.places:
            phrases = self._phrases[place.label]
            phrases.setdefault(place.phrase.moves, []).append(place.phrase.words)

    def _learn_conditions(self, parts: Parts) -> None:
        """Keep the conditions of a question's answers as phrases for other questions' nodes."""
        needs_relative = parts.rest[0] not in (*_PREPOSITIONS, *_RELATIVES)
        for relative in _RELATIVES if needs_relative else ("",):
            words = (parts.noun, *filter(None, (relative,)), *parts.rest)
            self._phrases[parts.label].setdefault(parts.body, []).append(words)

    def _can_describe_node(self, parts: Parts) -> bool:
        """Whether the conditions of a question's answers can describe a node of another one."""
        is_plain = not has_branch(parts.body) and not list_names(parts.opening)
        return is_plain and parts.noun in self._nouns

    def _rephrase_example(self, example: _CutExample) -> QuestionQueryPair:
        """A new question made from an example; the example itself where nothing fits."""
        whole = example.whole
        if example.places and self._random.random() < _REDESCRIBED:
            whole = self._describe_anew(self._random.choice(example.places)) or whole
        parts = example.parts and example.parts.cut_again(whole)
        if parts and self._random.random() < _BOTH:
            parts = self._add_conditions(parts) or parts
        if parts and self._random.random() < _EXCHANGED:
            parts = self._exchange_opening(parts)
        return parts.whole if parts else whole

    def _describe_anew(self, place: Place) -> QuestionQueryPair | None:
        """A question with another phrase at its end; None where its pattern grows too large."""
        phrase, other = self._draw_phrase(place.label), self._draw_phrase(place.label)
        if self._random.random() < _FILTERED:
            phrase = self._add_filter(phrase, other) or phrase
        if self._random.random() < _BOTH and _has_only_label(place):
            phrase = self._add_branch(phrase, other, place.label) or phrase
        whole = place.fill_place(phrase)
        return whole if self._is_small_enough(whole[1]) else None

    def _draw_phrase(self, label: TypedMove) -> Phrase:
        """A random description of a node of a label, in one of its wordings."""
        phrases = self._phrases[label]
        moves = self._random.choice(list(phrases))
        return Phrase(self._random.choice(phrases[moves]), moves)

    def _add_filter(self, phrase: Phrase, other: Phrase) -> Phrase | None:
        """A phrase with the value of another phrase, which comes first.

        `people | who live at v0` and `someone | named v0` give `people named v0 who live at v1`.
        None where they do not fit.
        """
        end, other_end = self._find_noun_end(phrase), self._find_noun_end(other)
        is_related = has_relationship(phrase.moves[:1])
        if not end or not other_end or not is_related or has_relationship(other.moves):
            return None
        words = (*phrase.words[:end], *other.words[other_end:])
        words = (*words, *shift_words(phrase.words[end:], _FAR))
        return Phrase(*number_values(words, (*other.moves, *shift_moves(phrase.moves, _FAR))))

    def _add_branch(self, phrase: Phrase, other: Phrase, label: TypedMove) -> Phrase | None:
        """A phrase with the relationships of another phrase.

        `a crime | in v0` and `crimes | that involve v0` give `a crime in v0 that involve v1`. None
        where they do not fit.
        """
        split, noun_end = find_edges(phrase.moves), self._find_noun_end(other)
        if not noun_end or not self._can_join(phrase.moves, other.moves, split):
            return None
        if split == len(phrase.moves):
            return None
        rest = shift_words(other.words[noun_end:], _FAR)
        words = (*phrase.words, *self._draw_joint(), *rest)
        moves = join_branches(phrase.moves, shift_moves(other.moves, _FAR), split, label)
        return Phrase(*number_values(words, moves))

    def _find_noun_end(self, phrase: Phrase) -> int:
        """The number of words up to the noun that a phrase begins with; 0 where it has none."""
        ends = (end for end, word in enumerate(phrase.words[:2], 1) if word in self._nouns)
        return next(ends, 0)

    def _exchange_opening(self, parts: Parts) -> Parts:
        """The same conditions with another opening that ends in the same noun."""
        other = self._random.choice(self._parts[parts.label])
        fits = has_same_stem(other.noun, parts.noun) and not list_names(other.opening)
        return Parts(other.opening, parts.rest, other.head, parts.body) if fits else parts

    def _add_conditions(self, parts: Parts) -> Parts | None:
        """A question with the conditions of another one about the same label, too."""
        other = self._random.choice(self._parts[parts.label])
        split = find_edges(parts.body)
        if list_names(other.opening) or not self._can_join(parts.body, other.body, split):
            return None
        body = join_branches(parts.body, shift_moves(other.body, _FAR), split, parts.label)
        rests = [parts.rest, shift_words(other.rest, _FAR)]
        if self._random.random() < _BEFORE:
            rests.reverse()
        words = (*parts.opening, *rests[0], *self._draw_joint(), *rests[1])
        return parts.cut_again(number_values(words, (*parts.head, *body)))

    def _draw_joint(self) -> Words:
        return tuple(self._random.choice(_JOINTS).split())

    def _can_join(self, moves: Moves, other: Moves, split: int) -> bool:
        """Whether the relationships of two descriptions can stand side by side.

        Neither has branches, the second begins with a relationship, and the first does not begin
        its relationships, at `split`, with the same one.
        """
        return (
            not has_branch((*moves, *other))
            and has_relationship(other[:1])
            and moves[split : split + 1] != other[:1]
            and self._is_small_enough((*moves, *other))
        )

    def _is_small_enough(self, moves: Moves) -> bool:
        """Whether a query has no more nodes than a pattern may have."""
        return sum(move.kind == "relationship" for move in moves) < self._most


def _has_only_label(place: Place) -> bool:
    """Whether no other node before the phrase has the label of the phrase's node."""
    return sum(move.text == place.label.text for move in place.before) == 1


def _ends_in_noun(parts: Parts) -> bool:
    """Whether an opening ends in a noun: in no value, function word, or superlative."""
    is_sorted = any(move.kind == "order" for move in parts.head)
    return not is_sorted and parts.noun.isalpha() and parts.noun not in FUNCTION_WORDS


def _cut_example(
    whole: QuestionQueryPair, parts: Parts | None, places: Sequence[Place]
) -> _CutExample:
    """A cut example with the places whose phrases begin behind its opening."""
    least = len(parts.opening) if parts else 0
    return _CutExample(whole, parts, [place for place in places if len(place.words) >= least])


def _split_words(example: Example) -> Words:
    """The words of an example's question, without the mark at its end."""
    words = tuple(_WORD.findall(example.prompt.question))
    return tuple(filter(None, (*words[:-1], words[-1].rstrip("?.")))) if words else ()


def _write_prompt(words: Words) -> Prompt:
    space = " " if words[-1].endswith(")") else ""
    return build_masked_query_prompt(f"{' '.join(words)}{space}?")
