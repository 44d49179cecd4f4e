"""The filters that a sentence offers at a node, with their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from trellis.automata.cypher.meaning.query import ORDERED_OPERATORS
from trellis.automata.cypher.words.filter_kinds import FilterKind
from trellis.automata.cypher.words.keyed_texts import KeyedTexts
from trellis.automata.cypher.words.references import ComparableProperties, Labels, may_be_same
from trellis.automata.cypher.words.wording import IS_NOT, Wording, write_comparison

_MOST_KEPT = 1 << 11

NumberedFilter = tuple[int, FilterKind]
"""A filter with its index among all filters of its owner, which are said in their order."""


@dataclass(frozen=True, slots=True, eq=False)
class OfferedFilters:
    """The filters that may be said next, and their texts in the same order."""

    filters: tuple[NumberedFilter, ...]
    keyed: KeyedTexts

    @classmethod
    def of(cls, filters: Iterable[NumberedFilter], wording: Wording) -> OfferedFilters:
        listed = tuple(filters)
        return cls(listed, KeyedTexts.of(f" {write_filter(each, wording)}" for _, each in listed))


class FilterOffers:
    """Finds the filters that a node offers, by what decides them; those asked for last are kept.

    They follow from the labels that the node can have, its last filter, and the labels of the nodes
    that it can be compared with. So sentences share them, and most are found again.
    """

    def __init__(
        self,
        wording: Wording,
        comparable: ComparableProperties,
        list_filters: Callable[[Labels], Sequence[FilterKind]],
    ) -> None:
        self._wording = wording
        self._comparable = comparable
        self._list_filters = list_filters
        self.find = lru_cache(_MOST_KEPT)(self._find)

    def _find(self, labels: Labels, filtered: int, visible: tuple[Labels, ...]) -> OfferedFilters:
        """The filters behind the one with index `filtered` of a node of some labels.

        `visible`: the labels of the nodes that it can be compared with; the last is the node.
        """
        numbered = enumerate(self._list_filters(labels)[filtered + 1 :], filtered + 1)
        return OfferedFilters.of(
            (
                (index, kind)
                for index, kind in numbered
                if not kind.has_reference or self._has_reference(labels, kind, visible)
            ),
            self._wording,
        )

    def _has_reference(self, labels: Labels, kind: FilterKind, visible: tuple[Labels, ...]) -> bool:
        """Whether there is something that a property of a node can be compared with."""
        *others, own = visible
        if not kind.property:
            return any(may_be_same(each, own) for each in others)
        ordered = kind.operator in ORDERED_OPERATORS
        find = partial(self._comparable.find, labels, kind.property, is_ordered=ordered)
        return bool(find(own, is_same_node=True)) or any(
            find(each, is_same_node=False) for each in others
        )


def write_filter(kind: FilterKind, wording: Wording) -> str:
    """The words of a filter: its property and its operator."""
    if not kind.property:
        return IS_NOT
    word = wording.properties[kind.property]
    return write_comparison(word, kind.operator, kind.part, kind.is_negated, kind.has_reference)
