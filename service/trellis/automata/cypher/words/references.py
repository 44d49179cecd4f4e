"""The properties that other properties can be compared with, by a schema alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from trellis.automata.cypher.words.property_types import are_comparable
from trellis.domain.graphs.schema import PropertyKind

Labels = tuple[str, ...]
"""The labels that a node can have, of which it has one."""

_MOST_KEPT = 1 << 14


class ComparableProperties:
    """Finds the properties of a node that a property of another node can be compared with.

    What was asked for last is kept, as the states of all sentences ask for the same few.
    """

    def __init__(self, list_properties: Callable[[Labels], Sequence[PropertyKind]]) -> None:
        self._list_properties = list_properties
        self.find = lru_cache(_MOST_KEPT)(self._find)

    def _find(
        self,
        labels: Labels,
        name: str,
        other_labels: Labels,
        *,
        is_same_node: bool,
        is_ordered: bool,
    ) -> tuple[str, ...]:
        """The names of the properties of a node of `other_labels` that the property `name` of a
        node of `labels` can be compared with; of one node, each two properties once.

        Which of two comes first (`is_ordered`) is asked of texts of one property alone, of nodes
        that may have one label: no rank comes before a city, and no waterfall before its river.
        """
        type_of = {kind.name: kind.type for kind in self._list_properties(labels)}
        is_of_one = is_ordered and type_of[name] == "STRING"
        if is_of_one and not may_be_same(labels, other_labels):
            return ()
        return tuple(
            other.name
            for other in self._list_properties(other_labels)
            if are_comparable(type_of[name], other.type)
            and (not is_same_node or other.name > name)
            and (not is_of_one or other.name == name)
        )


def may_be_same(labels: Labels, other_labels: Labels) -> bool:
    """Whether two nodes of a pattern can be one, by their labels."""
    return not set(labels).isdisjoint(other_labels)
