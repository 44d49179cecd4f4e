"""Paths that a question comes with, as the pattern that they are: nothing has to be looked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from trellis.automata.cypher.query import TURNED
from trellis.domain.graph import Step
from trellis.linking.text import name_key
from trellis.steps.link.values.value_mentions import name_mentioned_values
from trellis.training.supervision.queries.pattern_trees import (
    Branch,
    Candidate,
    Meaning,
    PatternTree,
    TreeReturn,
)
from trellis.training.supervision.queries.weak_examples import WeakQueryExample


def read_gold_paths(example: WeakQueryExample) -> Candidate | None:
    """The pattern of a question's paths; None where one begins at what no mention means."""
    meanings = [(_find_meaning(example, path.topic), path.steps) for path in example.asked.paths]
    chains = [_make_chain(meaning, steps) for meaning, steps in meanings if meaning]
    if not chains or len(chains) < len(meanings):
        return None
    return Candidate(reduce(PatternTree.join_tree, chains), TreeReturn(), 1.0, 1.0)


def _find_meaning(example: WeakQueryExample, topic: str) -> Meaning | None:
    """The first property that has the topic as a value: what nodes are named by comes first."""
    named = name_mentioned_values(example.mentions)
    for meaning, _ in example.meanings:
        values = (named[value].stored.value for value in meaning.values)
        if any(name_key(str(value)) == name_key(topic) for value in values):
            return meaning
    return None


def _make_chain(meaning: Meaning, steps: Sequence[Step]) -> PatternTree:
    """From the answer back to the topic; labels are left to the schema."""
    tree = PatternTree((meaning.label,), (meaning,))
    for step in steps:
        back = TURNED["in" if step.reversed else "out"]
        tree = PatternTree((), (), (Branch(step.relation, back, tree),))
    return tree
