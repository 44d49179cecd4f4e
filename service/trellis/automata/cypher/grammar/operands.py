"""The moves that say an operand: a form, a node or relationship, one of its properties.

Items that are returned, orders and conditions on groups are all made of operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from trellis.automata.cypher.grammar.accepting import AcceptItem, accept_number
from trellis.automata.cypher.grammar.typed_properties import TypedProperties, TypedProperty
from trellis.automata.cypher.meaning.items import (
    SHOW,
    ArithmeticOperator,
    ArithmeticTerm,
    ReturnForm,
    ReturnItem,
)
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.property_types import NUMBERS
from trellis.automata.cypher.words.wording import TERM_WORDS, write_property

Combined = tuple[ReturnItem, ReturnItem]
"""A number that an item can be combined with, and the item that it is then."""

UseItem = Callable[[CypherState, ReturnItem], CypherState]
"""Makes the state behind an operand, from the state before its last move."""


@dataclass(frozen=True, slots=True)
class OperandOwner:
    """A node, or the relationship that leads to it (`edge`), which has what an operand names."""

    node: int
    edge: int | None = None

    def make_item(self, form: ReturnForm, key: str = "", part: str = "") -> ReturnItem:
        return ReturnItem(form, self.node, key, part, self.edge)


class Operands:
    """Says operands of the nodes and relationships of a pattern."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._properties = TypedProperties(lexicon)

    def say_form(
        self, state: CypherState, forms: Sequence[ReturnForm], use: UseItem, accept: AcceptItem
    ) -> MoveGroup:
        """The forms of the operands that are accepted; behind a form comes its owner."""
        owners = list(self._list_owners(state))
        possible = [
            form
            for form in forms
            if any(self._has_item(state, form, owner, accept) for owner in owners)
        ]
        return MoveGroup.of(
            "form",
            [f" {form.word}" for form in possible],
            lambda i: state.with_next(partial(self.say_owner, possible[i], use, accept)),
        )

    def say_owner(
        self, form: ReturnForm, use: UseItem, accept: AcceptItem, state: CypherState
    ) -> Iterator[MoveGroup]:
        """The nodes and relationships that an operand of a form can belong to."""
        owners = self.find_owners(state, form, accept)

        def follow(chosen: int) -> CypherState:
            if form.is_whole_node:
                return use(state, owners[chosen].make_item(form))
            return state.with_next(partial(self.say_property, form, owners[chosen], use, accept))

        texts = [f" {self.write_owner(state, owner)}" for owner in owners]
        yield MoveGroup.of("node", texts, follow)

    def say_property(
        self,
        form: ReturnForm,
        owner: OperandOwner,
        use: UseItem,
        accept: AcceptItem,
        state: CypherState,
    ) -> Iterator[MoveGroup]:
        """The properties that an operand of a form can be."""
        items = self.find_items(state, form, owner, accept)
        texts = [f" {self.write_key(item)}" for item in items]

        def follow(chosen: int) -> CypherState:
            behind = use(state, items[chosen])
            if not self._lexicon.is_wide or not self.is_number(state, items[chosen]):
                return behind
            then = partial(self._say_term, items[chosen], use, accept, state, behind.then)
            return behind.with_next(then, complete=behind.is_complete)

        yield MoveGroup.of("property", texts, follow)

    def _say_term(
        self,
        item: ReturnItem,
        use: UseItem,
        accept: AcceptItem,
        before: CypherState,
        then: Then,
        state: CypherState,
    ) -> Iterator[MoveGroup]:
        """The ways to combine a number with another one, or what else comes behind it."""
        combined = self._find_terms(before, item, accept)
        operators = list(combined)

        def follow(chosen: int) -> CypherState:
            own = combined[operators[chosen]]
            return state.with_next(partial(self._say_term_owner, own, use, before))

        texts = [f" {TERM_WORDS[operator]}" for operator in operators]
        yield MoveGroup.of("term", texts, follow)
        yield from then(state)

    def _find_terms(
        self, state: CypherState, item: ReturnItem, accept: AcceptItem
    ) -> dict[ArithmeticOperator, dict[OperandOwner, list[Combined]]]:
        """By operator and owner each number that an item can be combined with, and what it is then,
        where that is accepted."""
        numbers = [
            (owner, other)
            for owner in self.find_owners(state, SHOW, accept_number)
            for other in self.find_items(state, SHOW, owner, accept_number)
        ]
        found: dict[ArithmeticOperator, dict[OperandOwner, list[Combined]]] = {}
        for operator in TERM_WORDS:
            for owner, other in numbers:
                term = ArithmeticTerm(operator, other.node, other.key, other.part, other.edge)
                combined = replace(item, term=term)
                if accept(combined, "FLOAT"):
                    own = found.setdefault(operator, {})
                    own.setdefault(owner, []).append((other, combined))
        return found

    def _say_term_owner(
        self,
        combined: Mapping[OperandOwner, Sequence[Combined]],
        use: UseItem,
        before: CypherState,
        state: CypherState,
    ) -> Iterator[MoveGroup]:
        """The node or relationship whose property a number is combined with."""
        owners = list(combined)

        def follow(chosen: int) -> CypherState:
            own = combined[owners[chosen]]
            return state.with_next(partial(self._say_term_property, own, use, before))

        texts = [f" {self.write_owner(before, owner)}" for owner in owners]
        yield MoveGroup.of("node", texts, follow)

    def _say_term_property(
        self,
        combined: Sequence[Combined],
        use: UseItem,
        before: CypherState,
        state: CypherState,  # noqa: ARG002
    ) -> Iterator[MoveGroup]:
        """The property that a number is combined with."""
        texts = [f" {self.write_key(other)}" for other, _ in combined]
        yield MoveGroup.of("property", texts, lambda chosen: use(before, combined[chosen][1]))

    def is_number(self, state: CypherState, item: ReturnItem) -> bool:
        """Whether the property of an operand is a number."""
        owner = OperandOwner(item.node, item.edge)
        return any(
            (name, part) == (item.key, item.part) and type in NUMBERS
            for name, part, type in self._list_properties(state, owner)
        )

    def iterate_keys(self, form: ReturnForm, labels: tuple[str, ...]) -> Iterator[str]:
        """The properties of nodes of some labels that can be returned in a form; empty for the
        nodes themselves."""
        if form.is_whole_node:
            yield ""
            return
        for name, _, type in self._properties.list_properties(labels):
            if type in NUMBERS or not form.needs_numbers:
                yield name

    def find_owners(
        self, state: CypherState, form: ReturnForm, accept: AcceptItem
    ) -> list[OperandOwner]:
        """The nodes and relationships that have an operand which is accepted."""
        return [
            owner
            for owner in self._list_owners(state)
            if self._has_item(state, form, owner, accept)
        ]

    def has_owner(self, state: CypherState, form: ReturnForm, accept: AcceptItem) -> bool:
        """Whether a node or relationship has an operand that is accepted."""
        return any(self._has_item(state, form, owner, accept) for owner in self._list_owners(state))

    def find_items(
        self, state: CypherState, form: ReturnForm, owner: OperandOwner, accept: AcceptItem
    ) -> list[ReturnItem]:
        """The operands of a form that a node or relationship has, and that are accepted."""
        return list(self._iterate_items(state, form, owner, accept))

    def _has_item(
        self, state: CypherState, form: ReturnForm, owner: OperandOwner, accept: AcceptItem
    ) -> bool:
        return next(self._iterate_items(state, form, owner, accept), None) is not None

    def _iterate_items(
        self, state: CypherState, form: ReturnForm, owner: OperandOwner, accept: AcceptItem
    ) -> Iterator[ReturnItem]:
        if form.is_whole_node:
            whole = owner.make_item(form)
            if owner.edge is None and accept(whole, ""):
                yield whole
            return
        for name, part, type in self._list_properties(state, owner):
            if type in NUMBERS or not form.needs_numbers:
                item = owner.make_item(form, name, part)
                if accept(item, type):
                    yield item

    def write_item(self, state: CypherState, item: ReturnItem) -> str:
        """An operand as one text."""
        owner = self.write_owner(state, OperandOwner(item.node, item.edge))
        key = f" {self.write_key(item)}" if item.key else ""
        return f" {item.form.word} {owner}{key}{self._write_term(state, item)}"

    def _write_term(self, state: CypherState, item: ReturnItem) -> str:
        """The text of what an operand is combined with; empty where there is nothing."""
        if item.term is None:
            return ""
        owner = self.write_owner(state, OperandOwner(item.term.node, item.term.edge))
        word = self._lexicon.wording.properties[item.term.key]
        return f" {TERM_WORDS[item.term.operator]} {owner} {write_property(word, item.term.part)}"

    def write_owner(self, state: CypherState, owner: OperandOwner) -> str:
        """The name of a node or a relationship."""
        if owner.edge is None:
            return state.words[owner.node]
        return self.write_edge([edge.type for edge in state.query.edges], owner.edge)

    def write_edge(self, types: Sequence[str], edge: int) -> str:
        """The name of a relationship: its type, numbered from the second one of that type on."""
        number = types[: edge + 1].count(types[edge])
        word = self._lexicon.wording.types[types[edge]]
        return f"[{word}]" if number == 1 else f"[{word}] {number}"

    def write_key(self, item: ReturnItem) -> str:
        """The words for the property of an operand."""
        return write_property(self._lexicon.wording.properties[item.key], item.part)

    def _list_owners(self, state: CypherState) -> Iterator[OperandOwner]:
        """All nodes that can be returned, then all relationships that can."""
        query = state.query
        for node in range(len(query.nodes)):
            if _is_usable(query, node, query.nodes[node].scope):
                yield OperandOwner(node)
        for index, edge in enumerate(query.edges if self._lexicon.is_wide else ()):
            if edge.type and _is_usable(query, -1, edge.scope):
                yield OperandOwner(edge.target, index)

    def _list_properties(self, state: CypherState, owner: OperandOwner) -> Sequence[TypedProperty]:
        """The properties of a node or relationship and the parts of their values."""
        edge = owner.edge
        key = state.ends[owner.node].labels if edge is None else state.query.edges[edge].type
        return self._properties.list_properties(key)


def _is_usable(query: QueryGraph, node: int, scope: int) -> bool:
    """Whether something can be said of a node (-1: of a relationship) of a scope: it can be
    returned, or it belongs to the scope of which first nodes are being taken."""
    if node >= 0 and query.nodes[node].same is not None:
        return False
    if query.open_rank:
        return scope == query.open_rank or node == query.scopes[-1].node
    return query.is_visible(scope)
