"""Questions as atomic assertions, before anything is looked up in a graph.

Source: STEM, section 3.1. An assertion is a hypothesis, and never counts as evidence.
"""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.structures.traces import Strategy

MOST_ASSERTIONS = 5
"""The most assertions of a question."""


@dataclass(frozen=True, slots=True, order=True)
class Assertion:
    """One statement about two entities; `words` stand between them.

    `subject`, `object`: numbers of entities, from 0: the question's mentions in their order, then
    the unknown ones in the order in which they appear.
    """

    subject: int
    words: str
    object: int


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A question as assertions that hang together; `asked`: the entity that is asked for.

    `mentions`: how many mentions the question has. `strategy`: whether one answer is expected, or
    several.
    """

    mentions: int
    assertions: tuple[Assertion, ...]
    asked: int
    strategy: Strategy

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The subject and the object of each assertion."""
        return tuple((each.subject, each.object) for each in self.assertions)

    @property
    def has_mention(self) -> bool:
        return any(min(pair) < self.mentions for pair in self.pairs)

    @property
    def text(self) -> str:
        """The assertions as they are said: `"ENT1" was directed by [ENT1] ; …`."""
        return " ; ".join(self.write_assertion(each) for each in self.assertions)

    def write_assertion(self, assertion: Assertion) -> str:
        """An assertion as it is said."""
        subject = name_entity(assertion.subject, self.mentions)
        return f"{subject} {assertion.words} {name_entity(assertion.object, self.mentions)}"


def name_entity(number: int, mentions: int) -> str:
    """An entity as it is said: a mention by its mask (`"ENT1"`), which stands for its name, and an
    unknown one by a placeholder (`[ENT1]`)."""
    return f'"ENT{number + 1}"' if number < mentions else f"[ENT{number - mentions + 1}]"
