"""List forms: all ways in which a claim may be read over what it mentions, likely ones first.

Each mention is joined to what the claim is about, to another mention, or to an unknown node between
them, by the steps that exist around them; nothing is said that the graph has no name for. The
claim's words choose among these forms later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from trellis.domain.graphs.graph import Step
from trellis.domain.replies.claims import ClaimForm, ClaimMention
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
)
from trellis.steps.claims.fact_table import PROPERTY, is_property
from trellis.steps.claims.read_operator import ClaimOperatorReading
from trellis.steps.claims.surroundings import ClaimPlace, ClaimSurroundings

Join = tuple[Step, float]
"""A step that joins two places, and the log-weight of what the graph lacks of it."""

_MOST_STATES, _MOST_FORMS = 600, 250
_MOST_MENTIONS = 7
_TOPIC_LACKS, _TARGET_LACKS = -1.5, -2.5  # log-weights of a step that only one end has
_TARGET_LACKS_FITTING = -1.5  # where the target's label says that it may have the step
_ABSENT, _ABSENT_UNLABELLED = -1.0, -2.0  # that of a step that the topic does not have
_TWO_STEPS = -1.0  # of an unknown node between two mentions
_UNLIKE = -1.5  # of an unknown node that two mentions have by different steps
_ELSEWHERE = -1.5  # of a step from another mention than the topic
_DROPPED_VALUE = -5.0  # of a value that the form leaves out
_LEFT_OUT = -1.0  # of what only describes what is compared
_CLASS = 0.01  # share of a type's relationships that the nodes of a class have
_KEPT_WORD, _KEPT_CASE = -2.0, -4.0  # of an ordinary word that is taken for a name (in its case)
_ABSENT_BOTH = -3.0  # that of a step between two mentions that neither has


@dataclass(frozen=True, slots=True)
class WeighedForm:
    """A form with its log-weight before the claim's words are looked at; `kept`: the mentions that
    it uses."""

    form: ClaimForm
    weight: float
    kept: frozenset[int]


@dataclass(frozen=True, slots=True)
class _State:
    """A tree that is being built; `places`: what is around each of its nodes."""

    nodes: tuple[PatternNode, ...]
    places: tuple[ClaimPlace, ...]
    triples: tuple[PatternTriple, ...] = ()
    weight: float = 0.0
    absent: frozenset[tuple[int, Step]] = frozenset()  # steps of nodes that the graph lacks

    def add(
        self,
        parent: int,
        step: Step,
        node: PatternNode,
        place: ClaimPlace,
        cost: float,
        absence: float = 0.0,
    ) -> _State:
        """The tree with one more node; `absence`: what it costs that the graph lacks the step,
        which is paid once for all that are said to be so of one node."""
        at = len(self.nodes)
        if (parent, step) in self.absent:
            absence = 0.0
        ends = (at, parent) if step.reversed else (parent, at)
        triple = PatternTriple(ends[0], step.relation, ends[1])
        return _State(
            (*self.nodes, node),
            (*self.places, place),
            (*self.triples, triple),
            self.weight + cost + absence,
            self.absent | {(parent, step), (at, step.turn())} if absence else self.absent,
        )

    @property
    def next_unknown(self) -> UnknownNode:
        return UnknownNode(1 + sum(isinstance(node, UnknownNode) for node in self.nodes))


_NOWHERE = ClaimPlace(frozenset(), {})


def list_forms(said: ClaimOperatorReading, around: ClaimSurroundings) -> list[WeighedForm]:
    """The forms of a claim, most likely first; none where it mentions no node."""
    forms: dict[tuple[object, ...], WeighedForm] = {}
    for kept, weight in _choose_mentions(said.mentions, around):
        builder = _Builder(said, around, kept)
        for state in builder.build():
            form = builder.finish(state)
            weighed = WeighedForm(form, state.weight + weight, frozenset(kept))
            key = (form.pattern.nodes, form.pattern.triples, form.denied)
            if key not in forms or forms[key].weight < weighed.weight:
                forms[key] = weighed
    ranked = sorted(forms.values(), key=lambda it: -it.weight)
    return ranked[:_MOST_FORMS]


def _choose_mentions(
    mentions: Sequence[ClaimMention], around: ClaimSurroundings
) -> Iterator[tuple[tuple[int, ...], float]]:
    """Which mentions a form is made of: ordinary words and values may be left out.

    A word is a name where the graph sorts by what it names: `defender`, `comedy`.
    """
    own = [
        i for i, it in enumerate(mentions) if not it.is_ordinary and not _is_repeated(mentions, i)
    ]
    words = [i for i, it in enumerate(mentions) if it.is_ordinary]
    values = [i for i in own if not mentions[i].nodes and mentions[i].values]
    own = own[:_MOST_MENTIONS]
    yield tuple(own), 0.0
    for word in words[:4]:
        same_case = any(node.name == mentions[word].text for node in mentions[word].nodes)
        cost = _KEPT_WORD if same_case else _KEPT_CASE
        yield tuple(sorted((*own, word))), cost if around.places[word].share < _CLASS else 0.0
    for value in values:
        yield tuple(i for i in own if i != value), _DROPPED_VALUE
    if len(values) == 2:
        yield tuple(i for i in own if i not in values), 2 * _DROPPED_VALUE


def _is_repeated(mentions: Sequence[ClaimMention], at: int) -> bool:
    nodes = mentions[at].nodes
    return bool(nodes) and any(mentions[i].nodes == nodes for i in range(at))


@dataclass(frozen=True)
class _Builder:
    """Builds the forms over some of the mentions."""

    said: ClaimOperatorReading
    around: ClaimSurroundings
    kept: Sequence[int]
    _joins: dict[tuple[int, int], tuple[Join, ...]] = field(default_factory=dict)  # by places' ids

    def build(self) -> list[_State]:
        named = [i for i in self.kept if self.said.mentions[i].nodes]
        topic = min(named, key=lambda i: (self.said.mentions[i].is_ordinary, i), default=None)
        if topic is None:
            return []
        start = _State((MentionNode(topic),), (self.around.places[topic],))
        others = [i for i in self.kept if i != topic]
        match self.said.operator.kind:
            case "count":
                return self._attach_all(list(self._add_unknown(start)), others)
            case "values" | "counts":
                return list(self._compare(start, others))
            case "extreme":
                return [
                    last
                    for state in self._attach_all([start], others)
                    for last in self._add_unknown(state)
                ]
        if others:
            return self._attach_all([start], others)
        return list(self._add_unknown(start))

    def finish(self, state: _State) -> ClaimForm:
        """The form of a finished tree: what is denied in it."""
        pattern = QuestionPattern(state.nodes, state.triples)
        begin, end = self.said.denied
        if begin == end:
            return ClaimForm(pattern, self.said.operator)
        inside = frozenset(
            number
            for number, triple in enumerate(state.triples)
            if self._is_within(state.nodes[max(triple.head, triple.tail)], begin, end)
        )
        if self.said.is_all_denied or not inside:
            return ClaimForm(pattern, self.said.operator, is_denied=True)
        return ClaimForm(pattern, self.said.operator, denied=inside)

    def _is_within(self, node: PatternNode, begin: int, end: int) -> bool:
        if not isinstance(node, MentionNode):
            return False
        return begin <= self.said.mentions[node.index].start < end

    def _add_unknown(self, state: _State) -> Iterator[_State]:
        """The topic's steps to an unknown node, those that it does not have included."""
        place, unknown = state.places[0], state.next_unknown
        for step, behind in place.steps.items():
            yield state.add(0, step, unknown, behind, 0.0)
        for step in self.around.all_steps:
            if step in place.steps:
                continue
            if self.around.may_have(place, step):
                cost = _ABSENT if self.around.is_labelled else _ABSENT_UNLABELLED
                yield state.add(0, step, unknown, _NOWHERE, cost)
        for step in self.around.list_properties(place.labels):
            yield state.add(0, step, unknown, _NOWHERE, 0.0)

    def _compare(self, state: _State, others: Sequence[int]) -> Iterator[_State]:
        """The same step from the topic and from the next node that the claim mentions."""
        other = next((i for i in others if self.said.mentions[i].nodes), None)
        if other is None:
            return
        here, there = state.places[0], self.around.places[other]
        left_out = _LEFT_OUT * (len(others) - 1)
        named = {**dict.fromkeys(here.steps), **dict.fromkeys(there.steps)}
        named |= dict.fromkeys(self.around.list_properties(here.labels & there.labels))
        may = self.around.may_have
        absent = [s for s in self.around.all_steps if s not in named and may(here, s)]
        for step in (*named, *absent):
            ends = (step in here.steps) + (step in there.steps)
            cost = 0.0 if is_property(step) else (_ABSENT_BOTH, _TOPIC_LACKS, 0.0)[ends]
            half = state.add(0, step, state.next_unknown, _NOWHERE, left_out)
            yield half.add(1, step.turn(), MentionNode(other), there, cost)

    def _attach_all(self, states: Sequence[_State], others: Sequence[int]) -> list[_State]:
        """All trees over some more mentions, in their order and, as a value that two of them share
        may come last, in the reverse one."""
        orders = dict.fromkeys((tuple(others), tuple(reversed(others))))
        return [tree for order in orders for tree in self._attach_in_order(states, order)]

    def _attach_in_order(self, states: Sequence[_State], others: Sequence[int]) -> list[_State]:
        current = list(states)
        for index in others:
            current = [new for state in current for new in self._attach(state, index)]
            current = sorted(current, key=lambda state: -state.weight)[:_MOST_STATES]
        return current

    def _attach(self, state: _State, index: int) -> Iterator[_State]:
        """All ways to join a mention to a tree."""
        mention, target = self.said.mentions[index], self.around.places[index]
        node = MentionNode(index)
        for at in range(len(state.nodes)):
            cost = 0.0 if at == 0 or isinstance(state.nodes[at], UnknownNode) else _ELSEWHERE
            if attached := self._find_value(state, at):
                if mention.nodes:
                    yield state.add(at, attached.turn(), node, target, 0.0)
                continue
            join = self._choose_join(mention)
            for step, own in join(state.places[at], target):
                if at == 0 or own == 0 or not state.places[at].steps:
                    yield state.add(at, step, node, target, cost, own)
            if self.said.operator.kind == "count" or not isinstance(state.nodes[at], MentionNode):
                continue
            for first, behind in state.places[at].steps.items():
                half = state.add(at, first, state.next_unknown, behind, cost + _TWO_STEPS)
                for step, own in join(behind, target):
                    if own == 0:
                        unlike = 0.0 if step == first.turn() else _UNLIKE
                        yield half.add(len(state.nodes), step, node, target, unlike)
                if at or not self.around.is_labelled:
                    continue
                for second, beyond in behind.steps.items():
                    far = half.add(len(state.nodes), second, half.next_unknown, beyond, _TWO_STEPS)
                    for step, own in join(beyond, target):
                        if own == 0 or (own == _TOPIC_LACKS and second != first.turn()):
                            yield far.add(len(half.nodes), step, node, target, 0.0)

    def _find_value(self, state: _State, at: int) -> Step | None:
        """The step by which a node of the tree is a value, from which nothing leads on."""
        node = state.nodes[at]
        if not isinstance(node, MentionNode) or at == 0:
            return None
        triple = next(t for t in state.triples if max(t.head, t.tail) == at)
        step = Step(triple.relation, triple.head == at)
        is_value = is_property(step) or not self.said.mentions[node.index].nodes
        return step if is_value else None

    def _choose_join(
        self, mention: ClaimMention
    ) -> Callable[[ClaimPlace, ClaimPlace], Iterable[Join]]:
        if not (mention.values or mention.bound):
            return self._join_nodes

        def join_value(place: ClaimPlace, target: ClaimPlace) -> Iterator[Join]:
            if mention.nodes:
                yield from self._join_nodes(place, target)
            labels = {(v.label, v.property) for v in mention.values}
            for label, name in sorted(labels):
                if label in place.labels:
                    yield Step(f"{PROPERTY}{name}"), 0.0
            if mention.bound and not mention.nodes:
                yield from ((step, 0.0) for step in place.steps if not step.reversed)
                if not mention.values:
                    found = self.around.list_properties(place.labels)
                    yield from ((step, 0.0) for step in found)

        return join_value

    def _join_nodes(self, place: ClaimPlace, target: ClaimPlace) -> Iterable[Join]:
        """The steps that may join two places, found once: many trees end in the same places, which
        last as long as the surroundings."""
        key = id(place), id(target)
        if key not in self._joins:
            self._joins[key] = tuple(self._find_joins(place, target))
        return self._joins[key]

    def _find_joins(self, place: ClaimPlace, target: ClaimPlace) -> Iterator[Join]:
        backwards = {step.turn() for step in target.steps}
        for step in {**dict.fromkeys(place.steps), **dict.fromkeys(backwards)}:
            if step in place.steps and step in backwards:
                yield step, 0.0
            elif self._may_join(place, step, target):
                target_lacks = _TARGET_LACKS_FITTING if self.around.is_labelled else _TARGET_LACKS
                yield step, target_lacks if step in place.steps else _TOPIC_LACKS
        if place.steps:
            for step in self.around.all_steps:
                is_new = step not in place.steps and step not in backwards
                if is_new and self._may_join(place, step, target):
                    yield step, _ABSENT_BOTH

    def _may_join(self, place: ClaimPlace, step: Step, target: ClaimPlace) -> bool:
        """Whether a step that an end lacks may join two places, by the schema and by how the steps
        that they have point."""
        if not place.steps and not place.labels:
            return False
        may, back = self.around.may_have, step.turn()
        points = self.around.is_labelled or (
            (step in place.steps or _has_pointing(place, step))
            and (back in target.steps or _has_pointing(target, back))
        )
        return points and may(place, step) and may(target, back)


def _has_pointing(place: ClaimPlace, step: Step) -> bool:
    """Whether a place has steps in the direction of one that it lacks: films have values, and years
    have none."""
    return not place.steps or any(each.reversed == step.reversed for each in place.steps)
