"""The language of assertions.

    "ENT1" was directed by [ENT1] ; [ENT1] was born in [ENT2] ? [ENT2] precision

`"ENT1"` is the question's first mention, as its mask in the question says; `[ENT1]` the first
entity that the question does not name. Unknown entities are numbered as they appear. Each assertion
but the first holds an entity that was said before. Behind `?` stands the unknown entity that is
asked for, and whether one answer is expected (`precision`) or several (`breadth`). No assertion is
said twice or speaks of one entity alone.
Source: STEM, section 3.1; the text is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import get_args

from trellis.automata.assertions.state import AssertionState
from trellis.automata.language import SHORTEST_TEXT, FreeText, MoveId, Moves
from trellis.automata.paths.segments import digest_texts, measure_longest
from trellis.automata.paths.walks import Walks
from trellis.automata.patterns.words import PatternWords
from trellis.domain.errors import InputError
from trellis.domain.structures.decompositions import MOST_ASSERTIONS, Decomposition, name_entity
from trellis.domain.structures.traces import Strategy

ASSERTION_STOP = frozenset('[];?"')
"""What ends the words of an assertion."""

NEXT, ASKED = " ;", " ?"
"""What stands before a further assertion, and before the entity that is asked for."""

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


class AssertionLanguage:
    """The decompositions of a question with `mentions` mentions.

    `words`: what stands between entities: any words, or spans of the question and other given
    texts. `walks`: paths over the graph's schema, for a model that says assertions by these. Raises
    InputError for numbers that are out of range.
    """

    def __init__(
        self,
        mentions: int,
        words: PatternWords,
        *,
        most_assertions: int = MOST_ASSERTIONS,
        walks: Walks | None = None,
    ) -> None:
        if mentions < 0 or not 1 <= most_assertions <= MOST_ASSERTIONS:
            raise InputError(
                f"decompositions of {mentions} mentions and up to {most_assertions} assertions",
                f"give 0 or more mentions, and 1 to {MOST_ASSERTIONS} assertions",
            )
        self.mentions = mentions
        self.words = words
        self.most_assertions = most_assertions
        self.walks = walks
        self.word_texts = tuple(dict.fromkeys((*words.names, *words.spans)))
        self._word_moves = Moves(tuple(f" {text}" for text in self.word_texts))
        self._word_site = ("assertion words", digest_texts(self.word_texts))

    def start(self) -> AssertionState:
        return AssertionState()

    def is_empty(self) -> bool:
        """Whether there is no sentence at all: nothing can be said of entities."""
        return self.words.is_empty

    def site(self, state: AssertionState) -> Hashable:
        if state.phase == "words":
            return self._free_text(state) if self.words.are_free else self._word_site
        return ("assertion", *self._list_moves(state).texts)

    def moves(self, state: AssertionState) -> Moves | FreeText:
        if state.phase == "words" and self.words.are_free:
            return self._free_text(state)
        return self._list_moves(state)

    def _list_moves(self, state: AssertionState) -> Moves:
        if state.phase == "words":
            return self._word_moves
        if state.phase in ("subject", "object", "asked"):
            return Moves(
                tuple(f" {self._name_entity(entity)}" for entity in self._list_entities(state))
            )
        if state.phase == "after":
            return Moves(tuple(self._list_texts_after(state)))
        return Moves(
            tuple(f" {strategy}" for strategy in STRATEGIES) if state.phase == "strategy" else ()
        )

    def list_excluded_moves(self, state: AssertionState) -> Collection[MoveId]:  # noqa: ARG002
        return ()

    def follow(self, state: AssertionState, move: MoveId) -> AssertionState | None:
        said = self._list_moves(state).texts[move]
        if state.phase == "words":
            return state.say_words(said, self.word_texts[move])
        if state.phase == "after":
            return state.say(said, "subject" if said == NEXT else "asked")
        if state.phase == "strategy":
            return state.say_strategy(said, STRATEGIES[move])
        entity = self._list_entities(state)[move]
        if state.phase == "subject":
            return state.say_subject(said, entity)
        return (
            state.say_object(said, entity)
            if state.phase == "object"
            else state.say_asked(said, entity)
        )

    def follow_text(self, state: AssertionState, text: str) -> AssertionState | None:
        return state.say_words(f" {text}", text)

    def accepting(self, state: AssertionState) -> bool:
        return state.phase == "end"

    def values(self, state: AssertionState) -> tuple[Decomposition, ...]:
        return (state.build_decomposition(self.mentions),)

    def text(self, state: AssertionState) -> str:
        return state.text

    def reserve(self, state: AssertionState) -> tuple[int, int]:
        """Behind mentions alone, one more assertion that brings an unknown entity is needed."""
        entity = measure_longest([f" [ENT{self.mentions + 2 * MOST_ASSERTIONS}]"])
        words = min(1 + measure_longest([t]) for t in self.word_texts) if self.word_texts else 0
        words = words or SHORTEST_TEXT
        ending = entity + max(map(len, STRATEGIES)) + 1, 2
        further = len(NEXT) + 2 * entity + words, 4
        size, segments = {
            "subject": (words + entity + further[0] + len(ASKED), 2 + further[1] + 1),
            "words": (entity + further[0] + len(ASKED), 1 + further[1] + 1),
            "object": (further[0] + len(ASKED), further[1] + 1),
            "after": (2 * entity + words + len(ASKED), 4),
        }.get(state.phase, (0, 0))
        return size + ending[0], segments + ending[1]

    def _name_entity(self, entity: int) -> str:
        return name_entity(entity, self.mentions)

    def _free_text(self, state: AssertionState) -> FreeText:
        return FreeText(self.words.free_tokens, ASSERTION_STOP, apart=state.list_apart_words())

    def _list_entities(self, state: AssertionState) -> Sequence[int]:
        if state.phase == "asked":
            return self._list_unknown(state)
        listed = self._list_subjects if state.phase == "subject" else self._list_objects
        return () if self.is_empty() else tuple(listed(state))

    def _list_subjects(self, state: AssertionState) -> Iterator[int]:
        yield from state.entities
        if not (state.assertions and self._must_bring_unknown(state)):
            yield from (i for i in range(self.mentions) if i not in state.entities)
        yield self._next_unknown(state)

    def _list_objects(self, state: AssertionState) -> Iterator[int]:
        """The entities that the assertion which is begun can lead to."""
        fresh = self._next_unknown(state)
        has_unknown = any(entity >= self.mentions for entity in state.entities)
        if self._must_bring_unknown(state) and not has_unknown:
            yield fresh
            return
        said = {a.object for a in state.assertions if (a.subject, a.words) == self._begun(state)}
        for entity in state.entities:
            if entity != state.subject and entity not in said:
                yield entity
        if not state.is_unjoined:
            yield from (i for i in range(self.mentions) if i not in state.entities)
            yield fresh

    def _begun(self, state: AssertionState) -> tuple[int, str]:
        return state.subject, state.words

    def _list_texts_after(self, state: AssertionState) -> Iterator[str]:
        if len(state.assertions) < self.most_assertions:
            yield NEXT
        if self._list_unknown(state):
            yield ASKED

    def _list_unknown(self, state: AssertionState) -> Sequence[int]:
        return tuple(entity for entity in state.entities if entity >= self.mentions)

    def _next_unknown(self, state: AssertionState) -> int:
        return self.mentions + len(self._list_unknown(state))

    def _must_bring_unknown(self, state: AssertionState) -> bool:
        """Whether the assertion that comes or is begun is the last one, and none held an unknown
        entity before it."""
        held = {end for each in state.assertions for end in (each.subject, each.object)}
        is_last = len(state.assertions) + 1 == self.most_assertions
        return is_last and all(entity < self.mentions for entity in held)
