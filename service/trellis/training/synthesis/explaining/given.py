"""Paths that a question comes with, as the pattern that they are: nothing has to be looked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from trellis.automata.cypher.query import TURNED
from trellis.domain.graph import Step
from trellis.linking.text import name_key
from trellis.steps.queries.value_mentions import mentioned_values
from trellis.training.synthesis.explaining.puzzles import Puzzle
from trellis.training.synthesis.explaining.twigs import Branch, Candidate, Head, Meaning, Twig


def given(puzzle: Puzzle) -> Candidate | None:
    """The pattern of a question's paths; None where one begins at what no mention means."""
    found = [(_meaning(puzzle, path.topic), path.steps) for path in puzzle.asked.paths]
    chains = [_chain(meaning, steps) for meaning, steps in found if meaning]
    if not chains or len(chains) < len(found):
        return None
    return Candidate(reduce(Twig.joined, chains), Head(), 1.0, 1.0)


def _meaning(puzzle: Puzzle, topic: str) -> Meaning | None:
    """The first property that has the topic as a value: what nodes are named by comes first."""
    named = mentioned_values(puzzle.mentions)
    for meaning, _ in puzzle.meanings:
        values = (named[value].stored.value for value in meaning.values)
        if any(name_key(str(value)) == name_key(topic) for value in values):
            return meaning
    return None


def _chain(meaning: Meaning, steps: Sequence[Step]) -> Twig:
    """From the answer back to the topic; labels are left to the schema."""
    twig = Twig((meaning.label,), (meaning,))
    for step in steps:
        back = TURNED["in" if step.reversed else "out"]
        twig = Twig((), (), (Branch(step.relation, back, twig),))
    return twig
