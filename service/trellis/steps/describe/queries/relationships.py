"""Describe relationships: those that lead on from a node, as modifiers of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from trellis.automata.cypher.meaning.query import (
    OPEN_OPERATORS,
    Direction,
    QueryEdge,
    QueryGraph,
    QueryScope,
)
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.schema import Schema
from trellis.steps.describe.phrases import join_phrases
from trellis.steps.describe.queries.filters import FilterDescriber, write_property_name
from trellis.steps.describe.queries.modifiers import (
    ANY,
    NO,
    ONE,
    SOME,
    Determiner,
    Modifier,
    ModifierMaker,
    join_modifiers,
)
from trellis.steps.describe.queries.names import PatternNames
from trellis.steps.describe.queries.shape import find_direction

_SCOPE_TEXTS = {"some": "this is so", "none": "this is not so", "optional": "this may be so"}


DescribeNode = Callable[[int, Determiner, bool], str]
"""Describes a node behind a determiner; whether it is the last of its phrase."""


class RelationshipDescriber:
    """Describes the relationships of a pattern, which is a tree from its first node.

    `tagged_edges`: those that are said once more outside of the pattern.
    """

    def __init__(
        self,
        query: QueryGraph,
        schema: Schema,
        names: PatternNames,
        filters: FilterDescriber,
        tagged_edges: Collection[int],
        describe_node: DescribeNode,
    ) -> None:
        self._query = query
        self._schema = schema
        self._names = names
        self._filters = filters
        self._tagged_edges = tagged_edges
        self._describe_node = describe_node

    def iterate_modifiers(self, index: int, is_plural: bool) -> Iterator[ModifierMaker]:
        """The relationships that lead on from a node; those of a condition that begins with
        several are one modifier."""
        begun: dict[int, list[int]] = {}
        for number, edge in enumerate(self._query.edges):
            if edge.source != index or not edge.type:
                continue
            if edge.scope == self._query.nodes[index].scope:
                yield self._make_edge_modifier(number, is_plural, None)
            elif self._query.scopes[edge.scope - 1].kind != "first":
                begun.setdefault(edge.scope, []).append(number)
        for scope, numbers in begun.items():
            yield self._make_scope_modifier(self._query.scopes[scope - 1], numbers, is_plural)

    def iterate_kept_modifiers(self, index: int, is_plural: bool) -> Iterator[ModifierMaker]:
        """The relationships that choose the first of such nodes."""
        rank = self._query.find_rank()
        for number, edge in enumerate(self._query.edges):
            if edge.source == index and edge.scope == rank:
                yield self._make_edge_modifier(number, is_plural, None)

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
        period = self._filters.describe_period(edge.filters)
        notes += [period] if period else []
        notes += [
            f"{write_property_name(self._names.get_property_word(each.property), each.part)} "
            f"{self._filters.describe_comparison(each)}"
            for each in edge.filters
            if not (period and each.operator in OPEN_OPERATORS)
        ]
        return f" ({join_phrases(notes)})" if notes else ""
