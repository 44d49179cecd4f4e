"""Describe patterns: the nodes of a query with all that holds of them, as noun phrases.

A node is said with its own filters and the relationships that lead on from it. These stand in
brackets where the phrase would otherwise leave open what belongs to what.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from trellis.automata.cypher.lexicon import IndexedSchema
from trellis.automata.cypher.query import (
    Direction,
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryScope,
)
from trellis.domain.errors import CypherReadError
from trellis.steps.queries.describing.filters import FilterDescriber, write_property_name
from trellis.steps.queries.describing.modifiers import (
    ANY,
    EVERY,
    NO,
    ONE,
    SOME,
    Determiner,
    Modifier,
    ModifierMaker,
    join_modifiers,
)
from trellis.steps.queries.describing.names import PatternNames
from trellis.steps.queries.describing.shape import find_direction, find_inlined_parts
from trellis.steps.shared.phrases import add_article, join_phrases

_SCOPE_TEXTS = {"some": "this is so", "none": "this is not so", "optional": "this may be so"}


class PatternDescriber:
    """Describes the nodes of a pattern, which is a tree from its first node.

    `referred`: the nodes and the relationships that are said once more outside of the pattern.
    """

    def __init__(
        self,
        query: QueryGraph,
        known: IndexedSchema,
        names: PatternNames,
        filters: FilterDescriber,
        referred: tuple[Collection[int], Collection[int]],
    ) -> None:
        self._query = query
        self._schema = known.schema
        self._names = names
        self._filters = filters
        self._inlined = dict(find_inlined_parts(query, referred[0]))
        again = {node.same for node in query.nodes} | set(self._iterate_compared_nodes())
        self._tagged = again | set(referred[0])
        self._tagged_edges = set(referred[1])

    def describe_root(self, determiner: Determiner) -> str:
        """The first node with all that holds of it, and the parts that nothing joins to it."""
        text = self.describe_head(0, determiner)
        makers = self._list_modifiers(0, determiner.is_plural)
        text = f"{text} {join_modifiers(makers)}" if makers else text
        parts = [
            self._describe_node(edge.target, EVERY, is_last=False)
            for edge in self._query.edges
            if not edge.type and edge.target not in self._inlined
        ]
        return "".join((text, *(f", combined with {part}" for part in parts)))

    def has_modifiers(self) -> bool:
        """Whether anything holds of the first node, or beside it."""
        return bool(self._query.edges or self._query.nodes[0].filters)

    def describe_statement(self) -> str | None:
        """The pattern as a statement on its first node, where that has a name and one relationship
        leads on from it: `river Rhine flows through a country`."""
        makers = self._list_modifiers(0, is_plural=False)
        plain = [edge for edge in self._query.edges if edge.source == 0]
        named = self._find_name_filter(0)
        if len(makers) != 1 or len(plain) != 1 or named is None or not plain[0].type:
            return None
        modifier, head = makers[0](True), self.describe_head(0, ONE)
        return f"{head} {modifier.text}" if modifier.lead == "that" else f"{modifier.text} {head}"

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
        head = self.describe_head(index, determiner)
        makers = self._list_modifiers(index, determiner.is_plural)
        if not makers:
            return head
        text = join_modifiers(makers)
        return f"{head} {text}" if is_last and len(makers) == 1 else f"{head} ({text})"

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
        """All that holds of a node beside its name."""
        named = self._find_name_filter(index)
        makers: list[ModifierMaker] = [
            self._make_filter_modifier(each)
            for each in self._query.nodes[index].filters
            if each is not named and not (each.reference and index in self._inlined)
        ]
        makers += [
            self._make_filter_modifier(each, part)
            for part, (owner, each) in self._inlined.items()
            if owner == index
        ]
        return makers + list(self._iterate_edge_modifiers(index, is_plural))

    def _make_filter_modifier(self, each: QueryFilter, part: int | None = None) -> ModifierMaker:
        """The modifier of a filter; `part`: the node with whose property it compares, which is
        described here."""
        name = write_property_name(self._names.get_property_word(each.property), each.part)
        other = self._describe_reference(each, part) if each.reference else ""
        text = f"{name} {self._filters.describe_comparison(each, other)}"
        return lambda _: Modifier("whose", text)

    def _describe_reference(self, each: QueryFilter, part: int | None) -> str:
        """The property that another is compared with."""
        other = each.reference
        assert other
        owner = (
            self._names.refer_to_node(other.node)
            if part is None
            else self._describe_node(part, ONE, is_last=False)
        )
        if (other.property, other.part) == (each.property, each.part):
            return f"that of {owner}"
        name = self._names.get_property_word(other.property)
        return f"the {write_property_name(name, other.part)} of {owner}"

    def _iterate_edge_modifiers(self, index: int, is_plural: bool) -> Iterator[ModifierMaker]:
        """The relationships that lead on from a node; those of a condition that begins with
        several are one modifier."""
        begun: dict[int, list[int]] = {}
        for number, edge in enumerate(self._query.edges):
            if edge.source != index or not edge.type:
                continue
            if edge.scope == self._query.nodes[index].scope:
                yield self._make_edge_modifier(number, is_plural, None)
            else:
                begun.setdefault(edge.scope, []).append(number)
        for scope, numbers in begun.items():
            yield self._make_scope_modifier(self._query.scopes[scope - 1], numbers, is_plural)

    def _make_scope_modifier(
        self, scope: QueryScope, numbers: Sequence[int], is_plural: bool
    ) -> ModifierMaker:
        number_of_scope = self._query.edges[numbers[0]].scope
        outer = [
            edge
            for edge in self._query.edges
            if edge.scope == number_of_scope
            and self._query.nodes[edge.source].scope != number_of_scope
        ]
        if len(outer) > len(numbers):
            raise CypherReadError("a condition that begins at several nodes cannot be described")
        if len(numbers) == 1:
            return self._make_edge_modifier(numbers[0], is_plural, scope)
        inside = [self._make_edge_modifier(number, is_plural, None) for number in numbers]
        known = (
            _SCOPE_TEXTS.get(scope.kind)
            or f"this is so {self._filters.describe_number(scope.operator, scope.values)} times"
        )
        return lambda _: Modifier("for which", f"{known}: ({join_modifiers(inside)})")

    def _make_edge_modifier(
        self, number: int, is_plural: bool, scope: QueryScope | None
    ) -> ModifierMaker:
        """The modifier of a relationship; `scope`: what begins with it."""

        def make_modifier(is_last: bool) -> Modifier:
            edge = self._query.edges[number]
            direction = find_direction(self._query, edge, self._schema)
            is_inverse = direction == "in"
            adverb, determiner, is_negated = self._describe_scope(edge, scope, is_inverse)
            end = edge.source if is_inverse else edge.target
            predicate = self._names.get_phrase(number).write_predicate(
                self._names.get_noun(end),
                determiner.is_plural if is_inverse else is_plural,
                is_negated,
            )
            notes = self._describe_notes(number, direction)
            other = self._describe_node(edge.target, determiner, is_last and not is_inverse)
            if is_inverse:
                return Modifier("inverse", f"{adverb}{other} {predicate}{notes}")
            return Modifier("that", f"{adverb}{predicate}{notes} {other}")

        return make_modifier

    def _describe_scope(
        self, edge: QueryEdge, scope: QueryScope | None, is_inverse: bool
    ) -> tuple[str, Determiner, bool]:
        """What a scope makes of its first relationship: an adverb, the determiner of its node, and
        whether it is negated."""
        comes_back = self._query.nodes[edge.target].same is not None
        match scope.kind if scope else "":
            case "some":
                return "in some way " if comes_back else "", SOME, False
            case "none" if is_inverse and not comes_back:
                return "", NO, False
            case "none":
                return "", ANY, True
            case "optional":
                return "optionally ", ONE, False
            case "number":
                assert scope
                number = self._filters.describe_number(scope.operator, scope.values)
                is_single = sum(other.scope == edge.scope for other in self._query.edges) == 1
                if is_single and not comes_back:
                    return "", Determiner(number, is_plural=True), False
                return f"in {number} ways ", ONE, False
        return "", ONE, False

    def _describe_notes(self, number: int, direction: Direction) -> str:
        """What is said of a relationship itself, in brackets."""
        edge, notes = self._query.edges[number], list[str]()
        if number in self._tagged_edges and self._names.has_edge_number(number):
            notes.append(self._names.refer_to_edge(number))
        if direction == "any":
            notes.append("in either direction")
        notes += [
            f"{write_property_name(self._names.get_property_word(each.property), each.part)} "
            f"{self._filters.describe_comparison(each)}"
            for each in edge.filters
        ]
        return f" ({join_phrases(notes)})" if notes else ""

    def _iterate_compared_nodes(self) -> Iterator[int]:
        """The nodes with whose properties others are compared, those that are described there
        aside."""
        for index, node in enumerate(self._query.nodes):
            if index not in self._inlined:
                yield from (each.reference.node for each in node.filters if each.reference)
