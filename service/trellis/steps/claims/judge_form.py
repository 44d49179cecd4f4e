"""Judge form: is what a claim says true, false or open, by the graph's facts alone?

The rule is local closed world. A statement (s, r, o) is true if the triple is there. It is false if
s has values for r, which are taken to be all, and o is none of them; or, where the claim is about
o, if o has subjects for r and s is none of them. Else it is open. `And`, `not` and `there is` are
those of three-valued logic (Kleene), and counts go by the graph's lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from trellis.domain.graphs.graph import Node, Step, Triple
from trellis.domain.replies.claims import (
    ClaimForm,
    ClaimMention,
    Truth,
    conjoin,
    deny,
    disjoin,
)
from trellis.domain.structures.question_patterns import MentionNode
from trellis.linking.text import name_key
from trellis.steps.claims.fact_table import FactTable, is_property
from trellis.steps.claims.quantities import (
    Quantity,
    compare_quantities,
    compare_range,
    parse_quantity,
)

_MOST_EVIDENCE = 100  # triples behind one judgement
_KNOWN_FIRST = {Truth.TRUE: 2, Truth.FALSE: 1, Truth.OPEN: 0}


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """The truth of a statement, and the triples that make it so."""

    truth: Truth
    triples: tuple[Triple, ...] = ()
    is_fitting: bool = True  # what the claim compares with is of a kind with what the graph has


_OPEN = JudgedStatement(Truth.OPEN)
_VALUE = Node("", "")  # stands for a value, from which nothing leads on


def judge_form(
    form: ClaimForm, mentions: Sequence[ClaimMention], facts: FactTable
) -> JudgedStatement:
    """The truth of a claim that is read so.

    Of several nodes of one name, the one is meant that makes it true, else one that makes it false.
    """
    if not all(
        mentions[n.index].is_known for n in form.pattern.nodes if isinstance(n, MentionNode)
    ):
        return _OPEN
    judge = _Judge(form, mentions, facts)
    judged = [judge.judge_topic(node) for node in judge.get_mention(0).nodes]
    best = max(judged, key=lambda it: _KNOWN_FIRST[it.truth], default=_OPEN)
    if form.is_denied:
        best = replace(best, truth=deny(best.truth))
    if form.is_unknown:
        best = replace(best, truth=min(best.truth, Truth.OPEN))
    return best


@dataclass(frozen=True)
class _Judge:
    """Judges a tree of statements from its topic on."""

    form: ClaimForm
    mentions: Sequence[ClaimMention]
    facts: FactTable

    def get_mention(self, index: int) -> ClaimMention:
        node = self.form.pattern.nodes[index]
        assert isinstance(node, MentionNode)
        return self.mentions[node.index]

    @cached_property
    def _branches(self) -> dict[int, list[_Branch]]:
        return list_branches(self.form)

    def judge_topic(self, node: Node) -> JudgedStatement:
        match self.form.operator.kind:
            case "count":
                return self._judge_count(node)
            case "values":
                return self._compare_values(node)
            case "counts":
                return self._compare_counts(node)
            case "extreme":
                return self._judge_extreme(node)
        return self._judge_node(node, 0)

    def _judge_node(
        self, node: Node, index: int, skipped: _Branch | None = None
    ) -> JudgedStatement:
        """Whether all that hangs on a node of the pattern holds of a node of the graph."""
        branches = (each for each in self._branches.get(index, ()) if each is not skipped)
        return _join([self._judge_branch(node, each) for each in branches])

    def _judge_branch(self, node: Node, branch: _Branch) -> JudgedStatement:
        child = self.form.pattern.nodes[branch.child]
        if not isinstance(child, MentionNode):
            judged = self._judge_existence(node, branch)
        elif self._is_value(branch.parent):
            judged = self._judge_sharing(branch)
        elif self.mentions[child.index].nodes and not is_property(branch.step):
            judged = self._judge_mentioned(node, branch)
        else:
            shared = self._judge_node(_VALUE, branch.child)
            judged = _join([self._judge_value(node, branch), shared])
        if branch.triple in self.form.denied:
            return replace(judged, truth=deny(judged.truth))
        return judged

    def _judge_existence(self, node: Node, branch: _Branch) -> JudgedStatement:
        """Whether there is some node at the end of a step, of which the rest holds."""
        judged = [
            _join([JudgedStatement(Truth.TRUE, (triple,)), self._judge_node(end, branch.child)])
            for end, triple in self.facts.list_ends(node, branch.step)
        ]
        return self._meet(judged, self.facts.is_cut(node, branch.step)) if judged else _OPEN

    def _judge_mentioned(self, node: Node, branch: _Branch) -> JudgedStatement:
        """Whether a step leads to a node that the claim mentions, of which the rest holds."""
        mention = self.get_mention(branch.child)
        return max(
            (self._judge_pair(node, branch, other) for other in mention.nodes),
            key=lambda it: _KNOWN_FIRST[it.truth],
        )

    def _judge_pair(self, node: Node, branch: _Branch, other: Node) -> JudgedStatement:
        statement = self._judge_statement(node, branch, other)
        return _join([statement, self._judge_node(other, branch.child)])

    def _judge_statement(self, node: Node, branch: _Branch, other: Node) -> JudgedStatement:
        """The rule itself."""
        back = branch.step.turn()
        there = (*self.facts.list_triples(node, branch.step), *self.facts.list_triples(other, back))
        if held := tuple(
            t for t in dict.fromkeys(there) if {t.head.id, t.tail.id} == {node.id, other.id}
        ):
            return JudgedStatement(Truth.TRUE, held)
        here, beyond = (node, branch.step), (other, back)
        subject, target = (beyond, here) if branch.step.reversed else (here, beyond)
        if self.facts.is_cut(*here) and self.facts.is_cut(*beyond):
            return _OPEN
        if values := self.facts.list_triples(*subject):
            return JudgedStatement(Truth.FALSE, tuple(values))
        is_about_target = branch.step.reversed != self._is_said_first(branch.child, branch.parent)
        if is_about_target and self.facts.has_any(*target):
            return JudgedStatement(Truth.FALSE, tuple(self.facts.list_triples(*target)))
        return _OPEN

    def _is_said_first(self, index: int, other: int) -> bool:
        """Whether the claim names one node before the other; what is unknown comes from the
        topic."""
        nodes = self.form.pattern.nodes
        if not isinstance(nodes[other], MentionNode):
            return False
        return self.get_mention(index).start < self.get_mention(other).start

    def _judge_value(self, node: Node, branch: _Branch) -> JudgedStatement:
        """Whether a value at the end of a step is as the claim says."""
        mention = self.get_mention(branch.child)
        ends = self.facts.list_ends(node, branch.step)
        judged = [(_is_value(end, mention), triple) for end, triple in ends]
        held = tuple(triple for is_so, triple in judged if is_so)
        if held:
            return JudgedStatement(Truth.TRUE, held)
        others = tuple(triple for is_so, triple in judged if is_so is False)
        if others:
            return JudgedStatement(Truth.FALSE, others)
        return JudgedStatement(Truth.OPEN, is_fitting=not ends)

    def _is_value(self, index: int) -> bool:
        """Whether a place of the pattern is a value: of a property, or a quantity."""
        node = self.form.pattern.nodes[index]
        return isinstance(node, MentionNode) and index in self._values

    @cached_property
    def _values(self) -> frozenset[int]:
        nodes = self.form.pattern.nodes
        return frozenset(
            branch.child
            for branches in self._branches.values()
            for branch in branches
            if not branch.step.reversed
            and isinstance(child := nodes[branch.child], MentionNode)
            and (is_property(branch.step) or not self.mentions[child.index].nodes)
        )

    def _judge_sharing(self, branch: _Branch) -> JudgedStatement:
        """Whether another node that the claim mentions has the same value."""
        there = _Branch(branch.triple, branch.child, branch.parent, branch.step.turn())
        judged = [self._judge_value(node, there) for node in self.get_mention(branch.child).nodes]
        return max(judged, key=lambda it: _KNOWN_FIRST[it.truth], default=_OPEN)

    def _judge_count(self, node: Node) -> JudgedStatement:
        """Whether the first unknown node may be as many nodes as the claim says."""
        branch = self._find_counted()
        if branch is None:
            return _OPEN
        ends = self.facts.list_ends(node, branch.step)
        if not ends or self.facts.is_cut(node, branch.step):
            return _OPEN
        known = {end: self._judge_node(end, branch.child).truth for end, _ in ends}
        counted = sum(truth is Truth.TRUE for truth in known.values())
        undecided = sum(truth is Truth.OPEN for truth in known.values())
        operator = self.form.operator
        some, every = compare_range(counted, counted + undecided, operator.sign, operator.number)
        truth = Truth.TRUE if every else Truth.OPEN if some else Truth.FALSE
        shown = tuple(triple for end, triple in ends if known[end] is Truth.TRUE)
        rest = self._judge_node(node, 0, skipped=branch)
        return _join([JudgedStatement(truth, shown or tuple(t for _, t in ends)), rest])

    def _find_counted(self) -> _Branch | None:
        nodes = self.form.pattern.nodes
        branches = self._branches.get(0, ())
        return next((b for b in branches if not isinstance(nodes[b.child], MentionNode)), None)

    def _compare_values(self, node: Node) -> JudgedStatement:
        """Whether the value of the topic stands to that of another node as the claim says."""
        own, others, shown = self._list_compared(node)
        left, right = _list_quantities(own), _list_quantities(others)
        if not left or not right:
            return JudgedStatement(Truth.OPEN, is_fitting=not (own or others))
        sign = self.form.operator.sign
        held = any(compare_quantities(a, sign, b) for a in left for b in right)
        return JudgedStatement(Truth.TRUE if held else Truth.FALSE, shown)

    def _compare_counts(self, node: Node) -> JudgedStatement:
        """Whether the topic has more, fewer or as many as another node."""
        own, others, shown = self._list_compared(node)
        if not own or not others:
            return _OPEN
        counts = len({n.id or n.name for n in own}), len({n.id or n.name for n in others})
        _, held = compare_range(counts[0], counts[0], self.form.operator.sign, counts[1])
        return JudgedStatement(Truth.TRUE if held else Truth.FALSE, shown)

    def _list_compared(self, node: Node) -> tuple[list[Node], list[Node], tuple[Triple, ...]]:
        """What one step gives of the topic, and of the other node: the pattern is a step to an
        unknown node, and the same step from the other one."""
        [branch, *_] = self._branches[0]
        [other, *_] = self._branches[branch.child]
        mine = self.facts.list_ends(node, branch.step)
        back = other.step.turn()
        theirs = [
            pair
            for named in self.get_mention(other.child).nodes
            for pair in self.facts.list_ends(named, back)
        ]
        shown = tuple(triple for _, triple in (*mine, *theirs))
        return [end for end, _ in mine], [end for end, _ in theirs], shown[:_MOST_EVIDENCE]

    def _judge_extreme(self, node: Node) -> JudgedStatement:
        """Whether no other node that has to the second node what the topic has exceeds it."""
        counted = self._find_counted()
        shared = next((b for b in self._branches.get(0, ()) if self._is_named(b)), None)
        if counted is None or shared is None:
            return _OPEN
        statement = self._judge_branch(node, shared)
        own = self._read_quantities(node, counted.step)
        if not own:
            there = self.facts.list_ends(node, counted.step)
            return JudgedStatement(Truth.OPEN, is_fitting=not there)
        if statement.truth is not Truth.TRUE:
            return statement if statement.truth is Truth.FALSE else _OPEN
        back, rivals = shared.step.turn(), list[tuple[Node, Triple]]()
        for group in self.get_mention(shared.child).nodes:
            rivals += self.facts.list_ends(group, back)
        values = [(self._read_quantities(rival, counted.step), t) for rival, t in rivals]
        sign = self.form.operator.sign
        beaten = [
            t for theirs, t in values if theirs and compare_quantities(theirs[0], sign, own[0])
        ]
        shown = self.facts.list_triples(node, counted.step)
        if beaten:
            return JudgedStatement(Truth.FALSE, (*shown, *beaten))
        is_open = any(not theirs for theirs, _ in values)
        return JudgedStatement(Truth.OPEN if is_open else Truth.TRUE, (*statement.triples, *shown))

    def _is_named(self, branch: _Branch) -> bool:
        """Whether a branch leads to nodes that the claim mentions."""
        child = self.form.pattern.nodes[branch.child]
        return isinstance(child, MentionNode) and bool(self.mentions[child.index].nodes)

    def _read_quantities(self, node: Node, step: Step) -> list[Quantity]:
        return _list_quantities(end for end, _ in self.facts.list_ends(node, step))

    def _meet(self, judged: Sequence[JudgedStatement], is_cut: bool) -> JudgedStatement:
        """The truth of `there is`; what was not read of a cut list may be such a node."""
        truth = disjoin(each.truth for each in judged)
        if truth is Truth.TRUE:
            return next(each for each in judged if each.truth is truth)
        shown = islice((t for each in judged for t in each.triples), _MOST_EVIDENCE)
        fitting = any(each.is_fitting for each in judged)
        return JudgedStatement(Truth.OPEN if is_cut else truth, tuple(shown), fitting)


@dataclass(frozen=True, slots=True)
class _Branch:
    """A triple of the tree, as a step from a node that was said before."""

    triple: int
    parent: int
    child: int
    step: Step


def list_branches(form: ClaimForm) -> dict[int, list[_Branch]]:
    """By node, the triples that lead on from it."""
    branches: dict[int, list[_Branch]] = {}
    for number, triple in enumerate(form.pattern.triples):
        parent, child = sorted((triple.head, triple.tail))
        step = Step(triple.relation, triple.tail == parent)
        branches.setdefault(parent, []).append(_Branch(number, parent, child, step))
    return branches


def _join(judged: Sequence[JudgedStatement]) -> JudgedStatement:
    """The truth of `and`: what makes it false, else all that was looked at."""
    truth = conjoin(each.truth for each in judged)
    telling: Iterable[JudgedStatement] = judged
    if truth is Truth.FALSE:
        telling = [each for each in judged if each.truth is truth]
    shown = tuple(islice(_iterate_triples(telling), _MOST_EVIDENCE))
    return JudgedStatement(truth, shown, all(each.is_fitting for each in judged))


def _iterate_triples(judged: Iterable[JudgedStatement]) -> Iterator[Triple]:
    yield from dict.fromkeys(triple for each in judged for triple in each.triples)


def _is_value(node: Node, mention: ClaimMention) -> bool | None:
    """Whether a node or value is what a mention says; None where they do not compare."""
    if name_key(node.name) in {name_key(str(each.value)) for each in mention.values}:
        return True
    if mention.bound is None:
        return False
    left, right = parse_quantity(node.name), parse_quantity(mention.bound.quantity)
    if left is None or right is None:
        return None
    return compare_quantities(left, mention.bound.sign, right)


def _list_quantities(nodes: Iterable[Node]) -> list[Quantity]:
    parsed = (parse_quantity(node.name) for node in nodes)
    return [each for each in parsed if each is not None]
