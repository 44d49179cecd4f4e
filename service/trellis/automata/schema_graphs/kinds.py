"""Which relations may join nodes of which labels, so that all relations of a graph fit together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trellis.domain.graphs.schema import RelationshipKind, Schema

Labels = frozenset[int]
"""Labels by number."""

LabelPairs = frozenset[tuple[int, int]]
"""The labels of a subject and of an object."""

Domains = tuple[Labels, ...]
"""For each entity the labels that it may have."""


@dataclass(frozen=True)
class RelationKinds:
    """The relationship types of a graph, and between which labels each leads.

    `kinds` [n, 3]: type, label of the start, and label of the end, as numbers. Every node has one
    label; where nodes may have none or several, there is a single label, and all types fit.
    """

    types: tuple[str, ...]
    labels: tuple[str, ...]
    kinds: tuple[tuple[int, int, int], ...]

    @classmethod
    def of_schema(cls, schema: Schema) -> RelationKinds:
        """The kinds of a live schema. Labels count only where each node has exactly one, and the
        schema was not estimated from a sample."""
        types = schema.relation_types
        labels = tuple(sorted(kind.label for kind in schema.labels))
        number = {name: i for i, name in enumerate(types)}
        counted = sum(kind.count for kind in schema.labels) == schema.nodes
        if schema.estimated or not counted or not _all_labelled(schema.relationships, labels):
            return cls(types, ("",), tuple((i, 0, 0) for i in range(len(types))))
        place = {label: i for i, label in enumerate(labels)}
        kinds = {
            (number[kind.type], place[kind.start_label], place[kind.end_label])
            for kind in schema.relationships
        }
        return cls(types, labels, tuple(sorted(kinds)))

    @property
    def every_label(self) -> Labels:
        return frozenset(range(len(self.labels)))

    def find_labels(self, names: Sequence[str]) -> Labels:
        """The labels of these names; all where none is known."""
        known = frozenset(i for i, label in enumerate(self.labels) if label in set(names))
        return known or self.every_label

    @cached_property
    def options(self) -> tuple[tuple[int, bool], ...]:
        """What may be said of two entities: a type, and whether it leads from object to subject."""
        return tuple((i, back) for i in range(len(self.types)) for back in (False, True))

    @cached_property
    def pairs_of(self) -> Mapping[tuple[int, bool], LabelPairs]:
        """By option, the labels of subject and object that it fits."""
        found: dict[tuple[int, bool], set[tuple[int, int]]] = defaultdict(set)
        for kind, start, end in self.kinds:
            found[kind, False].add((start, end))
            found[kind, True].add((end, start))
        return {option: frozenset(found[option]) for option in self.options}

    @cached_property
    def _counts(self) -> Counter[tuple[int, int]]:
        return Counter(pair for pairs in self.pairs_of.values() for pair in pairs)

    def list_joined(self, times: int) -> LabelPairs:
        """The labels between which there are as many different options."""
        return frozenset(pair for pair, count in self._counts.items() if count >= times)


def _all_labelled(kinds: Sequence[RelationshipKind], labels: Sequence[str]) -> bool:
    known = set(labels)
    return all({kind.start_label, kind.end_label} <= known for kind in kinds)


Constraint = tuple[int, int, LabelPairs]
"""Two entities, and the labels that they may have together."""


def narrow_domains(
    domains: Domains, constraints: Sequence[Constraint], *, is_tree: bool
) -> Domains | None:
    """The domains without labels that no constraint allows; None where the constraints cannot all
    be met. In a tree every label that is left is part of a solution."""
    narrowed = _propagate(domains, constraints)
    if narrowed is None or is_tree or _has_solution(narrowed, constraints):
        return narrowed
    return None


def _propagate(domains: Domains, constraints: Sequence[Constraint]) -> Domains | None:
    left = list(domains)
    changed = True
    while changed:
        changed = False
        for first, second, pairs in constraints:
            fitting = [(a, b) for a, b in pairs if a in left[first] and b in left[second]]
            for entity, labels in (
                (first, frozenset(a for a, _ in fitting)),
                (second, frozenset(b for _, b in fitting)),
            ):
                if labels != left[entity]:
                    left[entity], changed = labels, True
            if not fitting:
                return None
    return tuple(left)


def _has_solution(domains: Domains, constraints: Sequence[Constraint]) -> bool:
    """Whether some labels meet all constraints, by trying those of one entity after the other."""
    open_entity = next((i for i, labels in enumerate(domains) if len(labels) > 1), None)
    if open_entity is None:
        return True
    return any(
        narrowed is not None and _has_solution(narrowed, constraints)
        for tried in _iterate_choices(domains, open_entity)
        if (narrowed := _propagate(tried, constraints)) is not None
    )


def _iterate_choices(domains: Domains, entity: int) -> Iterator[Domains]:
    for label in sorted(domains[entity]):
        yield (*domains[:entity], frozenset((label,)), *domains[entity + 1 :])
