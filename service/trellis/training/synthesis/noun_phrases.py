"""Which words of a question describe which node of its query, found by counting what ends alike.

Where `… crimes involving | a friend of v0` and `… phone of | a friend of v0` end alike, their
queries have `friend … v0` behind a person in common: these words tell that person, and may be said
wherever a question ends in a person told in other words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from trellis.automata.cypher.state import TypedMove

_SHARED = 2  # questions, or relationships where there are several, that a phrase is seen with
_TELLING = 0.9  # share of the questions that end in a phrase that have what it tells
_OF_ONE_KIND = 0.7  # share of the phrases with a first word that tell nodes of one label
_ARTICLES = frozenset(("a", "an", "the", "any", "some", "another", "those"))
ANYBODY = frozenset(("someone", "somebody", "anyone", "anybody", "everyone", "something"))
_NAME = re.compile(r"\bv(\d+)\b")

Moves = tuple[TypedMove, ...]
Words = tuple[str, ...]
Whole = tuple[Words, Moves]
"""A question, and the query that it asks for."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that describe a node, and the moves behind its label; values numbered from v0 on."""

    words: Words
    moves: Moves


@dataclass(frozen=True, slots=True)
class Place:
    """A question without the phrase at its end: the words before it, the moves up to its node's
    label, and those behind its description."""

    words: Words
    before: Moves
    behind: Moves
    phrase: Phrase

    @property
    def label(self) -> TypedMove:
        return self.before[-1]

    def fill_place(self, phrase: Phrase) -> Whole:
        """The question and the query with another phrase for the node."""
        count = len(set(names_in(self.words)))
        said, moves = shift_words(phrase.words, count), shift_moves(phrase.moves, count)
        return (*self.words, *said), (*self.before, *moves, *self.behind)


def find_places(read: Sequence[Whole], nouns: Set[str]) -> list[list[Place]]:
    """For each question and its query the phrases that it may end in, by node.

    `nouns`: what else than an article may begin a phrase.
    """
    nodes = [list(_find_descriptions(moves)) for _, moves in read]
    begins = [
        [at for at in range(1, len(words)) if _begins_phrase(words[at], nouns)] for words, _ in read
    ]
    told = _collect_statistics(read, nodes, begins)

    def found(kinds: _Kinds | None) -> list[list[Place]]:
        return [
            list(_list_places(words, moves, of, starts, told, kinds))
            for (words, moves), of, starts in zip(read, nodes, begins, strict=True)
        ]

    return found(_learn_first_words(chain.from_iterable(found(None))))


def names_in(texts: Iterable[str]) -> list[str]:
    """The numbers of the values that some texts name."""
    return [found for text in texts for found in _NAME.findall(text)]


def values_in(moves: Iterable[TypedMove]) -> list[str]:
    """The numbers of the values that some moves say."""
    return names_in(move.text for move in moves if move.kind == "value")


def shift_words(words: Iterable[str], by: int) -> Words:
    """Words with the numbers of their values raised."""
    return tuple(_NAME.sub(lambda found: f"v{int(found[1]) + by}", word) for word in words)


def shift_moves(moves: Iterable[TypedMove], by: int) -> Moves:
    """Moves with the numbers of their values raised."""
    return _change_values(moves, lambda text: shift_words((text,), by)[0])


def has_branch(moves: Iterable[TypedMove]) -> bool:
    """Whether some moves begin a branch."""
    return any(move.kind == "branch" for move in moves)


def has_relationship(moves: Iterable[TypedMove]) -> bool:
    """Whether some moves say a relationship."""
    return any(move.kind == "relationship" for move in moves)


def number_values(words: Words, moves: Moves) -> Whole:
    """A question and its query with the values numbered in the order of the text."""
    said, renamed = _number_words(words)
    return said, _rename_moves(moves, renamed)


_Node = tuple[int, int]  # where a description begins, and ends
_Kinds = Mapping[
    str, Set[TypedMove]
]  # the labels of nodes that a phrase with this first word may tell


class _PhraseStatistics:
    """What comes with each phrase that questions end in: behind which relationships which
    description, and how often the phrase was seen."""

    def __init__(self) -> None:
        self._often: Counter[Words] = Counter()
        self._ways: dict[tuple[Words, Moves], list[TypedMove]] = defaultdict(list)
        self._to: dict[TypedMove, set[TypedMove]] = defaultdict(set)

    def count_question(self, phrase: Words, descriptions: Mapping[Moves, TypedMove]) -> None:
        """One more question that ends in it; `descriptions` with the relationship to each."""
        self._often[phrase] += 1
        for description, way in descriptions.items():
            self._ways[phrase, description].append(way)
            self._to[description[0]].add(way)

    def is_telling(self, phrase: Words, description: Moves) -> bool:
        """Whether it nearly always comes with the description, and behind different relationships
        if several lead to such nodes: what comes behind one alone may tell that, too."""
        ways = self._ways.get((phrase, description), ())
        several = len(self._to[description[0]]) > 1
        seen = len(set(ways)) if several else len(ways)
        return seen >= _SHARED and len(ways) >= _TELLING * self._often[phrase]


def _find_descriptions(moves: Moves) -> Iterator[_Node]:
    """Where the descriptions of nodes are that a relationship leads to, up to the next branch."""
    ends = [at for at, move in enumerate(moves) if move.kind == "branch"]
    for at, move in enumerate(moves):
        if move.kind == "relationship":
            yield at + 2, next((end for end in ends if end > at), len(moves))


def _begins_phrase(word: str, nouns: Set[str]) -> bool:
    return word in _ARTICLES or word in nouns


def _collect_statistics(
    read: Sequence[Whole],
    nodes: Sequence[Sequence[_Node]],
    begins: Sequence[Sequence[int]],
) -> _PhraseStatistics:
    told = _PhraseStatistics()
    for (words, moves), of, starts in zip(read, nodes, begins, strict=True):
        for start in starts:
            key, renamed = _number_words(words[start:])
            found = {_rename_node(moves, node, renamed): moves[node[0] - 2] for node in of}
            told.count_question(key, {those: way for those, way in found.items() if those})
    return told


def _list_places(
    words: Words,
    moves: Moves,
    nodes: Sequence[_Node],
    starts: Sequence[int],
    told: _PhraseStatistics,
    kinds: _Kinds | None,
) -> Iterator[Place]:
    """The question around each phrase that tells a node: the last node's is the shortest, that of
    a node before it begins further ahead. The first word of each fits the node, by `kinds`."""
    before: dict[int, int] = {}
    for begin, end in reversed(nodes):
        fitting = [
            at
            for at in starts
            if at < before.get(end, len(words))
            and (kinds is None or moves[begin - 1] in kinds[_first_word(words[at:])])
        ]
        start = _find_start(words, moves, (begin, end), fitting, told)
        if start:
            before[end] = start
            said, renamed = _number_words(words[start:])
            phrase = Phrase(said, _rename_moves(moves[begin:end], renamed))
            yield Place(words[:start], moves[:begin], moves[end:], phrase)


def _find_start(
    words: Words, moves: Moves, node: _Node, starts: Sequence[int], told: _PhraseStatistics
) -> int:
    """Where the shortest phrase begins that tells a node, its article included; 0 if none does."""
    for start in reversed(starts):
        key, renamed = _number_words(words[start:])
        found = _rename_node(moves, node, renamed)
        if found and told.is_telling(key, found):
            return start - (start > 1 and words[start - 1] in _ARTICLES)
    return 0


def _learn_first_words(found: Iterable[Place]) -> _Kinds:
    """For each first word of phrases the label whose nodes most of them tell, if there is one."""
    labels: dict[str, Counter[TypedMove]] = defaultdict(Counter)
    for place in found:
        labels[_first_word(place.phrase.words)][place.label] += 1
    return defaultdict(
        frozenset,
        {
            word: frozenset(label for label, n in of.items() if n >= _OF_ONE_KIND * of.total())
            for word, of in labels.items()
        },
    )


def _first_word(words: Words) -> str:
    """The first word behind the article."""
    return next((word for word in words if word not in _ARTICLES), "")


def _rename_node(moves: Moves, node: _Node, renamed: Mapping[str, str]) -> Moves | None:
    """A node's label and description in the names of a phrase; None where the phrase does not say
    just its values, or other nodes have them too."""
    begin, end = node
    others = values_in((*moves[:begin], *moves[end:]))
    if set(values_in(moves[begin:end])) != set(renamed) or set(others) & set(renamed):
        return None
    return _rename_moves(moves[begin - 1 : end], renamed)


def _number_words(words: Words) -> tuple[Words, Mapping[str, str]]:
    """Words with their values numbered from v0 on, and the new number of each."""
    renamed: dict[str, str] = {}
    for name in names_in(words):
        renamed.setdefault(name, str(len(renamed)))
    return _rename_words(words, renamed), renamed


def _rename_words(words: Iterable[str], to: Mapping[str, str]) -> Words:
    return tuple(_NAME.sub(lambda found: f"v{to[found[1]]}", word) for word in words)


def _rename_moves(moves: Iterable[TypedMove], to: Mapping[str, str]) -> Moves:
    """The values that have no new number keep theirs."""
    renamed = partial(_NAME.sub, lambda found: f"v{to.get(found[1], found[1])}")
    return _change_values(moves, renamed)


def _change_values(moves: Iterable[TypedMove], change: Callable[[str], str]) -> Moves:
    """Moves, of which those that say a value say another."""
    return tuple(
        replace(move, text=change(move.text)) if move.kind == "value" else move for move in moves
    )
