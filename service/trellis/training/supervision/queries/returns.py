"""What is returned of a pattern's root: how well each way of returning it gives the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from trellis.automata.cypher.words.property_types import ORDERED
from trellis.domain.graphs.graph import NodeId
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.linking.values.literals import stored_keys
from trellis.training.supervision.queries.growing import GrownTree
from trellis.training.supervision.queries.holders import Holders
from trellis.training.supervision.queries.pattern_trees import Candidate, TreeReturn
from trellis.training.supervision.queries.relations import Relations
from trellis.training.supervision.queries.weak_examples import AnswerSet

T = TypeVar("T")

_LARGEST = 2_000  # nodes that the first of is looked for among
_ORDERED_SHARE = 0.8
_ORDERED_KEY = re.compile(r"day\d{8}|#(number|time).+")  # of a number, a day or a time


class Target:
    """A way of being the answers among a neighbourhood's nodes."""

    def __init__(self, gold: AnswerSet, count: int, relations: Relations) -> None:
        pairs = sorted(
            (relations.number[node], place)
            for place, ids in gold.holders.items()
            for node in ids
            if node in relations.number
        )
        self.gold = gold
        self._count = count
        self._holders = np.array([node for node, _ in pairs], np.int32)
        self._places = np.array([place for _, place in pairs], np.int32)
        self.nodes = np.unique(self._holders)

    def make_candidate(self, grown: GrownTree) -> Candidate | None:
        """All of a pattern's roots as the answers; None where none of these is there."""
        label = self.gold.label
        if label and label not in grown.tree.labels:
            return None
        given = np.isin(self._holders, grown.nodes)
        if not given.any():
            return None
        hits = len(np.unique(self._places[given])) / self._count
        right = len(np.unique(self._holders[given]))
        tree = replace(grown.tree, labels=(label,)) if label else grown.tree
        head = TreeReturn("show", self.gold.key) if self.gold.key else TreeReturn()
        return Candidate(tree, head, hits, right / len(grown.nodes))


def make_count(grown: GrownTree, number: int) -> Candidate | None:
    """The number of a pattern's roots as the answer."""
    if len(grown.nodes) != number:
        return None
    return Candidate(grown.tree, TreeReturn("count"), 1.0, 1.0)


def list_ordered_properties(schema: Schema) -> dict[str, list[str]]:
    """By label the properties that people ask the first or the last by: numbers, days, times,
    also as texts."""
    names_by_label = {
        kind.label: [each.name for each in kind.properties if _is_ordered(each)]
        for kind in schema.labels
    }
    return {label: names for label, names in names_by_label.items() if names}


def is_worth_ordering(grown: GrownTree, gold: AnswerSet) -> bool:
    """Whether the first of a pattern's roots can be looked for."""
    return len(grown.nodes) <= _LARGEST and (not gold.label or gold.label in grown.tree.labels)


def find_extremes(
    grown: GrownTree, ids: Sequence[NodeId], gold: AnswerSet, names: Sequence[str], holders: Holders
) -> Iterator[Candidate]:
    """The first of a pattern's roots, by each property and either way, where it is the answer."""
    looked = [(node, known.properties) for node in ids if (known := holders.known_nodes(node))]
    right = {node for those in gold.holders.values() for node in those}
    for name in names:
        for descending in (False, True):
            first = find_first(looked, name, descending)
            told = {properties.get(gold.key) if gold.key else node for node, properties in first}
            if len(first) and any(node in right for node, _ in first):
                form = "show" if gold.key else "list"
                head = TreeReturn(form, gold.key, name, descending)
                tree = replace(grown.tree, labels=(gold.label,))
                yield Candidate(tree, head, 1.0, 1.0, len(told))


def find_first(
    looked: Sequence[tuple[T, Mapping[str, Any]]], name: str, descending: bool
) -> list[tuple[T, Mapping[str, Any]]]:
    """Of nodes with their properties those that may come first by one of these; as in Cypher,
    those without it come last ascending."""
    without = [pair for pair in looked if pair[1].get(name) is None]
    having = [pair for pair in looked if pair[1].get(name) is not None]
    if (descending and without) or not having:
        return without
    kinds = {isinstance(pair[1][name], str) for pair in having}
    if len(kinds) > 1:
        return []
    best = (max if descending else min)(pair[1][name] for pair in having)
    return [pair for pair in having if pair[1][name] == best]


def _is_ordered(kind: PropertyKind) -> bool:
    if kind.type in ORDERED:
        return True
    texts = [value for value in (*kind.values, *kind.examples) if isinstance(value, str)]
    told = sum(any(map(_ORDERED_KEY.fullmatch, stored_keys(text))) for text in texts)
    return bool(texts) and told >= _ORDERED_SHARE * len(texts)
