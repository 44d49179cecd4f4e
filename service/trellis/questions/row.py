"""The value of a line of a question file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trellis.domain.graphs.graph import Step

Label = str | bool
"""A claim's verdict, or a yes/no question's."""


@dataclass(frozen=True, slots=True)
class GoldPath:
    """A relation path that answers a question, from a topic by name."""

    topic: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question, or a claim in its place, with as much gold as is known.

    `id`: empty where none is given. `answers`: None where they are not known; empty where there
    are none. `paths` meet where there are several. `params` and `features` are of the gold query
    `cypher`: its parameters, and what it uses, in words of the file. `answer_ids`: the right
    answers as a file has them that knows nodes by ids of its own; `answer_nodes`: their element
    ids, once they were looked up, which count in place of names.
    """

    id: str
    question: str = ""
    claim: str = ""
    topics: tuple[str, ...] = ()
    answers: tuple[str, ...] | None = None
    cypher: str = ""
    paths: tuple[GoldPath, ...] = ()
    label: Label | None = None
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)
    features: tuple[str, ...] = ()
    answer_ids: tuple[str, ...] | None = None
    answer_nodes: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The topics, given or implied by the paths."""
        return tuple(dict.fromkeys((*self.topics, *(path.topic for path in self.paths))))

    @property
    def known_answers(self) -> tuple[str, ...]:
        """The answers; none where they are not known."""
        return self.answers or ()
