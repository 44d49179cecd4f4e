"""Patterns and assertions by the walks that they tell, which is what the reader has learnt to say.

What a question means is said as paths over the live schema, from its mentions to the node that is
asked for, and written in the words of the language: its triples are the steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.assertions.writing import number_entities, write_decomposition
from trellis.automata.language import MoveId
from trellis.automata.paths.walk_states import WalkState
from trellis.automata.paths.walks import Walks
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.order import put_in_order
from trellis.automata.patterns.writing import write_pattern
from trellis.domain.graphs.graph import RelationPath
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.structures.decompositions import Assertion, Decomposition
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
)

Edge = tuple[int, str, int]
"""A relation from one node to another one, by their numbers: the mentions, the node that is asked
for, and those between."""


class WalkSentences(ABC):
    """The sentences of a language over `mentions` mentions that tell `walks`, of at most
    `most_steps` steps together."""

    def __init__(self, walks: Walks, mentions: int, most_steps: int) -> None:
        self.walks = walks
        self.mentions = mentions
        self._most_steps = most_steps

    def start(self) -> WalkState:
        return self.walks.start()

    def list_excluded_moves(self, state: WalkState) -> Collection[MoveId]:
        return self.walks.list_excluded_moves(state)

    def follow(self, state: WalkState, move: MoveId) -> WalkState | None:
        return self.walks.follow(state, move)

    def accepting(self, state: WalkState) -> bool:
        if not self.walks.accepting(state):
            return False
        return sum(len(path.steps) for path in self._list_paths(state)) <= self._most_steps

    def reserve(self, state: WalkState) -> tuple[int, int]:
        return self.walks.reserve(state)

    @abstractmethod
    def values(self, state: WalkState) -> tuple[Any, ...]: ...

    @abstractmethod
    def text(self, state: WalkState) -> str: ...

    def _list_paths(self, state: WalkState) -> Sequence[RelationPath]:
        [query] = self.walks.values(state)
        return query.paths

    def _list_edges(self, state: WalkState) -> list[Edge]:
        """What the walks say, each edge but the first having a node of those before it: the first
        walk from its start on, and those that meet it from there back."""
        edges, between = list[Edge](), self.mentions + 1
        for number, path in enumerate(self._list_paths(state)):
            inner = range(between, between + len(path.steps) - 1)
            between += len(inner)
            told = list(_iterate_edges(path, (path.mention, *inner, self.mentions)))
            edges += reversed(told) if number else told
        return edges


class PatternWalks(WalkSentences):
    """The patterns that tell walks over the schema."""

    def __init__(self, language: PatternLanguage, walks: Walks) -> None:
        super().__init__(walks, len(language.mentions), language.most_triples)
        self._language = language

    def values(self, state: WalkState) -> tuple[QuestionPattern, ...]:
        edges = self._list_edges(state)
        numbers = list(dict.fromkeys(end for head, _, tail in edges for end in (head, tail)))
        place = {number: i for i, number in enumerate(numbers)}
        nodes = tuple(map(self._build_node, numbers))
        triples = tuple(PatternTriple(place[a], name, place[b]) for a, name, b in edges)
        return (put_in_order(QuestionPattern(nodes, triples)),)

    def text(self, state: WalkState) -> str:
        [pattern] = self.values(state)
        return "".join(write_pattern(self._language, pattern))

    def _build_node(self, number: int) -> MentionNode | UnknownNode:
        if number < self.mentions:
            return MentionNode(number)
        return UnknownNode(number - self.mentions, is_asked=number == self.mentions)


class AssertionWalks(WalkSentences):
    """The decompositions that tell walks over the schema.

    Whether one answer is expected or several changes what is traced, and the reader has not learnt
    to tell. It says one: all answers come when the relations of a trace are run.
    """

    def __init__(self, language: AssertionLanguage, walks: Walks) -> None:
        super().__init__(walks, language.mentions, language.most_assertions)
        self._language = language
        self._words = {
            name: " ".join(relation_words(name)) for name in walks.neighbourhood.relation_types
        }

    def accepting(self, state: WalkState) -> bool:
        """Also whether the language has words for all relations: some consist of marks alone."""
        if not super().accepting(state):
            return False
        said = {self._words[step.relation] for it in self._list_paths(state) for step in it.steps}
        return said.issubset(self._language.word_texts)

    def values(self, state: WalkState) -> tuple[Decomposition, ...]:
        edges = self._list_edges(state)
        assertions = tuple(Assertion(head, self._words[name], tail) for head, name, tail in edges)
        asked = Decomposition(self.mentions, assertions, self.mentions, "precision")
        return (number_entities(asked),)

    def text(self, state: WalkState) -> str:
        [decomposition] = self.values(state)
        return "".join(write_decomposition(self._language, decomposition))


def _iterate_edges(path: RelationPath, nodes: Sequence[int]) -> Iterator[Edge]:
    for step, here, there in zip(path.steps, nodes, nodes[1:], strict=False):
        yield (there, step.relation, here) if step.reversed else (here, step.relation, there)
