"""First nodes: those of a node that come first in an order, before the rest is matched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trellis.automata.cypher.meaning.items import ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.query import QueryGraph, QueryScope
from trellis.steps.describe.queries.items import has_one_owner, write_first

PLACES = ("", "second ", "third ", "fourth ", "fifth ")
"""How the place of one row is said, by how many are left out before it."""


@dataclass(frozen=True, slots=True)
class FirstNodes:
    """The first nodes of a query: the node, the number of their scope and the scope itself."""

    node: int
    number: int
    scope: QueryScope

    @property
    def is_one(self) -> bool:
        return self.scope.limit == 1

    @classmethod
    def find(cls, query: QueryGraph) -> FirstNodes | None:
        """Those of a query; None where all nodes are gone on from."""
        number = query.find_rank()
        scope = query.scopes[number - 1] if number else None
        return cls(scope.node, number, scope) if scope and scope.order else None

    @property
    def order(self) -> ReturnOrder:
        assert self.scope.order
        return self.scope.order

    @property
    def is_own(self) -> bool:
        """Whether the nodes are ordered by what is of themselves alone."""
        key = self.order.item
        is_of_nodes = (key.node, key.edge) == (self.node, None)
        return is_of_nodes and has_one_owner(key) and not key.is_aggregate

    def iterate_referred_items(self) -> Iterator[ReturnItem]:
        """What the nodes are ordered by, where that is of more than themselves."""
        if not self.is_own:
            yield self.order.item

    def may_repeat(self, query: QueryGraph) -> bool:
        """Whether one of several nodes may be among the first ones more than once: it may match the
        pattern in several ways, each of which counts."""
        edges = [edge for edge in query.edges if edge.scope == self.number]
        ends = [query.nodes[edge.target] for edge in edges]
        is_fixed = all(
            any(f.operator == "=" and f.values and not f.is_negated for f in end.filters)
            for end in ends
        )
        return not (self.is_one or self.order.item.is_aggregate or is_fixed)

    def write(self, noun: str, modifiers: str, superlative: str, key: str) -> str:
        """`the 5 oldest customers (that bought a product; highest age)`.

        `noun`: what the nodes are called; `modifiers`: what held of them before they were put in an
        order; `superlative`: what the first ones are called, empty where that is not known; `key`:
        what they are ordered by, behind `highest`.
        """
        scope = self.scope
        has_place = self.is_one and scope.skip < len(PLACES)
        place = PLACES[scope.skip] if has_place else ""
        count = "" if self.is_one else f"{scope.limit} "
        behind = f" (without the first {scope.skip})" if scope.skip and not has_place else ""
        nouns = f"{count}{place}{superlative} {noun}" if superlative else f"{count}{noun}"
        first = write_first(nouns, f"{place}{key}", modifiers, is_called=bool(superlative))
        return f"{first}{behind}"
