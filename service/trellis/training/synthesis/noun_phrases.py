"""Finds the words at the end of a question that describe a node of its query.

`… crimes involving | a friend of v0` and `… phone of | a friend of v0` end in the same words, and
their queries have `friend … v0` behind a person in common. So these words describe that person, and
can replace the description of a person at the end of another question. They are found by counting.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

from trellis.automata.cypher.state import TypedMove
from trellis.training.synthesis.whole import (
    Moves,
    QuestionQueryPair,
    Words,
    list_names,
    list_values,
    number_words,
    rename_moves,
    shift_moves,
    shift_words,
)

_SHARED = 2  # questions, or different relationships, that a phrase occurs with at least
_TELLING = 0.9  # share of the questions with a phrase that have what it describes, at least
_OF_ONE_KIND = 0.7  # share of the phrases with a first word that describe one label, at least
_ARTICLES = frozenset(("a", "an", "the", "any", "some", "another", "those"))
ANYBODY = frozenset(("someone", "somebody", "anyone", "anybody", "everyone", "something"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that describe a node, and the moves behind its label; values are numbered from v0."""

    words: Words
    moves: Moves


@dataclass(frozen=True, slots=True)
class Place:
    """A question that ends in a phrase, without this phrase.

    `words`: those before the phrase. `before`: the moves up to the label of the phrase's node.
    `behind`: the moves behind the description of the node.
    """

    words: Words
    before: Moves
    behind: Moves
    phrase: Phrase

    @property
    def label(self) -> TypedMove:
        return self.before[-1]

    def fill_place(self, phrase: Phrase) -> QuestionQueryPair:
        """The question and its query with another phrase for the node."""
        count = len(set(list_names(self.words)))
        words, moves = shift_words(phrase.words, count), shift_moves(phrase.moves, count)
        return (*self.words, *words), (*self.before, *moves, *self.behind)


def find_places(questions: Sequence[QuestionQueryPair], nouns: Set[str]) -> list[list[Place]]:
    """For each question, its places: one for each node that a phrase at its end describes.

    `nouns`: the words with which a phrase may begin, beside articles.
    """
    nodes = [list(_find_descriptions(moves)) for _, moves in questions]
    starts = [
        [at for at, word in enumerate(words) if at and (word in _ARTICLES or word in nouns)]
        for words, _ in questions
    ]
    statistics = _collect_statistics(questions, nodes, starts)

    def list_all_places(kinds: _Kinds | None) -> list[list[Place]]:
        return [
            list(_list_places(*whole, its_nodes, its_starts, statistics, kinds))
            for whole, its_nodes, its_starts in zip(questions, nodes, starts, strict=True)
        ]

    return list_all_places(_learn_first_words(chain.from_iterable(list_all_places(None))))


_Node = tuple[int, int]
"""Where the description of a node begins and ends in a query's moves."""

_Kinds = Mapping[str, Set[TypedMove]]
"""By the first word of a phrase, the labels of the nodes that it may describe."""


class _PhraseStatistics:
    """Counts how often questions end in a phrase, and which descriptions their queries have.

    `_relationships`: for a phrase and a description, the relationship to each such node.
    `_leading`: for a label, all relationships to its nodes.
    """

    def __init__(self) -> None:
        self._counts: Counter[Words] = Counter()
        self._relationships: dict[tuple[Words, Moves], list[TypedMove]] = defaultdict(list)
        self._leading: dict[TypedMove, set[TypedMove]] = defaultdict(set)

    def count_question(self, phrase: Words, descriptions: Mapping[Moves, TypedMove]) -> None:
        """Count a question that ends in a phrase.

        `descriptions`: those of its query's nodes, label first, with the relationship to each.
        """
        self._counts[phrase] += 1
        for description, relationship in descriptions.items():
            self._relationships[phrase, description].append(relationship)
            self._leading[description[0]].add(relationship)

    def is_telling(self, phrase: Words, description: Moves) -> bool:
        """Whether a phrase describes a node: nearly all questions with it have the description.

        If several relationships lead to nodes of the label, it has to occur behind different ones,
        because a phrase that occurs behind one alone may express the relationship, too.
        """
        relationships = self._relationships.get((phrase, description), ())
        are_several = len(self._leading[description[0]]) > 1
        support = len(set(relationships)) if are_several else len(relationships)
        return support >= _SHARED and len(relationships) >= _TELLING * self._counts[phrase]


def _find_descriptions(moves: Moves) -> Iterator[_Node]:
    """The nodes that a relationship leads to; a description ends where the next branch begins."""
    branches = [index for index, move in enumerate(moves) if move.kind == "branch"]
    for index, move in enumerate(moves):
        if move.kind == "relationship":
            yield index + 2, next((end for end in branches if end > index), len(moves))


def _collect_statistics(
    questions: Sequence[QuestionQueryPair],
    nodes: Sequence[Sequence[_Node]],
    starts: Sequence[Sequence[int]],
) -> _PhraseStatistics:
    """Counts of all endings of the questions that may be phrases."""
    statistics = _PhraseStatistics()
    for (words, moves), its_nodes, its_starts in zip(questions, nodes, starts, strict=True):
        for start in its_starts:
            phrase, numbers = number_words(words[start:])
            descriptions = {
                _rename_node(moves, node, numbers): moves[node[0] - 2] for node in its_nodes
            }
            statistics.count_question(
                phrase, {moves: move for moves, move in descriptions.items() if moves}
            )
    return statistics


def _list_places(
    words: Words,
    moves: Moves,
    nodes: Sequence[_Node],
    starts: Sequence[int],
    statistics: _PhraseStatistics,
    kinds: _Kinds | None,
) -> Iterator[Place]:
    """The places of a question, from the last node of its query to the first.

    The phrase of the last node is the shortest, and that of a node before it begins earlier. Where
    `kinds` are given, the first word of a phrase has to fit the label of its node.
    """
    latest_starts: dict[int, int] = {}
    for begin, end in reversed(nodes):
        fitting = [
            start
            for start in starts
            if start < latest_starts.get(end, len(words))
            and (kinds is None or moves[begin - 1] in kinds[_find_first_word(words[start:])])
        ]
        start = _find_start(words, moves, (begin, end), fitting, statistics)
        if start:
            latest_starts[end] = start
            numbered, numbers = number_words(words[start:])
            phrase = Phrase(numbered, rename_moves(moves[begin:end], numbers))
            yield Place(words[:start], moves[:begin], moves[end:], phrase)


def _find_start(
    words: Words, moves: Moves, node: _Node, starts: Sequence[int], statistics: _PhraseStatistics
) -> int:
    """Where the shortest phrase that describes a node begins, with its article; 0 if none does."""
    for start in reversed(starts):
        phrase, numbers = number_words(words[start:])
        description = _rename_node(moves, node, numbers)
        if description and statistics.is_telling(phrase, description):
            return start - (start > 1 and words[start - 1] in _ARTICLES)
    return 0


def _learn_first_words(places: Iterable[Place]) -> _Kinds:
    """For each first word of phrases, the label whose nodes most of these describe, if any."""
    labels: dict[str, Counter[TypedMove]] = defaultdict(Counter)
    for place in places:
        labels[_find_first_word(place.phrase.words)][place.label] += 1
    usual: dict[str, frozenset[TypedMove]] = defaultdict(frozenset)
    for word, counts in labels.items():
        least = _OF_ONE_KIND * counts.total()
        usual[word] = frozenset(label for label, count in counts.items() if count >= least)
    return usual


def _find_first_word(words: Words) -> str:
    """The first word behind the article."""
    return next((word for word in words if word not in _ARTICLES), "")


def _rename_node(moves: Moves, node: _Node, numbers: Mapping[str, str]) -> Moves | None:
    """A node's label and description, with the values numbered as in a phrase.

    `numbers`: the new number of each value in the phrase. None where the phrase has other values
    than the description, or where other parts of the query have one of them, too.
    """
    begin, end = node
    others = list_values((*moves[:begin], *moves[end:]))
    if set(list_values(moves[begin:end])) != set(numbers) or set(others) & set(numbers):
        return None
    return rename_moves(moves[begin - 1 : end], numbers)
