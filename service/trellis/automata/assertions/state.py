"""The states of the language of assertions: what is said so far, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from trellis.domain.structures.decompositions import Assertion, Decomposition
from trellis.domain.structures.traces import Strategy

AssertionPhase = Literal["subject", "words", "object", "after", "asked", "strategy", "end"]
"""What comes next; `after`: an assertion was said, and another one or the asked entity follows."""


@dataclass(frozen=True, slots=True)
class AssertionState:
    """A sentence so far.

    `entities`: the numbers of those said, in order. `subject` and `words`: of the assertion that is
    begun. `is_unjoined`: whether its subject is new, so that its object is one that was said.
    """

    text: str = ""
    phase: AssertionPhase = "subject"
    entities: tuple[int, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    subject: int = 0
    words: str = ""
    is_unjoined: bool = False
    asked: int = 0
    strategy: Strategy = "precision"

    def __hash__(self) -> int:
        return hash((self.text, self.phase))

    def say(self, more: str, phase: AssertionPhase) -> AssertionState:
        """The state after some more text that says no entity."""
        return replace(self, text=self.text + more, phase=phase)

    def say_subject(self, more: str, entity: int) -> AssertionState:
        after = self._say_entity(more, entity, "words")
        is_new = entity not in self.entities
        return replace(after, subject=entity, is_unjoined=is_new and bool(self.assertions))

    def say_words(self, more: str, words: str) -> AssertionState:
        return replace(self.say(more, "object"), words=words)

    def say_object(self, more: str, entity: int) -> AssertionState:
        after = self._say_entity(more, entity, "after")
        assertion = Assertion(self.subject, self.words, entity)
        return replace(after, assertions=(*self.assertions, assertion), words="")

    def say_asked(self, more: str, entity: int) -> AssertionState:
        return replace(self.say(more, "strategy"), asked=entity)

    def say_strategy(self, more: str, strategy: Strategy) -> AssertionState:
        return replace(self.say(more, "end"), strategy=strategy)

    def list_apart_words(self) -> frozenset[str]:
        """The words with which an assertion of this subject may be one that was said."""
        return frozenset(each.words for each in self.assertions if each.subject == self.subject)

    def build_decomposition(self, mentions: int) -> Decomposition:
        return Decomposition(mentions, self.assertions, self.asked, self.strategy)

    def _say_entity(self, more: str, entity: int, phase: AssertionPhase) -> AssertionState:
        entities = self.entities if entity in self.entities else (*self.entities, entity)
        return replace(self.say(more, phase), entities=entities)
