"""The beginnings of conditions: a property, perhaps negated or in a bracket, up to its operator.

Conditions of one property begin alike, and differ in their operators and in what they compare
with. `p.born` begins `p.born > $v0`, `p.born IN [$v0, $v1]` and `p.born IS NULL`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trellis.automata.cypher.clauses.texts import write_property, write_value
from trellis.automata.cypher.meaning.query import QueryFilter
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.filter_kinds import TEXT_OPERATORS, FilterKind


@dataclass(frozen=True, slots=True)
class ConditionOwner:
    """A node, or a relationship (`is_edge`), by its index, with its variable."""

    index: int
    is_edge: bool
    variable: str


@dataclass(frozen=True, slots=True)
class ConditionEntry:
    """A condition that a head begins, by its kind.

    `has_several`: it is compared with several values. `first`: the index of its first value where
    the head says that already, else -1.
    """

    kind: FilterKind
    has_several: bool = False
    first: int = -1


@dataclass(frozen=True, slots=True)
class ConditionHead:
    """A text with which some conditions of an owner begin."""

    text: str
    owner: ConditionOwner
    entries: tuple[ConditionEntry, ...]


class ConditionHeads:
    """Lists the heads of all conditions of an owner; each list is made once."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._listed: dict[object, tuple[ConditionHead, ...]] = {}

    def list_heads(
        self, owner: ConditionOwner, key: str | tuple[str, ...]
    ) -> tuple[ConditionHead, ...]:
        """All heads; `key`: the labels that the node can have, or the type of the relationship."""
        found = self._listed.get((owner, key))
        if found is None:
            kinds = self.list_kinds(key)
            found = self._listed[owner, key] = tuple(self._group_entries(owner, kinds))
        return found

    def list_kinds(self, key: str | tuple[str, ...]) -> Sequence[FilterKind]:
        """The conditions of nodes of some labels, or of a relationship type, in their order."""
        lexicon = self._lexicon
        return lexicon.list_edge_filters(key) if isinstance(key, str) else lexicon.list_filters(key)

    def _group_entries(
        self, owner: ConditionOwner, kinds: Sequence[FilterKind]
    ) -> Iterator[ConditionHead]:
        grouped: dict[str, list[ConditionEntry]] = {}
        for kind in kinds:
            for text, entry in self._iterate_entries(owner.variable, kind):
                grouped.setdefault(text, []).append(entry)
        for text, entries in grouped.items():
            yield ConditionHead(text, owner, tuple(entries))

    def _iterate_entries(
        self, variable: str, kind: FilterKind
    ) -> Iterator[tuple[str, ConditionEntry]]:
        """The texts with which a condition can begin, one for one value and one for several."""
        of = write_property(variable, kind.property, kind.part)
        negation = " NOT" if kind.is_negated else ""
        can_have_several = self._lexicon.is_wide and kind.has_alternatives()
        if kind.operator == "HAS":
            for at in range(len(kind.values)):
                said = self._write_membership(kind, at, of)
                yield f"{negation} {said}", ConditionEntry(kind, first=at)
                if can_have_several and at + 1 < len(kind.values):
                    yield f"{negation} ({said}", ConditionEntry(kind, True, at)
            return
        yield f"{negation} {of}", ConditionEntry(kind)
        if can_have_several and len(kind.values) > 1:
            bracket = "(" if kind.operator in TEXT_OPERATORS else ""
            negation = " NOT" if kind.is_negated or kind.operator == "<>" else ""
            yield f"{negation} {bracket}{of}", ConditionEntry(kind, True)

    def _write_membership(self, kind: FilterKind, at: int, of: str) -> str:
        return f"{self.write_choice(kind, at)} IN {of}"

    def write_choice(self, kind: FilterKind, at: int) -> str:
        """One value that a condition can compare with."""
        return write_value(self._lexicon.values[kind.values[at][1][0]], kind.part)


def is_used(kind: FilterKind, filters: Sequence[QueryFilter]) -> bool:
    """Whether a condition of a kind is among some filters."""
    mine = _make_key(kind, kind.has_reference)
    return any(_make_key(each, each.reference is not None) == mine for each in filters)


def _make_key(each: FilterKind | QueryFilter, has_reference: bool) -> tuple[object, ...]:
    return each.property, each.operator, each.part, each.is_negated, has_reference
