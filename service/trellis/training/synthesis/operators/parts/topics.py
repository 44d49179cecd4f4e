"""What a question is about: names of nodes, values and numbers, as `t0`, `t1`, … in its words."""

from __future__ import annotations

from dataclasses import dataclass, field

from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.schema import LabelKind, PropertyKind


@dataclass(frozen=True, slots=True)
class Topic:
    """A name of a node, or a value: of a label's property, or a number of no label.

    `type`: Neo4j's value type of a property's value.
    """

    label: str
    property: str
    number: Scalar = None
    type: str = "STRING"


@dataclass
class Topics:
    """The topics of one question: `t0`, `t1`, … in its words and its query."""

    listed: list[Topic] = field(default_factory=list)

    def add_name(self, kind: LabelKind) -> str:
        """A new topic that names a node of a label, which has a naming property; its text."""
        assert kind.naming
        return self._add(Topic(kind.label, kind.naming))

    def add_value(self, label: str, name: str) -> str:
        """A new topic that is a text of a property; its text."""
        return self._add(Topic(label, name))

    def add_time(self, label: str, kind: PropertyKind) -> str:
        """A new topic that is a value of a property of days or times; its text."""
        return self._add(Topic(label, kind.name, type=kind.type))

    def add_number(self, number: float) -> str:
        """A new topic that is a number; its text."""
        return self._add(Topic("", "", number))

    def forget_topics(self, kept: int) -> None:
        """Forget all but the first topics, of which words that are not used were about."""
        del self.listed[kept:]

    def _add(self, topic: Topic) -> str:
        self.listed.append(topic)
        return f"t{len(self.listed) - 1}"


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """The words of a question, before noise is added, and its query."""

    text: str
    cypher: str


@dataclass(frozen=True, slots=True)
class DrawnQuestion:
    """A question, its query, and the topics that both have."""

    text: str
    cypher: str
    topics: tuple[Topic, ...]


def make_draft(text: str | None, cypher: str) -> QuestionDraft | None:
    """The draft of a question; None where there are no words for it."""
    return QuestionDraft(text, cypher) if text else None
