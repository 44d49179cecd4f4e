"""Draws chains of relationships and sets of nodes from a schema: `rivers in v0`.

A set is a label, and chains of relationships from it to named nodes. Its words come from the
phrases of these relationships.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import LabelKind, Schema
from trellis.lexicon.label_kinds import find_anybody, is_person
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plurals import make_plural
from trellis.lexicon.relations.phrases import Phrases
from trellis.training.synthesis.asking import Asker
from trellis.training.synthesis.operators.parts.hop_drawing import HopDrawer
from trellis.training.synthesis.operators.parts.named_nodes import NamedNode, NodeNames
from trellis.training.synthesis.operators.parts.patterns import (
    AskedSet,
    Chain,
    Directions,
    Hop,
    write_node,
)
from trellis.training.synthesis.operators.parts.topics import Topics
from trellis.training.synthesis.operators.parts.verb_phrases import find_behind_be
from trellis.training.synthesis.predicates import list_predicates

_FLAT = 0.3  # exponent of a count in its weight
_CHAINS = (0.56, 0.30, 0.14)  # shares of chains of one step, two and three
_NUMBERS = (0.4, 0.53, 0.07)  # shares of sets with no chain, one and two
_NAMED_BETWEEN = 0.12  # probability that values tell a node between both ends of a chain
_RELATIVE = ("that", "which", "that", "which", "who")
_ROLE, _PERSONS_ROLE = 0.12, 0.5
"""Probabilities that nodes, and persons, are called by a part that they have in a relation."""
_SHORT_JOINT = 0.3  # probability that a second condition follows without a verb: `on v1`
_OWN_LABEL = 0.3  # probability that a label is asked for although a path leads to several


class SetDrawer:
    """Draws sets of nodes, and what can be said of them. Equal seeds give equal ones.

    Types that are symmetric are walked one way only.
    """

    def __init__(
        self, schema: Schema, book: Phrasebook, choice: random.Random, directions: Directions
    ) -> None:
        self._book, self._choice = book, choice
        self.hops = HopDrawer(schema, choice, directions)
        self.asker = Asker(choice.randrange(1 << 30))
        self._names = NodeNames(book, choice)
        self.labels = self.hops.labels
        self._kind_nouns = {noun for label in self.labels for noun in book.type_nouns(label)}
        self.anybody = find_anybody(self.labels)

    def draw_label(self) -> LabelKind:
        """A label, a frequent one more often."""
        kinds = list(self.labels.values())
        return self._choice.choices(kinds, [max(1, kind.count) ** _FLAT for kind in kinds])[0]

    def _find_phrases(self, label: str | None, hop: Hop) -> Phrases:
        """The phrases for nodes of a label by the step that leads back along a hop."""
        return self._book.phrases_of(Step(hop.type, not hop.is_back), label or None)

    def find_noun(self, label: str, hop: Hop) -> str:
        """A noun for what nodes have by a hop."""
        end = None if self.hops.has_several_ends(label, hop) else hop.label or None
        phrases = self._book.phrases_of(Step(hop.type, hop.is_back), end)
        return self._choice.choice(phrases.nouns or phrases.types or (hop.type.lower(),))

    def draw_chain(self, label: str, topics: Topics, length: int | None = None) -> Chain | None:
        """A chain of hops from a node of a label to a named one; None where the schema has none."""
        count = length or self._choice.choices((1, 2, 3), _CHAINS)[0]
        hops: list[Hop] = []
        here = label
        for _ in range(count):
            hop = self.hops.draw_hop(here, hops[-1] if hops else None)
            if hop is None:
                return None
            if len(hops) + 1 < count and self._choice.random() < _NAMED_BETWEEN:
                hop = replace(hop, named=self.draw_node(hop.label, topics))
            hops.append(hop)
            here = hop.label
        end = self.draw_node(here, topics)
        return self.word_chain(label, tuple(hops), end) if end else None

    def draw_node(self, label: str, topics: Topics, without: str = "") -> NamedNode | None:
        """A node of a label, told by its name or by other values than that of a property; None
        where it has none."""
        kind = self.labels.get(label)
        return self._names.draw_node(kind, self.pick_noun(label), topics, without) if kind else None

    def say_value(self, label: str, name: str, topic: str) -> str:
        """A phrase behind a noun for the value of a property of a label."""
        return self._names.say_value(self.labels[label], name, topic)

    def word_chain(self, label: str, hops: tuple[Hop, ...], end: NamedNode) -> Chain:
        """A chain of given hops in words."""
        labels = [label, *(hop.label for hop in hops)]
        inner = end.text
        for number in range(len(hops) - 1, 0, -1):
            phrases = self._find_phrases(labels[number], hops[number])
            named = hops[number - 1].named
            inner = (
                self._describe_named(named, phrases, inner)
                if named
                else self.asker.make_noun_phrase(phrases, inner)
            )
        return Chain(hops, end, self._find_phrases(label, hops[0]), inner)

    def _describe_named(self, node: NamedNode, phrases: Phrases, inner: str) -> str:
        """A node that values tell, and a relation of it: `t0 related to t1`, `the officer t0 who
        investigated t1`."""
        predicates = list_predicates(phrases)
        if not predicates:
            return f"{node.text} , {self.asker.make_noun_phrase(phrases, inner)}"
        return self._add_predicate(node.text, predicates, inner)

    def _add_predicate(self, noun: str, predicates: Sequence[str], inner: str) -> str:
        """A noun phrase with one of some verb phrases behind it, now and then without its `is`."""
        predicate = self._choice.choice(predicates).replace("{}", inner)
        if self._choice.random() < 0.5 and (short := find_behind_be(predicate)):
            return f"{noun} {short}"
        return f"{noun} {self._choice.choice(_RELATIVE)} {predicate}"

    def open_label(self, label: str, chain: Chain) -> tuple[str, Chain]:
        """The label that is asked for: none, mostly, where the chain may lead back to several."""
        first = chain.hops[0]
        several = self.hops.has_several_ends(first.label, Hop(first.type, not first.is_back, label))
        if not several or self._choice.random() < _OWN_LABEL:
            return label, chain
        return "", replace(chain, phrases=self._find_phrases(None, first))

    def pick_noun(self, label: str) -> str:
        """A noun for nodes of a label, mostly in the plural."""
        nouns = self._book.type_nouns(label) or ("thing", "things")
        noun = self._choice.choice(nouns[:2] if self._choice.random() < 0.6 else nouns)
        is_plural = noun.endswith("s") or self._choice.random() < 0.4
        return noun if is_plural else make_plural(noun)

    def pick_predicate(self, chain: Chain, inner: str | None = None) -> str | None:
        """A verb phrase of the nodes that a chain leads back to; `inner`: other words for its
        end. None where its relation has none."""
        predicates = list_predicates(chain.phrases)
        if not predicates:
            return None
        return self._choice.choice(predicates).replace("{}", inner or chain.inner)

    def pick_bare_predicate(self, label: str, hop: Hop) -> str | None:
        """A verb phrase of nodes of a label, without what it is done to: `acted in`; None where a
        relation has none that ends in that."""
        predicates = list_predicates(self._find_phrases(label, hop))
        bare = [each.removesuffix(" {}") for each in predicates if each.endswith(" {}")]
        return self._choice.choice(bare) if bare else None

    def draw_set(self, label: str, topics: Topics, chains: int | None = None) -> AskedSet | None:
        """A set of nodes of a label, with conditions in a number of chains (mostly none or one);
        None where the schema has no such chain, or no words for it."""
        count = self._choice.choices((0, 1, 2), _NUMBERS)[0] if chains is None else chains
        asked = self._draw_bare(label)
        for number in range(count):
            chain = self.draw_chain(label, topics, None if number == 0 else 1)
            text = self.describe_set(asked, chain) if chain else None
            if chain is None or text is None:
                return None
            asked = asked.restrict(text, match=chain.write())
        return asked

    def _draw_bare(self, label: str) -> AskedSet:
        """All nodes of a label, or those that have a part in a relation which a noun tells:
        `capitals`, `drivers`."""
        noun = self.pick_noun(label)
        bare = AskedSet(label, noun, noun)
        share = _PERSONS_ROLE if is_person([label]) else _ROLE
        hop = self.hops.draw_hop(label) if self._choice.random() < share else None
        roles = self._list_roles(label, hop) if hop else []
        if hop is None or not roles:
            return bare
        role = self._choice.choice(roles)
        own = role if role.endswith("s") else make_plural(role)
        return AskedSet(label, own, own, (self.hops.write_neighbours(label, hop),))

    def _list_roles(self, label: str, hop: Hop) -> list[str]:
        """Nouns for the few nodes of a label that have a relation, which name nothing else; for
        persons those of who does what its verb says to things, however many do: `actors`."""
        nouns = self._find_phrases(label, hop).nouns
        if is_person([label]):
            is_doer = not is_person([hop.label])
            nouns = tuple(noun for noun in nouns if is_doer and make_plural(noun) in nouns)
        elif not self.hops.is_of_few(label, hop):
            return []
        return [
            noun
            for noun in nouns
            if len(self._types_of_nouns[noun]) == 1
            and not self._kind_nouns & {noun, noun.split()[-1]}
        ]

    @cached_property
    def _types_of_nouns(self) -> Mapping[str, Set[str]]:
        """The relationship types that each noun may be a part in."""
        types: dict[str, set[str]] = {}
        for label, hop in self.hops.iterate_hops():
            for noun in self._find_phrases(label, hop).nouns:
                types.setdefault(noun, set()).add(hop.type)
        return types

    def describe_by_chain(self, label: str, chain: Chain) -> tuple[str, str]:
        """The noun phrase for a node of a label by what a chain leads to from it, and its
        pattern."""
        text = self.asker.make_noun_phrase(chain.phrases, chain.inner)
        return text, f"{write_node('', label)}{chain.write()}"

    def describe_hop(self, label: str, noun: str, hop: Hop, inner: str) -> str | None:
        """The noun phrase of nodes of a label with a relationship to nodes in many words, which
        come last; None where there are no words for it."""
        every = list_predicates(self._find_phrases(label, hop))
        predicates = [each for each in every if each.endswith("{}")]
        return self._add_predicate(noun, predicates, inner) if predicates else None

    def describe_set(self, asked: AskedSet, chain: Chain) -> str | None:
        """The noun phrase of a set with one more chain; None where there are no words for both."""
        predicate = self.pick_predicate(chain)
        if asked.text != asked.noun:
            short = find_behind_be(predicate) if predicate else None
            if short and self._choice.random() < _SHORT_JOINT:
                return f"{asked.text} {short}"
            joint = self._choice.choice(("and", "and that", "and also", "which", "that"))
            return f"{asked.text} {joint} {predicate}" if predicate else None
        draw = self._choice.random()
        if asked.is_bare and (predicate is None or draw < 0.42):
            return self.asker.make_noun_phrase(chain.phrases, chain.inner)
        if predicate is None:
            return None
        if draw < 0.52 and len(chain.hops) == 1:
            return f"{chain.inner} {asked.noun}"
        if draw < 0.75 and (short := find_behind_be(predicate)):
            return f"{asked.noun} {short}"
        return f"{asked.noun} {self._choice.choice(_RELATIVE)} {predicate}"
