"""Sentence steps: the steps that a sentence says, be it a path or a pattern."""

from __future__ import annotations

from collections.abc import Iterator

from trellis.automata.paths.segments import step_text
from trellis.domain.graphs.graph import PathQuery, Step
from trellis.domain.models.decoding import Sentence
from trellis.domain.structures.question_patterns import QuestionPattern

SaidStep = tuple[str, str]
"""A step as a sentence says it, and its relation."""


def list_said_steps(sentence: Sentence) -> tuple[SaidStep, ...]:
    """The steps of a sentence's paths, or the triples of its pattern, as segments with their
    relations."""
    [value, *_] = sentence.values
    if isinstance(value, PathQuery):
        steps = [step for path in value.paths for step in path.steps]
    else:
        steps = list(_iterate_triples(get_pattern(sentence)))
    return tuple((step_text(step), step.relation) for step in steps)


def get_pattern(sentence: Sentence) -> QuestionPattern:
    """The pattern that a sentence says."""
    [pattern, *_] = sentence.values
    assert isinstance(pattern, QuestionPattern)
    return pattern


def _iterate_triples(pattern: QuestionPattern) -> Iterator[Step]:
    """The triples of a pattern in the direction in which they are said."""
    at = 0
    for triple in pattern.triples:
        if at not in (triple.head, triple.tail):
            at = min(triple.head, triple.tail)
        is_reversed = triple.tail == at
        yield Step(triple.relation, is_reversed)
        at = triple.head if is_reversed else triple.tail
