"""The moves that say an operand: a form, a node or relationship, one of its properties.

Items that are returned, orders and conditions on groups are all made of operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from trellis.automata.cypher.lexicon import DATES, NUMBERS, Lexicon, has_numeric_texts, is_list
from trellis.automata.cypher.query import ReturnForm, ReturnItem
from trellis.automata.cypher.state import CypherState, MoveGroup
from trellis.automata.cypher.wording import write_property
from trellis.domain.schema import PropertyKind

UseItem = Callable[[CypherState, ReturnItem], CypherState]
"""The state behind an operand that was said, of the state before its last move."""

AcceptItem = Callable[[ReturnItem, str], bool]
"""Whether an operand whose value has a type can be said; a node's type is empty."""


@dataclass(frozen=True, slots=True)
class OperandOwner:
    """A node, or the relationship that leads to it, of which something is said."""

    node: int
    edge: int | None = None

    def make_item(self, form: ReturnForm, key: str = "", part: str = "") -> ReturnItem:
        return ReturnItem(form, self.node, key, part, self.edge)


class Operands:
    """What can be said of the nodes and relationships of a pattern."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def say_form(
        self, state: CypherState, forms: Sequence[ReturnForm], use: UseItem, accept: AcceptItem
    ) -> MoveGroup:
        """The forms of operands that are accepted; behind one comes of what it is."""
        possible = [form for form in forms if self.find_owners(state, form, accept)]
        return MoveGroup.of(
            "form",
            [f" {form.word}" for form in possible],
            lambda i: state.with_next(partial(self.say_owner, possible[i], use, accept)),
        )

    def say_owner(
        self, form: ReturnForm, use: UseItem, accept: AcceptItem, state: CypherState
    ) -> Iterator[MoveGroup]:
        """The nodes and relationships that an operand of a form can be of."""
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
        yield MoveGroup.of("property", texts, lambda i: use(state, items[i]))

    def find_owners(
        self, state: CypherState, form: ReturnForm, accept: AcceptItem
    ) -> list[OperandOwner]:
        """The nodes and relationships of which an operand can be said."""
        return [
            owner
            for owner in self._list_owners(state)
            if self.find_items(state, form, owner, accept)
        ]

    def find_items(
        self, state: CypherState, form: ReturnForm, owner: OperandOwner, accept: AcceptItem
    ) -> list[ReturnItem]:
        """The operands of a form that can be said of a node or relationship."""
        if form.is_whole_node:
            whole = owner.make_item(form)
            return [whole] if owner.edge is None and accept(whole, "") else []
        typed = (
            (owner.make_item(form, kind.name, part), type)
            for kind in self._list_properties(state, owner)
            for part, type in self._list_parts(kind)
            if type in NUMBERS or not form.needs_numbers
        )
        return [item for item, type in typed if accept(item, type)]

    def write_item(self, state: CypherState, item: ReturnItem) -> str:
        """How an operand is said, as one text."""
        owner = self.write_owner(state, OperandOwner(item.node, item.edge))
        key = f" {self.write_key(item)}" if item.key else ""
        return f" {item.form.word} {owner}{key}"

    def write_owner(self, state: CypherState, owner: OperandOwner) -> str:
        """What a node or a relationship is called."""
        if owner.edge is None:
            return state.words[owner.node]
        return self.write_edge([edge.type for edge in state.query.edges], owner.edge)

    def write_edge(self, types: Sequence[str], edge: int) -> str:
        """What a relationship is called: its type, numbered from the second one of it on."""
        number = types[: edge + 1].count(types[edge])
        word = self._lexicon.wording.types[types[edge]]
        return f"[{word}]" if number == 1 else f"[{word}] {number}"

    def write_key(self, item: ReturnItem) -> str:
        """What the property of an operand is called."""
        return write_property(self._lexicon.wording.properties[item.key], item.part)

    def _list_owners(self, state: CypherState) -> Iterator[OperandOwner]:
        """All nodes that can be returned, then all relationships that can."""
        query = state.query
        for node in range(len(query.nodes)):
            if query.is_returnable(node):
                yield OperandOwner(node)
        for index, edge in enumerate(query.edges if self._lexicon.is_wide else ()):
            if edge.type and query.is_visible(edge.scope):
                yield OperandOwner(edge.target, index)

    def _list_properties(self, state: CypherState, owner: OperandOwner) -> Sequence[PropertyKind]:
        if owner.edge is None:
            return self._lexicon.properties(state.ends[owner.node].labels)
        return self._lexicon.relationship_properties(state.query.edges[owner.edge].type)

    def _list_parts(self, kind: PropertyKind) -> Iterator[tuple[str, str]]:
        """A property itself and the parts of its value, each with its type."""
        yield "", kind.type
        if not self._lexicon.is_wide:
            return
        if kind.type in DATES:
            yield from ((part, "INTEGER") for part in ("year", "month", "day"))
        if is_list(kind.type):
            yield "size", "INTEGER"
        if has_numeric_texts(kind):
            yield from (("integer", "INTEGER"), ("decimal", "FLOAT"))
