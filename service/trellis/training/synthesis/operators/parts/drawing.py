"""What all kinds of questions draw from: a schema, its phrases, frames, and a question's topics;
and sets with a filter."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from trellis.domain.graphs.schema import LabelKind, Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.event_verbs import EventKind
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary
from trellis.training.synthesis.operators.parts.named_nodes import NamedNode
from trellis.training.synthesis.operators.parts.patterns import (
    UNKNOWN_DIRECTIONS,
    AskedSet,
    Chain,
    Directions,
)
from trellis.training.synthesis.operators.parts.set_drawing import SetDrawer
from trellis.training.synthesis.operators.parts.topics import Topics
from trellis.training.synthesis.operators.parts.words import Words

_EVERYWHERE = 0.15  # probability that words say that all of a kind are meant
_ONE_HOP = 0.75  # share of chains of one hop among short ones


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a question is drawn from, and the topics that it has so far.

    Its parts share one random choice: equal seeds give equal questions.
    """

    schema: Schema
    book: Phrasebook
    sets: SetDrawer
    words: Words
    events: tuple[EventKind, ...] = ()
    topics: Topics = field(default_factory=Topics)

    @classmethod
    def begin(
        cls,
        schema: Schema,
        book: Phrasebook,
        seed: int,
        directions: Directions = UNKNOWN_DIRECTIONS,
    ) -> Drawing:
        """The drawing of a schema's questions; `directions`: as `SetDrawer` has them."""
        choice = random.Random(seed)
        sets = SetDrawer(schema, book, choice, directions)
        events = read_schema_vocabulary(schema).events
        return cls(schema, book, sets, Words(choice), events)

    def clear_topics(self) -> Drawing:
        """The same drawing for another question."""
        return replace(self, topics=Topics())

    def find_label(self, label: str) -> LabelKind:
        """A label of the schema by its name."""
        return self.sets.labels[label]

    def draw_chain(self, label: str, length: int | None = None) -> Chain | None:
        """A chain from a label, of one to three hops where no length is given; None where the
        schema has none."""
        return self.sets.draw_chain(label, self.topics, length)

    def draw_short_chain(self, label: str) -> Chain | None:
        """A chain of one hop or two; None where the schema has none."""
        return self.draw_chain(label, 1 if self.words.flip(_ONE_HOP) else 2)

    def repeat_chain(self, chain: Chain) -> Chain:
        """The same hops to another node, of which one value is told."""
        return chain.exchange_topic(self.topics.add_value(chain.end.label, chain.naming))

    def draw_set(self, label: str | None = None, chains: int | None = None) -> AskedSet | None:
        """A set of nodes, of any label where none is given, with conditions in a number of chains
        (mostly none or one); None where the schema has none."""
        asked = self.sets.draw_set(label or self.sets.draw_label().label, self.topics, chains)
        if asked is None or not asked.is_bare or not self.words.flip(_EVERYWHERE):
            return asked
        return replace(asked, text=self.words.fill("everywhere", n=asked.noun) or asked.text)

    def draw_node(self, label: str, without: str = "") -> NamedNode | None:
        """A node of a label, told by its name or by other values than that of a property; None
        where it has none."""
        return self.sets.draw_node(label, self.topics, without)


@dataclass(frozen=True, slots=True)
class RestrictedSet:
    """A set with one more filter; `is_question`: its words are a whole question."""

    asked: AskedSet
    is_question: bool = False


def fill_restriction(
    drawing: Drawing, kind: str, asked: AskedSet, condition: str, **slots: str | None
) -> RestrictedSet | None:
    """A set with one more condition in the words of a kind's frames; None where none fits."""
    filled = drawing.words.fill_either(kind, s=asked.text, **slots)
    if filled is None:
        return None
    return RestrictedSet(asked.restrict(filled.text, condition), filled.is_question)
