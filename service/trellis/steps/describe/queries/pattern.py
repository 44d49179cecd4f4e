"""Describe patterns: the nodes of a query with all that holds of them, as noun phrases.

A node is said with its own filters and the relationships that lead on from it. These stand in
brackets where the phrase would otherwise leave open what belongs to what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.meaning.items import ReturnItem
from trellis.automata.cypher.meaning.query import QueryFilter, QueryGraph
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.lexicon.plurals import add_article
from trellis.steps.describe.queries.filters import FilterDescriber, write_property_name
from trellis.steps.describe.queries.first_nodes import FirstNodes
from trellis.steps.describe.queries.items import ItemDescriber
from trellis.steps.describe.queries.modifiers import (
    ALL,
    EACH,
    EVERY,
    ONE,
    SINGLE,
    Determiner,
    Modifier,
    ModifierMaker,
    join_modifiers,
)
from trellis.steps.describe.queries.names import PatternNames
from trellis.steps.describe.queries.relationships import RelationshipDescriber
from trellis.steps.describe.queries.shape import (
    find_inlined_parts,
    find_property_type,
)


class PatternDescriber:
    """Describes the nodes of a pattern, which is a tree from its first node.

    `referred`: the items whose nodes and relationships are said once more outside of the pattern.
    """

    def __init__(
        self,
        query: QueryGraph,
        known: IndexedSchema,
        names: PatternNames,
        filters: FilterDescriber,
        items: ItemDescriber,
        referred: Sequence[ReturnItem],
    ) -> None:
        self._query = query
        self._schema = known.schema
        self._names = names
        self._filters = filters
        self._items = items
        self._first = FirstNodes.find(query)
        keys = self._first.iterate_referred_items() if self._first else ()
        owners = [o for item in (*referred, *keys) for o in (item, item.term) if o]
        nodes = {owner.node for owner in owners if owner.edge is None}
        self._inlined = dict(find_inlined_parts(query, nodes))
        again = {node.same for node in query.nodes} | set(self._iterate_compared_nodes())
        self._tagged = again | nodes
        self._relationships = RelationshipDescriber(
            query,
            known.schema,
            names,
            filters,
            {owner.edge for owner in owners if owner.edge is not None},
            self._describe_node,
        )

    def describe_root(self, determiner: Determiner) -> str:
        """The first node with all that holds of it, and the parts that nothing joins to it."""
        if self._is_first(0):
            return f"{self._describe_first(0, determiner)}{self._describe_parts()}"
        text = self.describe_head(0, determiner)
        makers = self._list_modifiers(0, determiner.is_plural)
        text = f"{text} {join_modifiers(makers)}" if makers else text
        return f"{text}{self._describe_parts()}"

    def has_modifiers(self) -> bool:
        """Whether anything holds of the first node, or beside it."""
        return bool(self._query.edges or self._query.nodes[0].filters or self._is_first(0))

    def describe_statement(self) -> str | None:
        """The pattern as a statement on its first node, where that has a name and one relationship
        leads on from it: `river Rhine flows through a country`."""
        makers = self._list_modifiers(0, is_plural=False)
        if self._is_first(0):
            return self._describe_first_statement(makers)
        plain = [edge for edge in self._query.edges if edge.source == 0]
        named = self._find_name_filter(0)
        if len(makers) != 1 or len(plain) != 1 or named is None or not plain[0].type:
            return None
        modifier, head = makers[0](True), self.describe_head(0, ONE)
        return f"{head} {modifier.text}" if modifier.lead == "that" else f"{modifier.text} {head}"

    def _describe_first_statement(self, makers: Sequence[ModifierMaker]) -> str | None:
        """`the river with the highest length is one that flows through a country`."""
        if not makers:
            return None
        first = self._describe_first(0, ONE, is_alone=True)
        return f"{first} is one {join_modifiers(makers)}{self._describe_parts()}"

    def _describe_parts(self) -> str:
        """The parts of the pattern that nothing joins to the first node."""
        parts = [
            self._describe_node(edge.target, EVERY, is_last=False)
            for edge in self._query.edges
            if not edge.type and edge.target not in self._inlined
        ]
        return "".join(f", combined with {part}" for part in parts)

    def describe_head(self, index: int, determiner: Determiner) -> str:
        """A node with its name, and its number where it is said once more."""
        noun = self._names.get_noun(index)
        named = self._find_name_filter(index)
        name = self._filters.describe_comparison(named).removeprefix("is ") if named else ""
        if name and named and determiner.can_be_name and not named.alternatives:
            head = f"{noun} {name}"
        else:
            nouns = self._names.get_nouns(index) if determiner.is_plural else noun
            is_article = determiner.text == "a"
            head = add_article(nouns) if is_article else f"{determiner.text} {nouns}".strip()
            head = f"{head} named {name}" if name else head
        is_tagged = index in self._tagged and self._names.has_number(index)
        return f"{head} ({self._names.refer_to_node(index)})" if is_tagged else head

    def _describe_node(self, index: int, determiner: Determiner, is_last: bool) -> str:
        node = self._query.nodes[index]
        if node.same is not None:
            return self._names.refer_to_node(node.same)
        if self._is_first(index):
            return self._describe_first(index, determiner)
        head = self.describe_head(index, determiner)
        makers = self._list_modifiers(index, determiner.is_plural)
        if not makers:
            return head
        text = join_modifiers(makers)
        return f"{head} {text}" if is_last and len(makers) == 1 else f"{head} ({text})"

    def _is_first(self, index: int) -> bool:
        """Whether only the first of such nodes are gone on from."""
        return self._first is not None and self._first.node == index

    def _describe_first(self, index: int, determiner: Determiner, is_alone: bool = False) -> str:
        """The first nodes in an order, with all that holds of them behind it.

        `is_alone`: without that.
        """
        first = self._first
        assert first
        text = first.write(
            self._describe_first_noun(first),
            join_modifiers(self._list_kept_modifiers(first)),
            self._find_superlative(first),
            self._items.describe_key(first.order, index),
        )
        is_all = determiner.is_plural
        makers = [] if is_alone else self._list_modifiers(index, is_all and not first.is_one)
        holds = join_modifiers(makers)
        if first.is_one:
            return f"{text} (if it is one {holds})" if makers else text
        if is_all:
            return f"{text} (only those {holds})" if makers else text
        text = f"{'each' if determiner in (EACH, EVERY) else 'one'} of {text}"
        return f"{text} (one {holds})" if makers else text

    def _find_superlative(self, first: FirstNodes) -> str:
        """What the first nodes are called; empty where they are ordered by more than themselves, or
        are no nodes but matches."""
        is_plain = first.is_own and not first.may_repeat(self._query)
        return self._names.find_superlative(first.order) if is_plain else ""

    def _describe_first_noun(self, first: FirstNodes) -> str:
        """What first nodes are called before they are put in an order."""
        repeats = first.may_repeat(self._query)
        noun = self.describe_head(first.node, SINGLE if first.is_one else ALL)
        return f"matches of {noun}" if repeats else noun

    def _list_kept_modifiers(self, first: FirstNodes) -> list[ModifierMaker]:
        """What holds of nodes before they are put in an order, beside their name."""
        named = self._find_name_filter(first.node)
        filters = self._query.nodes[first.node].filters
        makers = [
            self._make_filter_modifier(each)
            for each in filters
            if each is not named and not each.reference
        ]
        kept = self._relationships.iterate_kept_modifiers(first.node, not first.is_one)
        return makers + list(kept)

    def _find_name_filter(self, index: int) -> QueryFilter | None:
        """The filter that gives a node its name."""
        node = self._query.nodes[index]
        kind = self._schema.label(node.label)
        for each in node.filters:
            is_plain = not (each.part or each.is_negated or each.reference)
            if kind and each.property == kind.naming and each.operator == "=" and is_plain:
                return each
        return None

    def _list_modifiers(self, index: int, is_plural: bool) -> list[ModifierMaker]:
        """All that holds of a node beside its name; of first nodes, what holds of them once they
        are put in an order."""
        named = self._find_name_filter(index)
        filters = self._query.nodes[index].filters
        plain = [each for each in filters if each is not named and not each.reference]
        makers = [self._make_filter_modifier(each) for each in plain if not self._is_first(index)]
        if index not in self._inlined:
            makers += [
                self._make_reference_modifier(index, each, is_plural)
                for each in filters
                if each.reference
            ]
        makers += [
            self._make_reference_modifier(index, each, is_plural, part)
            for part, (owner, each) in self._inlined.items()
            if owner == index
        ]
        return makers + list(self._relationships.iterate_modifiers(index, is_plural))

    def _make_filter_modifier(self, each: QueryFilter) -> ModifierMaker:
        name = write_property_name(self._names.get_property_word(each.property), each.part)
        text = f"{name} {self._filters.describe_comparison(each)}"
        return lambda _: Modifier("whose", text)

    def _make_reference_modifier(
        self, index: int, each: QueryFilter, is_plural: bool, part: int | None = None
    ) -> ModifierMaker:
        """The modifier of a comparison with another node; `part`: that node, where it is described
        here."""
        assert each.reference
        owner = (
            self._names.refer_to_node(each.reference.node)
            if part is None
            else self._describe_node(part, ONE, is_last=False)
        )
        if not each.property:
            differs = (each.operator == "<>") != each.is_negated
            be, other = "are" if is_plural else "is", "other than" if differs else "the same as"
            return lambda _: Modifier("that", f"{be} {other} {owner}")
        name = write_property_name(self._names.get_property_word(each.property), each.part)
        value_type = find_property_type(self._query, index, each, self._schema)
        other = self._describe_reference(each, owner)
        text = f"{name} {self._filters.describe_comparison(each, other, value_type)}"
        return lambda _: Modifier("whose", text)

    def _describe_reference(self, each: QueryFilter, owner: str) -> str:
        """The property that another is compared with."""
        other = each.reference
        assert other
        if (other.property, other.part) == (each.property, each.part):
            return f"that of {owner}"
        name = self._names.get_property_word(other.property)
        return f"the {write_property_name(name, other.part)} of {owner}"

    def _iterate_compared_nodes(self) -> Iterator[int]:
        """The nodes with whose properties others are compared, those that are described there
        aside."""
        for index, node in enumerate(self._query.nodes):
            if index not in self._inlined:
                yield from (each.reference.node for each in node.filters if each.reference)
