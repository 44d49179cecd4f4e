"""What is returned of a pattern's root: how well each way of returning it gives the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from trellis.automata.cypher.lexicon import ORDERED
from trellis.domain.graph import NodeId
from trellis.domain.schema import PropertyKind, Schema
from trellis.linking.literals import stored_keys
from trellis.training.synthesis.explaining.holders import Holders
from trellis.training.synthesis.explaining.patterns import Grown
from trellis.training.synthesis.explaining.puzzles import Gold
from trellis.training.synthesis.explaining.relations import Relations
from trellis.training.synthesis.explaining.twigs import Candidate, Head, labelled

T = TypeVar("T")

_LARGEST = 2_000  # nodes that the first of is looked for among
_ORDERED_SHARE = 0.8
_KEYS = re.compile(r"day\d{8}|#(number|time).+")


class Target:
    """A way of being the answers among a neighbourhood's nodes."""

    def __init__(self, gold: Gold, count: int, relations: Relations) -> None:
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

    def candidate(self, grown: Grown) -> Candidate | None:
        """All of a pattern's roots as the answers; None where none of these is there."""
        label = self.gold.label
        if label and label not in grown.twig.labels:
            return None
        given = np.isin(self._holders, grown.nodes)
        if not given.any():
            return None
        hits = len(np.unique(self._places[given])) / self._count
        right = len(np.unique(self._holders[given]))
        twig = labelled(grown.twig, label) if label else grown.twig
        head = Head("show", self.gold.key) if self.gold.key else Head()
        return Candidate(twig, head, hits, right / len(grown.nodes))


def counted(grown: Grown, number: int) -> Candidate | None:
    """The number of a pattern's roots as the answer."""
    if len(grown.nodes) != number:
        return None
    return Candidate(grown.twig, Head("count"), 1.0, 1.0)


def ordered_properties(schema: Schema) -> dict[str, list[str]]:
    """By label the properties that people ask the first or the last by: numbers, days, times,
    also as texts."""
    found = {
        kind.label: [each.name for each in kind.properties if _is_ordered(each)]
        for kind in schema.labels
    }
    return {label: names for label, names in found.items() if names}


def worth_ordering(grown: Grown, gold: Gold) -> bool:
    """Whether the first of a pattern's roots can be looked for."""
    return len(grown.nodes) <= _LARGEST and (not gold.label or gold.label in grown.twig.labels)


def extremes(
    grown: Grown, ids: Sequence[NodeId], gold: Gold, names: Sequence[str], holders: Holders
) -> Iterator[Candidate]:
    """The first of a pattern's roots, by each property and either way, where it is the answer."""
    looked = [(node, one.properties) for node in ids if (one := holders.looked(node))]
    right = {node for those in gold.holders.values() for node in those}
    for name in names:
        for descending in (False, True):
            first = first_of(looked, name, descending)
            told = {properties.get(gold.key) if gold.key else node for node, properties in first}
            if len(first) and any(node in right for node, _ in first):
                form = "show" if gold.key else "list"
                head = Head(form, gold.key, name, descending)
                yield Candidate(labelled(grown.twig, gold.label), head, 1.0, 1.0, len(told))


def first_of(
    looked: Sequence[tuple[T, Mapping[str, Any]]], name: str, descending: bool
) -> list[tuple[T, Mapping[str, Any]]]:
    """Of nodes with their properties those that may come first by one of these; as in Cypher,
    those without it come last ascending."""
    without = [one for one in looked if one[1].get(name) is None]
    having = [one for one in looked if one[1].get(name) is not None]
    if (descending and without) or not having:
        return without
    kinds = {isinstance(one[1][name], str) for one in having}
    if len(kinds) > 1:
        return []
    best = (max if descending else min)(one[1][name] for one in having)
    return [one for one in having if one[1][name] == best]


def _is_ordered(kind: PropertyKind) -> bool:
    if kind.type in ORDERED:
        return True
    texts = [one for one in (*kind.values, *kind.examples) if isinstance(one, str)]
    told = sum(any(_orders(key) for key in stored_keys(text)) for text in texts)
    return bool(texts) and told >= _ORDERED_SHARE * len(texts)


def _orders(key: str) -> bool:
    """Whether a value's key is that of a number, a day or a time."""
    return bool(_KEYS.fullmatch(key))
