"""Describe queries: say in plain English what a query asks for.

The text is made of the query alone, never of the question, so that whoever asked can see how it
was understood: `countries that are in continent Africa and do not border a country named Chad`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.meaning.items import LIST, WHETHER, ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.query import QueryFilter, QueryGraph
from trellis.automata.cypher.sentences.trees import find_root, join_same_nodes, make_tree
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.graphs.links import StoredValue
from trellis.steps.describe.phrases import join_phrases
from trellis.steps.describe.queries.distinct import describe_distinct_edges
from trellis.steps.describe.queries.filters import FilterDescriber
from trellis.steps.describe.queries.first_nodes import PLACES
from trellis.steps.describe.queries.items import ItemDescriber, has_one_owner
from trellis.steps.describe.queries.modifiers import ALL, ANY, EACH
from trellis.steps.describe.queries.names import PatternNames
from trellis.steps.describe.queries.pattern import PatternDescriber


def describe_query(query: QueryGraph, values: Sequence[StoredValue], known: IndexedSchema) -> str:
    """What a query asks for, in plain English; empty where it asks for nothing.

    `values`: the linked values that its filters have indices of. Raises CypherReadError where its
    pattern hangs together in no way that can be said.
    """
    if not query.items:
        return ""
    joined = join_same_nodes(query)
    tree = make_tree(joined, find_root(joined))
    return _QueryDescriber(tree, values, known).describe_query()


class _QueryDescriber:
    """Describes what is returned of a pattern."""

    def __init__(
        self, query: QueryGraph, values: Sequence[StoredValue], known: IndexedSchema
    ) -> None:
        self._query = query
        self._names = PatternNames(query, known)
        self._filters = FilterDescriber(values)
        self._items = ItemDescriber(self._names)
        self._pattern = PatternDescriber(
            query,
            known,
            self._names,
            self._filters,
            self._items,
            [*self._iterate_referred_items()],
        )

    def describe_query(self) -> str:
        distinct = describe_distinct_edges(self._query, self._names)
        return "; ".join((self._describe_rows(), *distinct))

    def _describe_rows(self) -> str:
        query = self._query
        if query.items[0].form == WHETHER:
            statement = self._pattern.describe_statement()
            return f"whether {statement or f'there is {self._pattern.describe_root(ANY)}'}"
        if self._has_best_rows():
            return self._describe_best_rows()
        if self._has_one_item():
            text = self._items.describe_item(query.items[0], self._pattern.describe_root(ALL))
        elif query.is_grouped:
            text = self._describe_groups()
        else:
            items = join_phrases([self._items.refer_to_item(item) for item in query.items])
            is_told = not query.is_distinct or "different" in items
            different = "" if is_told else " (different ones only)"
            text = f"for {self._pattern.describe_root(ALL)}: {items}{different}"
        return "; ".join((text, *self._iterate_conditions(), *self._iterate_row_limits()))

    def _has_one_item(self) -> bool:
        """Whether one thing is returned of the first node, over which the rest is said."""
        query = self._query
        first = query.items[0]
        is_of_root = first.node == 0 and first.edge is None
        is_alone = len(query.items) == 1 and has_one_owner(first)
        return is_of_root and is_alone and not query.needs_grouping_first

    def _has_best_rows(self) -> bool:
        """Whether a few rows of the first node are returned, by one of its properties."""
        query = self._query
        if not self._has_one_item() or len(query.orders) != 1 or query.limit is None:
            return False
        item, by = query.items[0], query.orders[0].item
        is_plain = not item.is_aggregate and not item.form.distinct and not by.is_aggregate
        has_place = not query.skip or (query.limit == 1 and query.skip < len(PLACES))
        return is_plain and has_place and _is_root_property(by)

    def _iterate_referred_items(self) -> Iterator[ReturnItem]:
        """The items that refer to the pattern from outside of its description."""
        if self._has_best_rows() or self._query.items[0].form == WHETHER:
            return
        if not self._has_one_item():
            yield from self._query.items
        yield from (order.item for order in self._query.orders)
        yield from (condition.item for condition in self._query.conditions)
        yield from (ReturnItem(LIST, group, "") for group in self._query.groups)

    def _describe_best_rows(self) -> str:
        """`the 3 most populous countries (highest population)`, of all or of some."""
        query = self._query
        item, limit, has_modifiers = query.items[0], query.limit, self._pattern.has_modifiers()
        nouns = self._names.get_noun(0) if limit == 1 else self._names.get_nouns(0)
        noun = "" if has_modifiers else nouns
        best = self._items.describe_best(query.orders[0], limit, PLACES[query.skip], noun)
        if not has_modifiers:
            return self._items.describe_item(item, best)
        of = self._items.describe_item(item, best) if item.key else best
        return f"of {self._pattern.describe_root(ALL)}: {of}"

    def _describe_groups(self) -> str:
        """What is returned of each group of matches."""
        query, keys = self._query, list(self._iterate_keys())
        others = [key for key in keys if key.node or key.key or key.edge is not None]
        has_root = 0 in query.groups or len(others) < len(keys)
        texts = [self._names.refer_to_node(node) for node in query.groups if node]
        if not has_root and not texts and keys and all(map(_is_root_property, keys)):
            names = join_phrases([self._items.write_property(key) for key in keys])
            each = f"each {names} of {self._pattern.describe_root(ALL)}"
        else:
            texts += [self._items.refer_to_item(key) for key in others]
            root = self._pattern.describe_root(EACH if has_root else ALL)
            each = ", ".join((root, *(f"by {text}" for text in texts)))
        items = [self._items.refer_to_item(item, has_root) for item in query.items]
        return f"for {each}: {join_phrases(items)}"

    def _iterate_keys(self) -> Iterator[ReturnItem]:
        """What tells groups apart beside the nodes by which they are made."""
        operands = {item.column: item for item in self._query.list_operands()}
        for item in operands.values():
            owners = (item, item.term) if item.term else (item,)
            of_groups = [o.edge is None and o.node in self._query.groups for o in owners]
            if not item.is_aggregate and not all(of_groups):
                yield item

    def _iterate_conditions(self) -> Iterator[str]:
        """What must hold of each group."""
        for each in self._query.conditions:
            compared = QueryFilter(each.item.key, each.operator, each.values)
            holds = self._filters.describe_comparison(compared)
            yield f"only where {self._items.refer_to_item(each.item)} {holds}"

    def _iterate_row_limits(self) -> Iterator[str]:
        """The order of the rows, and how many there are of them."""
        query = self._query
        if query.orders:
            keys = map(self._describe_order, query.orders)
            yield f"ordered by {', then by '.join(keys)}"
        if query.skip:
            yield f"without the first {query.skip}"
        if query.limit is not None:
            count = "one" if query.limit == 1 else query.limit
            yield f"only the first {count}" if query.orders else f"any {query.limit} of them"

    def _describe_order(self, order: ReturnOrder) -> str:
        first = self._names.find_superlative(order) or self._items.write_extreme(order)
        return f"{self._items.refer_to_item(order.item)} ({first} first)"


def _is_root_property(item: ReturnItem) -> bool:
    """Whether an item is a property of the first node."""
    return item.node == 0 and item.edge is None and bool(item.key) and has_one_owner(item)
